"""A whole answer is read at once."""

import json

from service_server.answers.reading import Reading, read_answer
from service_server.catalog.output import compile_output
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.service_server.catalog.compiled import read_paging

OFFSETS = read_paging({"type": "offset", "send": "query.offset", "total": "body.total"})


def test_the_next_page_begins_behind_all_that_was_listed() -> None:
    """What a query leaves out of a page still has its place in the app's list: none comes twice, and none is missed."""
    answer = {"total": 6, "items": [{"kind": "folder"}, {"kind": "folder"}, {"kind": "file"}]}
    request = OnwardRequest("GET", "https://app.example.com/items")
    reading = Reading(
        picks=True,
        picker=compile_output("items[?kind == 'file']"),
        error_rules=(),
        pagination=OFFSETS,
        position=2,
        request=request,
        room=1000,
    )
    read = read_answer(reading, OnwardResponse(200, {}, json.dumps(answer).encode(), request.url))

    assert read.following is not None
    assert (5, [{"kind": "file"}]) == (read.following.position, read.output and read.output.value())
