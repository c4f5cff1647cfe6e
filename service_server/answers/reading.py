"""Reads a whole answer at once: its body, the part a query picks, what error it means, and what page follows."""

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from service_client.models import Outcome
from service_server.answers.beginning import Beginning, beginning_of
from service_server.answers.bodies import read_body
from service_server.catalog.answers import ErrorKind, ErrorRule, error_kind
from service_server.catalog.expressions import Context
from service_server.catalog.hooks import HookFailed, picked
from service_server.catalog.outcome import OutcomeTemplate
from service_server.catalog.output import listed
from service_server.catalog.pagination import Following, JsonValue, Pagination
from service_server.json_texts.json_text import JsonText
from service_server.onward.values import OnwardRequest, OnwardResponse


@frozen(kw_only=True)
class Reading:
    """
    What to read in the answer to a call.

    `picks` tells whether only a part of a successful answer is relayed, by `reshape` and `picker`. `request` is what
    was sent, for the page at `position`. The log has room for `room` characters of what is relayed; the longest of the
    call's secrets has `longest_secret`. `outcome` is what to say about a good answer, None if nobody asked for it;
    `given` holds those parts of the call that it refers to.
    """

    picks: bool = False
    picker: Callable[[Any], Any] | None = None
    reshape: Callable[[Any], Any] | None = None
    error_rules: tuple[ErrorRule, ...]
    pagination: Pagination | None = None
    position: JsonValue = None
    request: OnwardRequest
    room: int = 0
    longest_secret: int = 0
    outcome: OutcomeTemplate | None = None
    given: Context = field(factory=dict, repr=False)


@frozen(kw_only=True)
class Read:
    """
    What was read of an answer.

    `output` is what is relayed, None if that is the body as it came; `beginning` is as much of it as a log shows.
    `defect` says which hook hid the part that should have been picked, and why; `left_out` says why some of the
    outcome that the function describes can't be told from this answer.
    """

    output: JsonText | None = field(repr=False)
    beginning: Beginning
    error_kind: ErrorKind | None
    following: Following | None
    defect: tuple[str, str] | None
    outcome: Outcome | None = None
    left_out: tuple[str, ...] = ()


def read_answer(reading: Reading, response: OnwardResponse) -> Read:
    """Read an answer; the larger its body, the longer it takes."""
    body = read_body(response)
    output, defect = body.value, None
    if reading.picks and 200 <= response.status < 300:
        try:
            output = picked(body.value, reading.reshape, reading.picker)
        except HookFailed as failed:
            defect = (failed.hook, failed.reason)
    following = None
    if reading.pagination is not None:
        items = listed(body.value, reading.picker, output)
        following = reading.pagination.following(reading.position, reading.request, response, body.value, items)
        if following.past_end:
            output = []
    kind = error_kind(reading.error_rules, response, body.value)
    outcome: Outcome | None = None
    left_out: tuple[str, ...] = ()
    if reading.outcome is not None and 200 <= response.status < 300 and kind is None and defect is None:
        outcome, left_out = reading.outcome.read({**reading.given, "output": output})
    came = body.as_it_came if output is body.value else None
    return Read(
        output=JsonText.of(output) if came is None else None,
        beginning=beginning_of(output, reading.room, reading.longest_secret),
        error_kind=kind,
        following=following,
        defect=defect,
        outcome=outcome,
        left_out=left_out,
    )
