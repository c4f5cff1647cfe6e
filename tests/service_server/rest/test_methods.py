"""HEAD is answered wherever GET is, and every path says which methods it takes."""

import re

import httpx
import pytest

from service_server.app import ROUTES
from service_server.rest.methods import has_head

ICONS = "/icons/sandbox.svg"


def test_options_tells_all_methods(anonymous: httpx.Client) -> None:
    """Each path answers OPTIONS with all its methods and no others, without credentials; so does a wrong method."""
    for path in sorted({path for handler in ROUTES for path in handler.paths}):
        asked_for = re.sub(r"{[a-z_]+:[a-z]+}", "1", path)
        expected = {"OPTIONS", *(each for handler in ROUTES if path in handler.paths for each in handler.http_methods)}
        if "GET" in expected and has_head(asked_for):
            expected.add("HEAD")
        for status, answer in ((204, anonymous.options(asked_for)), (405, anonymous.request("PATCH", asked_for))):
            assert (status, expected) == (answer.status_code, set(answer.headers["allow"].split(", "))), path


def test_options_of_other_paths(anonymous: httpx.Client) -> None:
    """Both spellings of a path, and of the passthrough call, are the same; where there is nothing, nothing is told."""
    with_slash, without = (anonymous.options(path).headers["allow"] for path in ("/apps/", "/apps"))

    assert with_slash == without
    assert "POST" in anonymous.options("/sandbox-passthrough-request").headers["allow"]
    assert 404 == anonymous.options("/nothing/here").status_code
    assert "text/html; charset=utf-8" == anonymous.get("/connect/unknown").headers["content-type"]  # the charset once


@pytest.mark.parametrize("path", ["/health", "/openapi.json", "/apps", "/functions?app=many", ICONS, "/console"])
def test_head_is_get_without_its_body(api: httpx.Client, path: str) -> None:
    """Status and headers are those of GET, the length of the body too; the body is left out."""
    got, head = api.get(path), api.head(path)
    varying = {"date", "request-id", "set-cookie"}

    assert b"" == head.content
    assert got.status_code == head.status_code == 200
    assert {name: value for name, value in got.headers.items() if name not in varying} == {
        name: value for name, value in head.headers.items() if name not in varying
    }


def test_head_of_what_is_refused(anonymous: httpx.Client, api: httpx.Client) -> None:
    """HEAD is refused as GET is; looking whether a connect link is there doesn't open it, as the first browser does."""
    assert [401, 404] == [anonymous.head(path).status_code for path in ("/apps", "/nothing")]
    url = api.post("/apps/many/connect_sessions").json()["url"]
    head = anonymous.head(url)

    assert (405, "GET, OPTIONS, POST") == (head.status_code, head.headers["allow"])
    assert 200 == anonymous.get(url).status_code


def test_what_the_browser_has_is_not_sent_again(api: httpx.Client) -> None:
    """ETags match in lists and where a proxy made them weak; another one, or what is none, matches nothing."""
    etag = api.get(ICONS).headers["etag"]
    for known in ("{}", "W/{}", '"other", W/{}', '"other",{} , "third"', "*"):
        assert 304 == api.get(ICONS, headers={"If-None-Match": known.format(etag)}).status_code, known
    for known in ("", "x", '"other"', 'W/"other"', '"', '"x" y'):
        assert 200 == api.get(ICONS, headers={"If-None-Match": known}).status_code, known
