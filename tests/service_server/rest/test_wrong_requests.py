"""Requests that nobody means: each is told at its place in the one envelope, and none is a failure of the service."""

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from service_client.models import CONVERTER, ErrorEnvelope

pytestmark = pytest.mark.slow

Refusal = tuple[int, str, str | None]
JSON, FORM = ({"Content-Type": f"application/{kind}"} for kind in ("json", "x-www-form-urlencoded"))
PREDICT = "/functions?predict_function=true"
TOKENS, SESSIONS = "/session_tokens", "/apps/many/connect_sessions"

READ: dict[str, Refusal] = {
    "/nothing/here": (404, "not_found", None),
    "/apps/nothing": (404, "unknown_app", None),
    "/connect_sessions/none": (404, "unknown_connect_session", None),
    "/files/none": (404, "unknown_file", None),
    "/functions/nope-nothing": (404, "unknown_function", None),
    "/functions?app=nope": (404, "unknown_app", "app"),
    "/functions?app=null": (404, "unknown_app", "app"),  # for texts it is a word like any other
    "/functions?app=" + "x" * 4001: (400, "format", "app"),
    "/functions?app=many&app=github": (400, "type", "app"),
    "/functions?type=bad": (400, "enum", "type"),
    "/functions?type=null": (400, "enum", "type"),
    "/functions?type=query&type=query": (400, "type", "type"),
    "/functions?include=bad": (400, "enum", "include"),
    "/functions?include=null": (400, "enum", "include"),
    "/functions?connected_only=perhaps": (400, "type", "connected_only"),
    "/functions?connected_only=null": (400, "type", "connected_only"),
    "/functions?connected_only=true&connected_only=false": (400, "type", "connected_only"),
    "/functions?connected_account_id=0": (400, "format", "connected_account_id"),
    f"/functions?connected_account_id={2**53}": (400, "format", "connected_account_id"),
    "/functions?predict_function=null": (400, "type", "predict_function"),
    PREDICT: (400, "prompt_required", "prompt"),
    f"{PREDICT}&prompt=%20": (400, "prompt_required", "prompt"),
    f"{PREDICT}&prompt={'x' * 4001}": (400, "prompt_too_long", "prompt"),
    "/functions?predict_arguments=true&prompt=x": (400, "predict_function_required", "predict_arguments"),
    "/functions/sandbox-create-ticket?predict_arguments=true": (400, "prompt_required", "prompt"),
    "/apps?cursor=forged": (400, "bad_cursor", "cursor"),
    "/apps?cursor=" + "x" * 2001: (400, "format", "cursor"),
    **{
        f"/connect_sessions/x?wait={wait}": (400, "format", "wait")
        for wait in ("3.6e16", "25.001", "26", "-1", "inf", "-inf", "nan", "NaN", "-nan")
    },
}
BODIES: list[tuple[str, dict[str, Any], str, str]] = [
    (TOKENS, {"expires_in": 0}, "format", "expires_in"),
    (TOKENS, {"expires_in": 86_401}, "format", "expires_in"),
    (TOKENS, {"apps": ["x"] * 501}, "format", "apps"),
    (TOKENS, {"apps": ["sandbox", "Not-an-app"]}, "format", "apps[1]"),
    (TOKENS, {"functions": ["a-" + "b" * 63]}, "format", "functions[0]"),
    (TOKENS, {"origin": "https://x.example/" + "p" * 300}, "format", "origin"),
    (SESSIONS, {"connected_account_id": 0}, "format", "connected_account_id"),
    (SESSIONS, {"connected_account_id": 2**53}, "format", "connected_account_id"),
    (SESSIONS, {"redirect_url": "ftp://x.example"}, "format", "redirect_url"),
    (TOKENS, {"apps": ["sandbox", "nope"]}, "unknown_app", "apps[1]"),
    (TOKENS, {"functions": ["nope-x"]}, "unknown_function", "functions[0]"),
    (TOKENS, {"unknown": "x"}, "unknown_parameter", "unknown"),
    (SESSIONS, {"unknown": "x"}, "unknown_parameter", "unknown"),
]
MALFORMED = {
    "nested deeply": b'{"functions": ' + b"[" * 400 + b"]" * 400 + b"}",
    "nested very deeply": b'{"functions": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "a number beyond every float": b'{"expires_in": 1e400}',
    "a whole number of thousands of digits": b'{"expires_in": 1' + b"0" * 5000 + b"}",
    "NaN": b'{"expires_in": NaN}',
    "not UTF-8": b'{"origin": "\xff"}',
    "half a surrogate pair": b'{"origin": "\\uD800"}',
    "UTF-16": '{"origin": "x"}'.encode("utf-16"),
    "nothing but a brace": b"{",
}
UNREADABLE: dict[str, tuple[Mapping[str, str], bytes, str]] = {
    "thousands of digits": (FORM, b"expires_in=" + b"9" * 5000, "expires_in is not valid JSON"),
    "thousands of digits in a text": (
        JSON,
        b'{"expires_in": "' + b"9" * 5000 + b'"}',
        "expires_in must be a whole number",
    ),
    "a leading zero": (FORM, b"expires_in=007", "expires_in must be a number"),
    "digits of another script": (
        FORM,
        "expires_in=\N{ARABIC-INDIC DIGIT THREE}".encode(),
        "expires_in must be a number",
    ),
    "beyond every float": (FORM, b"expires_in=1e400", "expires_in is not valid JSON"),
    "NaN in JSON": (FORM, b"apps=[NaN]", "apps is not valid JSON"),
    "half a surrogate pair in JSON": (FORM, b'apps=["%5Cud800"]', "apps is not valid JSON"),
    "deep JSON": (FORM, b"apps=" + b"[" * 400 + b"]" * 400, "apps is not valid JSON"),
}


