"""Bodies and queries that no honest client sends: each gets a clear 400, and none a 500."""

from typing import Any

import httpx
import pytest

BODIES = {
    "nested deeply": b'{"functions": ' + b"[" * 400 + b"]" * 400 + b"}",
    "nested very deeply": b'{"functions": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "a number beyond every float": b'{"expires_in": 1e400}',
    "a whole number of thousands of digits": b'{"expires_in": 1' + b"0" * 5000 + b"}",
    "NaN": b'{"expires_in": NaN}',
    "not UTF-8": b'{"origin": "\xff"}',
    "half a surrogate pair": b'{"origin": "\\uD800"}',
    "UTF-16": '{"origin": "x"}'.encode("utf-16"),
}
FORMS = {
    "thousands of digits": (b"expires_in=" + b"9" * 5000, "expires_in"),
    "thousands of digits in a text of JSON": (b'{"expires_in": "' + b"9" * 5000 + b'"}', "expires_in"),
    "a leading zero": (b"expires_in=007", "expires_in"),
    "digits of another script": ("expires_in=\N{ARABIC-INDIC DIGIT THREE}".encode(), "expires_in"),
    "beyond every float": (b"expires_in=1e400", "expires_in"),
    "NaN in JSON": (b"apps=[NaN]", "apps"),
    "half a surrogate pair in JSON": (b'apps=["%5Cud800"]', "apps"),
    "deep JSON": (b"apps=" + b"[" * 400 + b"]" * 400, "apps"),
}


def _detail(response: httpx.Response) -> dict[str, Any]:
    assert 400 == response.status_code, response.text
    (detail,) = response.json()["error_details"]
    return dict(detail)


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_not_proper_json_is_malformed(api: httpx.Client, name: str) -> None:
    """What could not be passed on as JSON is refused as a whole, before anyone walks through it."""
    response = api.post("/session_tokens", content=BODIES[name], headers={"Content-Type": "application/json"})

    assert "malformed_body" == _detail(response)["code"]


def test_a_body_of_too_many_values_is_too_large(api: httpx.Client) -> None:
    """However few bytes they take: reading them would keep everybody waiting. One that is no JSON is told where."""
    body = b'{"functions": [' + b",".join([b"[]"] * 300_000) + b"]}"
    headers = {"Content-Type": "application/json"}
    response = api.post("/session_tokens", content=body, headers=headers)
    malformed = api.post("/session_tokens", content=b'{\n "a" 1}', headers=headers)

    assert (413, "body_too_large") == (response.status_code, response.json()["error_details"][0]["code"])
    assert "The body is not valid JSON at line 2, column 6." == malformed.json()["error"]


@pytest.mark.parametrize("name", FORMS)
def test_a_form_value_that_cannot_be_read_is_a_problem_of_its_field(api: httpx.Client, name: str) -> None:
    """The message is ours, in plain words, without those of a parser."""
    body, field = FORMS[name]
    kind = "json" if body.startswith(b"{") else "x-www-form-urlencoded"
    headers = {"Content-Type": f"application/{kind}"}
    detail = _detail(api.post("/session_tokens", content=body, headers=headers))

    assert ("type", field) == (detail["code"], detail["field"])
    said = ("must be a number", "must be a whole number", "is not valid JSON")
    assert detail["message"] in [f"{field} {each}" for each in said]


def test_waiting_too_long(api: httpx.Client) -> None:
    """A wait outside of what is described, or that is no number, is refused at once, and not taken for another one."""
    session = api.post("/apps/many/connect_sessions", json={}).json()
    for wait in ("3.6e16", "25.001", "26", "-1", "inf", "-inf", "nan", "NaN", "-nan"):
        detail = _detail(api.get(f"/connect_sessions/{session['id']}", params={"wait": wait}))

        assert ("format", "wait") == (detail["code"], detail["field"]), wait


@pytest.mark.parametrize("path", ["/apps/many/connect_sessions", "/session_tokens"])
@pytest.mark.parametrize("name", ["", "unknown", "connected_account_id\u0000"])
def test_an_unknown_key_is_refused_with_any_value(api: httpx.Client, path: str, name: str) -> None:
    """A body holds what is described and nothing else, not even as null."""
    for value in (None, 1, "x"):
        detail = _detail(api.post(path, json={name: value}))

        assert ("unknown_parameter", name) == (detail["code"], detail["field"])
