"""What a model gets back of a call that was executed."""

import json

import pytest

from service_client.models import CallResult
from service_server.agents.tool_results import LARGEST_OUTPUT, told_result
from service_server.invoke import Executed
from service_server.json_texts.json_text import JsonText
from tests.service_server.agents.agents import text_of


def test_a_huge_answer_is_told_and_not_passed_on() -> None:
    """It was executed, so it is no error, which a model would repeat; more of the list can be asked for as ever."""
    largest = {"text": "x" * (LARGEST_OUTPUT - len('{"text":""}'))}
    told = []
    for output in (largest, {"text": f"x{largest['text']}"}):
        result = CallResult(network_code="200", output=JsonText.of(output), next_page="more")
        told.append(told_result(Executed(result=result, upstream_ms=1, total_ms=2), replayed=False))
    whole, cut = told

    assert whole.structured_content == {"network_code": "200", "output": largest, "next_page": "more"}
    assert cut.structured_content is not None
    assert (False, "200", "more") == (
        cut.is_error,
        *(cut.structured_content[each] for each in ("network_code", "next_page")),
    )
    assert "too_large" == cut.structured_content["output"]["error"]
    assert "ask for less at a time" in text_of(cut)
    assert len(text_of(cut)) < 500


@pytest.mark.parametrize(
    ("text", "told"),
    [(r"\ud83d", "\ufffd"), (r"a\udc36b\ud83d", "a\ufffdb\ufffd"), (r"\ud83d\udc36 \\ud83d", "🐶 \\ud83d")],
)
def test_half_an_emoji_keeps_no_client_from_the_result(text: str, told: str) -> None:
    """Apps cut texts anywhere; no client could read what is no Unicode, and none would know what was executed."""
    result = CallResult(network_code="201", output=JsonText(f'{{"title": "{text}"}}'.encode()))

    came = told_result(Executed(result=result, upstream_ms=1, total_ms=2), replayed=False)

    read = json.loads(came.model_dump_json(by_alias=True))
    assert {"network_code": "201", "output": {"title": told}} == read["structuredContent"]
    assert read["structuredContent"] == json.loads(text_of(came))