def refusal(answer: httpx.Response) -> Refusal:
    """Status, code and field of the one problem that an answer tells, with every key of the envelope."""
    body = answer.json()
    (detail,) = CONVERTER.structure(body, ErrorEnvelope).error_details
    assert ({"error", "error_details", "request_id"}, {"field", "code", "message", "action"}) == (
        set(body),
        set(body["error_details"][0]),
    )
    assert answer.headers["request-id"] == body["request_id"]
    assert "application/json" == answer.headers["content-type"].partition(";")[0]
    return answer.status_code, detail.code, detail.field


@pytest.mark.parametrize("path", READ)
def test_a_query_is_never_guessed(api: httpx.Client, path: str) -> None:
    """What is unknown, over a limit, given twice, null or none of the choices is refused at its parameter."""
    assert READ[path] == refusal(api.get(path))


def test_what_no_endpoint_reads_is_ignored(api: httpx.Client) -> None:
    """Twice as well."""
    assert 200 == api.get("/apps?utm=1&utm=2&other=null").status_code


@pytest.mark.parametrize(("path", "body", "code", "field"), BODIES)
def test_a_body_keeps_to_its_description(
    api: httpx.Client, path: str, body: dict[str, Any], code: str, field: str
) -> None:
    """What is over a limit or unknown is refused at its place, in JSON, also as null, and in a form."""
    form = {f"{name}[]" if isinstance(value, list) else name: value for name, value in body.items()}
    status = 404 if code in ("unknown_app", "unknown_function") else 400
    assert (status, code, field) == refusal(api.post(path, json=body)) == refusal(api.post(path, data=form))
    if code == "unknown_parameter":
        for name in ("", "connected_account_id\0"):
            assert (400, code, name) == refusal(api.post(path, json={name: None}))


@pytest.mark.parametrize("name", MALFORMED)
def test_a_body_that_is_not_proper_json_is_malformed(api: httpx.Client, name: str) -> None:
    """What could not be passed on as JSON is refused as a whole, before anyone walks through it."""
    assert (400, "malformed_body", None) == refusal(api.post(TOKENS, content=MALFORMED[name], headers=JSON))


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_value_that_cannot_be_read_is_a_problem_of_its_field(api: httpx.Client, name: str) -> None:
    """The message is ours, in plain words, without those of a parser."""
    headers, body, message = UNREADABLE[name]
    answer = api.post(TOKENS, content=body, headers=headers)

    assert (400, "type", message.partition(" ")[0]) == refusal(answer)
    assert message == answer.json()["error_details"][0]["message"]


@pytest.mark.parametrize("number", [0, 2**53])
def test_a_number_in_a_path_that_no_account_has(api: httpx.Client, number: int) -> None:
    """The refusal says that it stands in the path."""
    answer = api.delete(f"/apps/many/connected_accounts/{number}")

    assert (400, "format", "connected_account_id") == refusal(answer)
    assert "The path is not valid." == answer.json()["error"]
    assert "The path parameter " in answer.json()["error_details"][0]["message"]


def test_other_wrong_requests(api: httpx.Client, anonymous: httpx.Client) -> None:
    """Methods, media types, sizes and credentials are told in the same form; a call names one account by its number."""
    too_many = b'{"functions": [' + b",".join([b"[]"] * 300_000) + b"]}"  # few bytes, and everybody would wait
    for answer, expected in (
        (api.patch("/apps"), (405, "method_not_allowed", None)),
        (anonymous.get("/apps"), (401, "unauthenticated", None)),
        (api.post("/functions/many-nothing"), (404, "unknown_function", None)),
        (api.post("/functions/many-read-000"), (400, "not_connected", None)),
        *(
            (
                api.post(f"/functions/many-read-000?connected_account_id={account}"),
                (400, "type", "connected_account_id"),
            )
            for account in ("1&connected_account_id=2", "null")
        ),
        (api.post(TOKENS, content=b"<a/>"), (415, "unsupported_media_type", None)),
        (api.post(TOKENS, content=b" " * 1_100_000), (413, "body_too_large", None)),
        (api.post(TOKENS, content=too_many, headers=JSON), (413, "body_too_large", None)),
    ):
        assert expected == refusal(answer), answer.request.url
    malformed = api.post(TOKENS, content=b'{\n "a" 1}', headers=JSON)
    assert "The body is not valid JSON at line 2, column 6." == malformed.json()["error"]
