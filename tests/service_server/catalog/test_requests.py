"""Requests built from templates: nothing a caller sends may reach beyond the place it was meant for."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service_server.catalog.auth_parts import Injection
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.passthrough import PassthroughTemplate
from service_server.catalog.requests import check_base_url, check_path, own_host
from service_server.onward.values import OnwardRequest
from tests.service_server.catalog.compiled import read_request

BASE = "https://api.acme.example/v1"
# What UTF-8 can hold; lone surrogates have a test of their own.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def build(request: Mapping[str, Any], **arguments: Any) -> OnwardRequest:
    """Build a request with no headers of the app."""
    return read_request(request).build(BASE, {"args": arguments, "vars": {}})


@pytest.mark.parametrize(
    ("request_", "arguments", "url"),
    [
        ({"get": "/"}, {}, f"{BASE}/"),
        ({"get": "/things/${args.id}"}, {"id": 7}, f"{BASE}/things/7"),
        ({"get": "/things/${args.id}"}, {"id": "a/b?c#d"}, f"{BASE}/things/a%2Fb%3Fc%23d"),
        ({"get": "/things/${args.id}.json"}, {"id": "ü %2F"}, f"{BASE}/things/%C3%BC%20%252F.json"),
        ({"get": "/x", "query": {"q": "${args.q}"}}, {"q": "a&b=c d"}, f"{BASE}/x?q=a%26b%3Dc%20d"),
        ({"get": "/x", "query": {"q": "${args.q?}", "n": 1}}, {}, f"{BASE}/x?n=1"),
        ({"get": "/x", "query": {"t": "${args.t}"}}, {"t": ["a", "b"]}, f"{BASE}/x?t=a&t=b"),
        ({"get": "/x", "query": {"t": {"value": "${args.t}", "join": ","}}}, {"t": ["a", "b"]}, f"{BASE}/x?t=a%2Cb"),
        ({"get": "/x", "query": {"t": {"value": "${args.t}", "join": ","}}}, {"t": []}, f"{BASE}/x"),
        ({"get": "/x", "query": {"on": "${args.on}"}}, {"on": True}, f"{BASE}/x?on=true"),
        ({"get": "https://me.acme.example/v2/${args.id}"}, {"id": "@b/c"}, "https://me.acme.example/v2/%40b%2Fc"),
    ],
)
def test_url(request_: dict[str, Any], arguments: dict[str, Any], url: str) -> None:
    """Values are encoded for their place: one path segment, one query value; lists are repeated or joined."""
    assert url == build(request_, **arguments).url


def test_json_and_form_bodies() -> None:
    """A body goes out as JSON or as a form, with the content type that says so; without values there is none."""
    as_json = build({"post": "/x", "body": {"a": "${args.a}", "b": "${args.b?}"}}, a=["ü"])
    as_form = build({"post": "/x", "form": {"a": "${args.a}", "c": True}}, a=["1", "&"])

    assert {"a": ["ü"]} == json.loads(as_json.body)
    assert (("content-type", "application/json"),) == as_json.headers
    assert b"a=1&a=%26&c=true" == as_form.body
    assert (("content-type", "application/x-www-form-urlencoded"),) == as_form.headers
    assert (b"", ()) == (build({"delete": "/x"}).body, build({"delete": "/x"}).headers)


@given(TEXT)
@example("..")
@example("%2e%2e")
@example("../../admin")
@example("a\r\nHost: evil")
def test_a_path_value_never_leaves_its_segment(value: str) -> None:
    """Whatever a value holds, the path has the same segments and the value stands in its own, or it is refused."""
    template = {"get": "/things/${args.id}/parts"}
    if value in ("", ".", ".."):
        with pytest.raises(InvalidRequest) as error:
            build(template, id=value)
        assert "id" == error.value.field
        return
    url = build(template, id=value).url
    segments = url.removeprefix(f"{BASE}/").split("/")

    assert ["things", value, "parts"] == [unquote(segment) for segment in segments]
    assert not {".", "..", "%2e", "%2e%2e"} & {segment.lower() for segment in segments}
    assert ("api.acme.example", "", "") == (urlsplit(url).netloc, urlsplit(url).query, urlsplit(url).fragment)


@given(TEXT, TEXT)
def test_a_query_value_never_adds_another(first: str, second: str) -> None:
    """Whatever values hold, the query has just the declared names, with these values."""
    url = build({"get": "/x", "query": {"a": "${args.a}", "b": "${args.b}"}}, a=first, b=second).url

    assert [("a", first), ("b", second)] == parse_qsl(urlsplit(url).query, keep_blank_values=True)


@given(TEXT)
@example("x\r\nX-Admin: 1")
@example("x\nY")
@example("\0")
def test_a_header_value_never_ends_its_header(value: str) -> None:
    """A value with line ends or anything but printable ASCII is refused, never sent in part."""
    try:
        request = build({"get": "/x", "headers": {"X-Name": "${args.a}"}}, a=value)
    except InvalidRequest:
        assert any(not 32 <= ord(character) < 127 for character in value)
        return

    assert (("X-Name", value),) == request.headers


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@example("\ud800")
def test_a_body_value_stays_where_it_is(value: Any) -> None:
    """Whatever a value holds, the JSON body has it under its own key, or the request is refused."""
    try:
        body = build({"post": "/x", "body": {"a": "${args.a}", "fixed": 1}}, a=value).body
    except InvalidRequest:
        return

    assert {"a": value, "fixed": 1} == json.loads(body)


@pytest.mark.parametrize("template", [{"get": "/x/${args.a}"}, {"get": "/x", "query": {"a": "${args.a}"}}])
def test_what_utf8_cannot_hold_is_refused(template: dict[str, Any]) -> None:
    """A lone surrogate makes no request rather than a crash."""
    with pytest.raises(InvalidRequest):
        build(template, a="\ud800")


def test_credentials_replace_whatever_stands_in_their_place() -> None:
    """Injected headers and query values replace others of the same name and leave the rest of the URL as it was."""
    injection = Injection(header={"Authorization": "Bearer ${token.t}"}, query={"key": "${token.k}"})
    request = OnwardRequest("GET", "https://h/x?a=%2F&key=theirs&b", (("authorization", "theirs"), ("x", "1")))

    applied = injection.apply(request, {"token": {"t": "T", "k": "a&b"}})

    assert (("x", "1"), ("Authorization", "Bearer T")) == applied.headers
    assert "https://h/x?a=%2F&b&key=a%26b" == applied.url
    assert frozenset({"authorization"}) == injection.secret_headers
    assert request == Injection().apply(request, {})


def test_a_credential_with_a_line_end_is_refused() -> None:
    """A pasted key with a line end makes no request, and the message doesn't hold the key."""
    injection = Injection(header={"Authorization": "Bearer ${creds.key}"})

    with pytest.raises(InvalidRequest) as error:
        injection.apply(OnwardRequest("GET", "https://h/"), {"creds": {"key": "sesame\r\nX: 1"}})
    assert "sesame" not in error.value.message


