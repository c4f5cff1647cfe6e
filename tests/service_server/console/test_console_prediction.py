"""The prediction in the console: what the service makes of a prompt."""

import re
from html import unescape

import pytest

from tests.service_server.console.operator_browser import OperatorBrowser, table_rows
from tests.service_server.processes import RunningService

PATH = "/console/prediction"
PROMPT = 'create a ticket titled "Printer on fire", high priority'


def test_the_console_predicts_as_the_api_does(operator: OperatorBrowser, console_service: RunningService) -> None:
    """Ranking, confidence, arguments, evidence and what is missing are those of `GET /functions`."""
    page = operator.http.get(PATH, params={"prompt": PROMPT, "app": "sandbox"}).text
    params = {"predict_function": "true", "predict_arguments": "true", "prompt": PROMPT, "app": "sandbox"}
    with console_service.api("anyone") as api:
        (function,) = api.get("/functions", params=params).json()["functions"]
    prediction = function["prediction"]
    expected = [function["name"], *(each["name"] for each in prediction["alternatives"])]
    confidences = [prediction["confidence"], *(each["confidence"] for each in prediction["alternatives"])]

    rows = table_rows(page)
    assert expected == [re.findall(r"<br><code>([^<]+)<", row)[0] for row in rows]
    assert [f"{each * 100:.0f} %" for each in confidences] == [re.findall(r">(\d+ %)<", row)[0] for row in rows]
    arguments = unescape(page.split('id="arguments"')[1])
    for name, value in function["arguments"].items():
        shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
        assert f'<code>{name}</code></th>\n      <td class="long text"><code>{shown}</code>' in arguments
        assert f"<q>{prediction['evidence'][name]}</q>" in arguments
    assert ["project_id"] == prediction["missing"]
    assert '<span class="badge doubt">Missing</span> <code>project_id</code>' in arguments


def test_a_prediction_is_explained(operator: OperatorBrowser) -> None:
    """How the prompt was read, what each signal says of each function; another one of the ranking has its arguments."""
    page = operator.http.get(PATH, params={"prompt": PROMPT, "app": "sandbox"}).text
    why = unescape(page.split('id="why"')[1])
    link = re.search(r'href="(/console/prediction\?[^"]*function=sandbox-update-ticket)"', page)
    other = operator.page(unescape(link[1]))

    assert all(
        said in why for said in ("The first function reaches its threshold", "<dd>command</dd>", "<q>create</q>")
    )
    assert re.search(
        r"<summary><code>sandbox-create-ticket</code>: \d+\s% <span class=\"badge right\">Offered from", why
    )
    assert re.search(
        r"The prompt names what it acts on</th><td class=\"number\">1.00</td><td class=\"number\">[+-]\d", why
    )
    assert "Arguments of Update a ticket" in other
    assert re.search(r"Missing</span> <code>ticket_id</code>", other)
    assert len(table_rows(page)) == len(table_rows(other))


@pytest.mark.parametrize(
    ("query", "said", "why"),
    [
        ({"prompt": "what is the meaning of life?"}, "Nothing fits this prompt:", "No function"),
        ({"prompt": "give every ticket a song", "app": "kinto"}, "Nothing fits this prompt in this app:", ""),
        ({"prompt": "how do I create a ticket?"}, "", "asks what something is or how it is done"),
    ],
)
def test_what_fits_nothing_is_said(operator: OperatorBrowser, query: dict[str, str], said: str, why: str) -> None:
    """The page says so and why, shows what came nearest, and no arguments unless they are asked for."""
    page = operator.http.get(PATH, params=query).text

    assert said in page
    assert f"{query['prompt']}</textarea>" in page
    assert "Functions, likeliest first" not in page
    assert 'id="arguments"' not in page
    assert why in unescape(page.split('id="why"')[1])


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"prompt": " \n"}, "Say in the prompt what should be done."),
        ({"prompt": "a" * 4001}, "The prompt is longer than 4000 characters."),
        ({"prompt": "list tickets", "app": "nope"}, "The app that was chosen isn’t in the catalogue any more."),
    ],
)
def test_what_cannot_be_predicted_is_said_at_the_field(
    operator: OperatorBrowser, query: dict[str, str], problem: str
) -> None:
    """A wrong form is answered with what is wrong, and what was typed."""
    answer = operator.http.get(PATH, params=query)

    assert 422 == answer.status_code
    assert f'<p class="error" id="prompt-error" role="alert">{problem}</p>' in answer.text
    assert f"{query['prompt']}</textarea>" in answer.text


def test_hostile_prompts_are_only_text(operator: OperatorBrowser) -> None:
    """Invisible characters of evidence are written out, and functions that there aren't are 404."""
    hostile = 'create a ticket titled "</textarea><script>alert(1)</script>\u202e\x07"'
    page = operator.http.get(PATH, params={"prompt": hostile, "app": "sandbox"}).text

    assert "<script>" not in page
    assert "\u202e" not in page.split("</form>", 2)[-1]
    gone = operator.http.get(PATH, params={"prompt": hostile, "function": "sandbox-<b>"})
    assert 404 == gone.status_code
