"""What functions say of good answers: checked by a sample at load, and left out where an answer isn't as expected."""

from pathlib import Path
from typing import Any

import pytest

from service_client.models import Fact
from service_server.catalog.outcome import MOST_ITEMS, OutcomeTemplate
from tests.service_server.catalog.connector_folder import function_with, parameter

ISSUE = {"number": 7, "html_url": "https://acme.example/i/7", "state": "open", "user": {"name": "Ann"}}
TITLE = "Issue ${output.number} created"


def problems_of(outcome: dict[str, Any], directory: Path) -> list[str]:
    """What the check says of an outcome."""
    properties = {"name": parameter(), "pin": parameter(**{"x-sensitive": True})}
    folder = function_with(
        type="mutation",
        request={"post": "/issues/${args.name}", "headers": {"X-Pin": "${args.pin?}"}},
        parameters={"type": "object", "required": ["name"], "properties": properties},
        examples=[{"prompt": "open it", "arguments": {"name": "desk"}}],
        outcome={"title": TITLE, "sample": ISSUE, **outcome},
    )
    folder.connector["base_url"] = "https://${vars.shop}.acme.example/api"
    folder.connector["vars"] = {
        "shop": {"title": "Shop", "set_by": "user", "pattern": "[a-z]+"},
        "team": {"title": "Team", "set_by": "user"},
    }
    return [f"{problem.key}: {problem.message}" for problem in folder.problems(directory)]


def test_samples_hold_what_they_do(tmp_path: Path) -> None:
    """A sample is the app's answer, whatever its keys are: one named as a key of ours says nothing of its form."""
    sample = {**ISSUE, "type": {"name": "bug"}}

    assert [] == problems_of({"sample": sample, "facts": {"Type": "${output.type.name}"}}, tmp_path)


def test_an_answer_may_be_a_list(tmp_path: Path) -> None:
    """Some apps answer with one entry for each of what was asked for."""
    outcome = {"title": "Issue ${output.0.number} created", "sample": [ISSUE]}
    missing = "outcome.title: there is no '1' in 'sample'"

    assert [] == problems_of(outcome, tmp_path / "there")
    assert problems_of({**outcome, "title": "${output.1.number}"}, tmp_path / "lacking")[0].startswith(missing)


@pytest.mark.parametrize(
    "link",
    [
        "${output.html_url}",
        "https://acme.example/i/${output.number}",
        "https://${vars.shop}.acme.example/i/${output.number}?by=${args.name}#${vars.team}",
        "https://desk.acme.example/${output.number}",
    ],
)
def test_links_to_the_app_are_taken(link: str, tmp_path: Path) -> None:
    """An address of the answer, or one below a host of the app's."""
    assert [] == problems_of({"link": link, "facts": {"State": "${output.state}"}}, tmp_path)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"title": "Issue ${output.nubmer} created"}, "outcome.title: there is no 'nubmer' in 'sample'; did you mean"),
        ({"facts": {"By": "${output.user.nmae}"}}, "outcome.facts.By: there is no 'nmae' in 'sample.user'; did you"),
        ({"title": "Issue created"}, "outcome.title: or the link or a fact, has to name"),
        ({"title": "Issue ${output.number?}"}, "outcome.title: can't do without a value"),
        ({"title": "${body.number}"}, "outcome.title: 'body' can't be used here; these can: args, output, vars"),
        ({"title": "${args.nmae}"}, "outcome.title: there is no parameter nmae; did you mean 'name'?"),
        ({"title": "${output.user}"}, "outcome.title: is not shown for the sample and the first example"),
        ({"link": "javascript:alert(1)"}, "outcome.link: must begin with https://"),
        ({"link": "http://acme.example/${output.number}"}, "outcome.link: must begin with https://"),
        (
            {"link": "https://evil.example/${output.number}"},
            "outcome.link: evil.example is none of the app's own hosts",
        ),
        ({"link": "https://${output.state}.acme.example/"}, "outcome.link: output.state can't decide on which host"),
        ({"link": "https://${vars.team}.acme.example/"}, "outcome.link: vars.team can't decide on which host it is"),
        ({"link": "${output.html_url}/more"}, "outcome.link: an address of the answer is taken as it is"),
        ({"link": "${output.state}"}, "outcome.link: is not shown for the sample and the first example"),
        ({"facts": {"Pin": "${args.pin?}"}}, "outcome.facts.Pin: args.pin is x-sensitive"),
        ({"facts": {"State": "open"}}, "outcome.facts.State: says the same of every answer"),
        ({"facts": {str(n): "${output.state}" for n in range(7)}}, "outcome.facts: "),
        ({"fact": {}}, "outcome.fact: unknown key 'fact'; did you mean 'facts'?"),
        ({"sample": "x"}, "outcome.sample: must be an object or a list or empty"),
    ],
)
def test_what_could_never_be_shown_is_named(outcome: dict[str, Any], said: str, tmp_path: Path) -> None:
    """Each mistake is told at its key, with what to write instead."""
    assert [problem for problem in problems_of(outcome, tmp_path) if problem.startswith(said)]


