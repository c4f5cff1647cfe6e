"""The `before` of a function's file: mistakes in it are found where they are."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.prior_requests import LookUp, PriorRequest
from service_server.catalog.requests import Request
from tests.service_server.catalog.connector_folder import minimal_function, parameter
from tests.service_server.catalog.test_look_ups import problems_of

PLACE: dict[str, Any] = {"request": {"post": "/places"}, "gives": {"address": "body.address", "id": "body.id"}}
UPLOAD = {"request": {"put": "${before.address}", "raw": {"content": "${args.text}", "type": "text/plain"}}}


def putting(**keys: Any) -> dict[str, Any]:
    """Return a mutation that asks for an address, puts a text there and says that it did."""
    return {
        **minimal_function(),
        "type": "mutation",
        "before": [PLACE, UPLOAD],
        "request": {"post": "/places/${before.id}/done"},
        "parameters": {"type": "object", "required": ["text"], "properties": {"text": parameter()}},
        **keys,
    }


def test_a_parameter_that_only_an_earlier_request_sends(tmp_path: Path) -> None:
    """It is used: the check has nothing to say."""
    assert [] == problems_of(putting(), tmp_path)


@pytest.mark.parametrize(
    ("keys", "at", "said"),
    [
        ({"type": "query"}, "before", "only mutations"),
        ({"before": [UPLOAD, PLACE]}, "before[0].request.put", "there is no before.address"),
        (
            {"before": [{**PLACE, "gives": {**PLACE["gives"], "more": "body.more"}}, UPLOAD]},
            "before[0].gives.more",
            "uses",
        ),
        ({"before": [PLACE, {**UPLOAD, "gives": {"id": "body.id"}}]}, "before[1].gives.id", "earlier request"),
        ({"before": [PLACE] * 4}, "before", "more than 3"),
        ({"before": []}, "before", "less than 1"),
        ({"before": [PLACE, {"request": {"put": "${args.text}"}}]}, "before[1].request.put", "must match"),
        ({"before": [PLACE, {"request": {"put": "${before.address}/x"}}]}, "before[1].request.put", "must match"),
        ({"request": {"post": "/places/${before.idd}"}}, "request.post", "there is no before.idd"),
        ({"lookup": PLACE}, "lookup", "only queries"),
    ],
)
def test_mistakes(keys: dict[str, Any], at: str, said: str, tmp_path: Path) -> None:
    """Each is named at its key, with what is wrong."""
    problems = problems_of(putting(**keys), tmp_path)

    assert any(at == key and said in message for key, message in problems), problems


def test_without_requests_before_there_is_nothing_to_refer_to(tmp_path: Path) -> None:
    """`${before.…}` means nothing in a function that sends one request."""
    content = putting()
    del content["before"]

    assert "'before' can't be used here" in dict(problems_of(content, tmp_path))["request.post"]


def test_what_an_answer_may_give() -> None:
    """Lists are given; what it may lack can be missing, what it must have can't, and objects are no values."""
    gives = {"id": "body.id", "names": "body.names?"}
    prior = PriorRequest(request=Request(get="/things"), gives=gives)

    assert {"id": 7, "names": ["a"]} == prior.read({"id": 7, "names": ["a"]})
    assert {"id": 7} == prior.read({"id": 7})
    with pytest.raises(LookupError, match="id"):
        prior.read({"names": []})
    with pytest.raises(LookupError, match="names"):
        prior.read({"id": 7, "names": {}})
    with pytest.raises(LookupError, match="id"):
        LookUp(request=Request(get="/things"), gives={"id": "body.id"}).read({"id": [7]})
