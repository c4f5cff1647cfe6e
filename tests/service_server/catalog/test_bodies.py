"""Bodies of requests: each value arrives as what it is, and none can break out of its place."""

import base64
import json
from collections.abc import Mapping
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.catalog.expressions import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.service_server.catalog.compiled import read_paging, read_request

# What a form's field can hold; lone surrogates have a test with the requests.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def build(request: Mapping[str, Any], **arguments: Any) -> OnwardRequest:
    """Build a request with no headers of the app."""
    return read_request(request).build("https://h", {"args": arguments, "vars": {}})


def parts_of(request: OnwardRequest) -> list[EmailMessage]:
    """The parts of a multipart body, as another program reads them."""
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers)
    message = BytesParser(policy=HTTP).parsebytes(head.encode() + b"\r\n" + request.body)
    return [part for part in message.iter_parts() if isinstance(part, EmailMessage)]


@pytest.mark.parametrize(
    ("lists", "names"),
    [
        ({}, ["items", "items"]),
        ({"form_lists": "brackets"}, ["items[]", "items[]"]),
        ({"form_lists": "indexes"}, ["items[0]", "items[1]"]),
    ],
)
def test_forms_with_structure(lists: dict[str, str], names: list[str]) -> None:
    """What is inside objects stands in brackets, and lists are written as the app reads them."""
    form = {"items": "${args.items}", "meta": "${args.meta}"}
    request = build({"post": "/x", "form": form, **lists}, items=[1, 2], meta={"k": "v", "deep": {"x": True}})

    pairs = [*zip(names, "12", strict=True), ("meta[k]", "v"), ("meta[deep][x]", "true")]
    assert pairs == parse_qsl(request.body.decode())


def test_objects_in_lists_need_indexes() -> None:
    """With indexes a list of objects has a form; without, nothing says which object a field belongs to."""
    form = {"post": "/x", "form": {"a": "${args.a}"}}
    request = build({**form, "form_lists": "indexes"}, a=[{"b": 1}, {"b": [2]}])

    assert [("a[0][b]", "1"), ("a[1][b][0]", "2")] == parse_qsl(request.body.decode())
    with pytest.raises(InvalidRequest):
        build(form, a=[{"b": 1}])


def test_lists_in_queries() -> None:
    """A query's lists can be written with brackets or indexes too."""
    query = {"a": {"value": "${args.a}", "lists": "brackets"}, "b": {"value": "${args.a}", "lists": "indexes"}}
    request = build({"get": "/x", "query": query}, a=["x", "y"])

    expected = [("a[]", "x"), ("a[]", "y"), ("b[0]", "x"), ("b[1]", "y")]
    assert expected == parse_qsl(urlsplit(request.url).query)


@given(TEXT, TEXT, st.binary(max_size=200))
def test_multipart(title: str, name: str, content: bytes) -> None:
    """Values and files arrive whole, whatever they and the file's name hold."""
    file = {"file": "${args.file}", "name": "${args.name}", "type": "image/png", "encoding": "base64"}
    declared = {"post": "/x", "multipart": {"title": "${args.title}", "none": "${args.none?}", "file": file}}
    request = build(declared, title=title, name=name, file=base64.b64encode(content).decode())
    separator = dict(request.headers)["content-type"].partition("boundary=")[2]
    _, first, second, end = request.body.split(f"--{separator}".encode())

    assert (b"\r\n", b"--\r\n") == (first[-2:], end)
    head, _, body = first[2:-2].partition(b"\r\n\r\n")
    assert (b'Content-Disposition: form-data; name="title"', title.encode()) == (head, body)
    head, _, body = second[2:-2].partition(b"\r\n\r\n")
    assert 2 == len(head.split(b"\r\n")), "a file's name can't add a header"
    assert content == body


def test_multipart_as_another_program_reads_it() -> None:
    """The form is the standard's: Python's own parser finds the parts, their names and types."""
    file = {"file": "${args.text}", "name": 'a "b".txt', "type": "text/plain"}
    value, upload = parts_of(build({"post": "/x", "multipart": {"n": 5, "f": file}}, text="héllo"))

    assert ("n", "5") == (value.get_param("name", header="content-disposition"), value.get_content().strip())
    assert ("text/plain", "a %22b%22.txt") == (upload.get_content_type(), upload.get_filename())
    assert "héllo".encode() == upload.get_payload(decode=True)


def test_raw_bodies() -> None:
    """A text or bytes in base64 go out as they are, with the type that the connector names."""
    text = build({"put": "/x", "raw": {"content": "${args.t}", "type": "text/markdown; charset=utf-8"}}, t="# é")
    image = {"content": "${args.b}", "type": "image/png", "encoding": "base64"}
    assert ("# é".encode(), (("content-type", "text/markdown; charset=utf-8"),)) == (text.body, text.headers)
    assert b"\x00\xff" == build({"put": "/x", "raw": image}, b="AP8=").body
    with pytest.raises(InvalidRequest, match="base64"):
        build({"put": "/x", "raw": image}, b="not base64!")


OPERATION = 'query Find($id: ID!, $first: Int) { find(id: $id, first: $first, note: "${args.id} stays") { name } }'


def test_graphql_sends_its_text_and_variables() -> None:
    """The text is sent as it stands; its variables are filled, typed, left out where absent, and one pages."""
    variables = {"id": "${args.id}", "first": "${args.first?}", "filter": {"team": {"eq": "${args.team?}"}}}
    request = build({"post": "/graphql", "graphql": {"query": OPERATION, "variables": variables}}, id="7", first=5)
    paging = read_paging({"type": "cursor", "send": "body.variables.after", "next": "body.data.items.cursor"})

    assert "POST" == request.method
    assert ("content-type", "application/json") in request.headers
    assert {"query": OPERATION, "variables": {"id": "7", "first": 5}} == json.loads(request.body)
    assert {"id": "7", "first": 5, "after": "c1"} == json.loads(paging.apply(request, "c1").body)["variables"]