@pytest.mark.parametrize(
    "url",
    [
        "http://acme.example/7",
        "javascript:alert(1)",
        "https://a:b@acme.example",
        "https://acme.example/ 7",
        "/7",
        7,
        None,
    ],
)
def test_an_answer_can_lead_to_pages_only(url: object) -> None:
    """Any other address is left out, and why is told; the rest stays."""
    template = OutcomeTemplate(title=TITLE, link="${output.html_url}", facts={"State": "${output.state}"}, sample=None)
    outcome, left_out = template.read({"args": {}, "vars": {}, "output": {**ISSUE, "html_url": url}})

    assert ("Issue 7 created", None) == (outcome.title, outcome.link)
    assert [True] == [reason.startswith("link: ") and str(url) not in reason for reason in left_out]


def test_values_stay_where_they_are_put() -> None:
    """A value is one segment of a link, whatever is in it; texts are one line, and lists of plain values stay lists."""
    template = OutcomeTemplate(
        title="Made ${output.name}",
        link="https://acme.example/i/${output.id}/x",
        facts={name: f"${{output.{name.lower()}}}" for name in ("Labels", "User", "None", "Ok")},
        sample=None,
    )
    answer = {"id": "../..?a#b/é", "name": "a\n b\t" + "c" * 500, "labels": list("x" * 50), "user": {}, "ok": False}
    outcome, left_out = template.read({"args": {}, "vars": {}, "output": answer})

    assert "https://acme.example/i/..%2F..%3Fa%23b%2F%C3%A9/x" == outcome.link
    assert outcome.title.startswith("Made a b ccc")
    assert outcome.title.endswith("…")
    assert (Fact("Labels", tuple("x" * MOST_ITEMS)), Fact("Ok", False)) == outcome.facts
    assert () == left_out


def test_nothing_is_said_of_an_answer_that_is_not_the_expected_one() -> None:
    """Where the title says nothing of the answer the link or the facts do; or else the answer has to be empty."""
    by_link = OutcomeTemplate(title="Sent", link="https://acme.example/${output.channel}", sample=None)
    by_fact = OutcomeTemplate(title="Sent", facts={"Text": "${output.text}"}, sample=None)
    empty = OutcomeTemplate(title="Issue ${args.issue} moved", link="https://acme.example/${args.issue}", sample=None)
    arguments = {"args": {"issue": "A-1"}, "vars": {}}

    for template in (by_link, by_fact):
        outcome, left_out = template.read({**arguments, "output": {"ok": False, "error": "not_in_channel"}})
        assert outcome is None
        assert left_out
    assert empty.read({**arguments, "output": {"error": "no"}})[0] is None
    moved, _ = empty.read({**arguments, "output": None})
    assert ("Issue A-1 moved", "https://acme.example/A-1") == (moved.title, moved.link)
