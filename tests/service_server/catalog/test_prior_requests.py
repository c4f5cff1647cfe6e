"""The `lookup` and the `before` of a function's file: mistakes in them are found where they are."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.prior_requests import LookUp, PriorRequest
from service_server.catalog.requests import Request
from tests.service_server.catalog.connector_folder import function_with, parameter

LOOKUP: dict[str, Any] = {"request": {"get": "/tickets/${args.ticket}"}, "gives": {"queue": "body.queue.id"}}
LOOKING_UP = {
    "lookup": LOOKUP,
    "request": {"get": "/queues/${lookup.queue}/fields"},
    "parameters": {"type": "object", "required": ["ticket"], "properties": {"ticket": parameter()}},
}
PLACE: dict[str, Any] = {"request": {"post": "/places"}, "gives": {"address": "body.address", "id": "body.id"}}
UPLOAD = {"request": {"put": "${before.address}", "raw": {"content": "${args.text}", "type": "text/plain"}}}
PUTTING = {
    "type": "mutation",
    "before": [PLACE, UPLOAD],
    "request": {"post": "/places/${before.id}/done"},
    "parameters": {"type": "object", "required": ["text"], "properties": {"text": parameter()}},
}
NO_PUT = "before[1].request.put"


@pytest.mark.parametrize("declared", [LOOKING_UP, PUTTING])
def test_a_parameter_that_only_an_earlier_request_sends(declared: dict[str, Any], tmp_path: Path) -> None:
    """It is used: the check has nothing to say."""
    assert [] == function_with(**declared).problems(tmp_path)


@pytest.mark.parametrize(
    ("declared", "keys", "at", "said"),
    [
        (LOOKING_UP, {"lookup": {**LOOKUP, "gives": {"queu": "body.q"}}}, "request.get", "there is no lookup.queue"),
        (
            LOOKING_UP,
            {"lookup": {**LOOKUP, "gives": {**LOOKUP["gives"], "more": "body.more"}}},
            "lookup.gives.more",
            "uses it",
        ),
        (LOOKING_UP, {"lookup": {**LOOKUP, "gives": {"queue": "queue.id"}}}, "lookup.gives.queue", "match"),
        (LOOKING_UP, {"lookup": {**LOOKUP, "gives": {"queue": "body.a b"}}}, "lookup.gives.queue", "dotted path"),
        (LOOKING_UP, {"lookup": {**LOOKUP, "gives": {}}}, "lookup.gives", "less than 1"),
        (
            LOOKING_UP,
            {"lookup": {**LOOKUP, "request": {"get": "/tickets/${args.tickt}"}}},
            "lookup.request.get",
            "there is no parameter tickt",
        ),
        (
            LOOKING_UP,
            {"lookup": {**LOOKUP, "request": {"get": "https://elsewhere.example/${args.ticket}"}}},
            "lookup.request.get",
            "can't be reached",
        ),
        (LOOKING_UP, {"type": "mutation"}, "lookup", "only queries"),
        (LOOKING_UP, {"lookup": None}, "request.get", "'lookup' can't be used here"),
        (PUTTING, {"type": "query"}, "before", "only mutations"),
        (PUTTING, {"before": [UPLOAD, PLACE]}, "before[0].request.put", "there is no before.address"),
        (
            PUTTING,
            {"before": [{**PLACE, "gives": {**PLACE["gives"], "more": "body.more"}}, UPLOAD]},
            "before[0].gives.more",
            "uses",
        ),
        (PUTTING, {"before": [PLACE, {**UPLOAD, "gives": {"id": "body.id"}}]}, "before[1].gives.id", "earlier request"),
        (PUTTING, {"before": [PLACE] * 4}, "before", "more than 3"),
        (PUTTING, {"before": []}, "before", "less than 1"),
        (PUTTING, {"before": [PLACE, {"request": {"put": "${args.text}"}}]}, NO_PUT, "must match"),
        (PUTTING, {"before": [PLACE, {"request": {"put": "${before.address}/x"}}]}, NO_PUT, "must match"),
        (PUTTING, {"request": {"post": "/places/${before.idd}"}}, "request.post", "there is no before.idd"),
        (PUTTING, {"lookup": PLACE}, "lookup", "only queries"),
        (PUTTING, {"before": [PLACE, {**UPLOAD, "given": ["texts"]}]}, "before[1].given[0]", "did you mean 'text'"),
        (PUTTING, {"before": [PLACE, {**UPLOAD, "given": ["text"]}]}, "before[1].given[0]", "always given"),
        (
            {**PUTTING, "parameters": {"type": "object", "properties": {"text": parameter()}}},
            {"before": [PLACE, {**UPLOAD, "given": ["text"]}]},
            "before[1].given",
            "only a hook can tell",
        ),
        (PUTTING, {"before": None}, "request.post", "'before' can't be used here"),
    ],
)
def test_mistakes(declared: dict[str, Any], keys: dict[str, Any], at: str, said: str, tmp_path: Path) -> None:
    """Each is named at its key, with what is wrong; a key that is None is left out."""
    present = {key: value for key, value in {**declared, **keys}.items() if value is not None}
    problems = function_with(**present).problems(tmp_path)

    assert any(at == each.key and said in each.message for each in problems), problems


def test_what_an_answer_may_give() -> None:
    """Lists are given; what it may lack can be missing, what it must have can't, and objects are no values."""
    prior = PriorRequest(request=Request(get="/things"), gives={"id": "body.id", "names": "body.names?"})

    assert {"id": 7, "names": ["a"]} == prior.read({"id": 7, "names": ["a"]})
    assert {"id": 7} == prior.read({"id": 7})
    with pytest.raises(LookupError, match="id"):
        prior.read({"names": []})
    with pytest.raises(LookupError, match="names"):
        prior.read({"id": 7, "names": {}})
    with pytest.raises(LookupError, match="id"):
        LookUp(request=Request(get="/things"), gives={"id": "body.id"}).read({"id": [7]})