PASSTHROUGH = PassthroughTemplate(methods=frozenset({"GET", "POST"}))


@pytest.mark.parametrize(
    ("given_", "url"),
    [
        ("/users?x=1&y=a b", f"{BASE}/users?x=1&y=a%20b"),
        ("users", f"{BASE}/users"),
        ("", f"{BASE}/"),
        ("https://api.acme.example/v2/ü", "https://api.acme.example/v2/%C3%BC"),
        ("https://elsewhere.example/x#part", "https://elsewhere.example/x"),
        ("/a%2Fb?c=%26", f"{BASE}/a%2Fb?c=%26"),
        ("/a:b", f"{BASE}/a:b"),
    ],
)
def test_passthrough_url(given_: str, url: str) -> None:
    """A path is taken below the base URL; a whole URL stays, for the host rules to judge; a body goes out as JSON."""
    assert url == PASSTHROUGH.build(BASE, {"args": {"method": "GET", "url": given_}}).url
    with_body = PASSTHROUGH.build(BASE, {"args": {"method": "POST", "url": given_, "body": {"x": [1]}}})
    assert (url, b'{"x":[1]}') == (with_body.url, with_body.body)
    assert (("content-type", "application/json"),) == with_body.headers


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"method": "GET", "url": "//elsewhere.example/x"}, "url"),
        ({"method": "GET", "url": "/../admin"}, "url"),
        ({"method": "GET", "url": "/%2e%2E/admin"}, "url"),
        ({"method": "GET", "url": "/a\\b"}, "url"),
        ({"method": "GET", "url": "/a\r\nb"}, "url"),
        ({"method": "GET", "url": " /a"}, "url"),
        ({"method": "GET", "url": "https://[bad/x"}, "url"),
        ({"method": "DELETE", "url": "/a"}, "method"),
        ({"method": "GET", "url": "/a", "body": {}}, "body"),
    ],
)
def test_passthrough_refuses(arguments: dict[str, Any], field: str) -> None:
    """What could be read in two ways, or is not allowed, is refused and named."""
    with pytest.raises(InvalidRequest) as error:
        PASSTHROUGH.build(BASE, {"args": arguments})
    assert field == error.value.field


@given(st.text())
def test_passthrough_urls_make_ascii_or_are_refused(url: str) -> None:
    """Whatever the url, there is a plain ASCII one without blanks, or it is refused."""
    try:
        built = PASSTHROUGH.build(BASE, {"args": {"method": "GET", "url": url}}).url
    except InvalidRequest:
        return
    path = urlsplit(built).path

    assert path.isascii()
    assert not {".", ".."} & set(unquote(path.replace("%2F", "")).split("/"))
    assert built.startswith(f"{BASE}/") or ":" in url


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://API.acme.example/v1/", "api.acme.example"),
        ("https://api.acme.example:443", "api.acme.example"),
        ("http://127.0.0.1:8400", "127.0.0.1:8400"),
        ("http://kinto.example", "kinto.example:80"),
        ("https://[::1]:8443/x", "[::1]:8443"),
    ],
)
def test_own_host(url: str, host: str) -> None:
    """The base URL's own host is a host rule, with its port unless it is https on the usual one."""
    assert host == own_host(check_base_url(url))


@pytest.mark.parametrize("url", ["ftp://h/", "h/x", "https://u:p@h/", "https://h/?", ""])
def test_base_urls_that_are_refused(url: str) -> None:
    """A base URL is an http(s) address without user and query."""
    with pytest.raises(ValueError, match=r"URL|http"):
        check_base_url(url)


@pytest.mark.parametrize("path", ["things", "/a?b=1", "/a#b", "/a b", "/a/../b", "/./a", "/%2e%2e/a"])
def test_paths_that_are_no_paths(path: str) -> None:
    """A path starts with a slash and has no query, fragment, blank or dot segment, behind a base URL's host neither."""
    with pytest.raises(ValueError, match="path"):
        check_path(path)
    if path.startswith("/"):
        with pytest.raises(ValueError, match=r"URL|path"):
            check_base_url(f"https://h{path}")
