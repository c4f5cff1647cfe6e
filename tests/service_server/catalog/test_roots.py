"""What the reference says of roots is what the check holds connectors to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs.site.connector_format import MEANINGS
from service_server.catalog.templates import ROOTS_AT
from tests.service_server.catalog.connector_folder import ConnectorFolder, parameter

FIELDS: dict[str, dict[str, Any]] = {
    "key": {"title": "Key"},
    "client_id": {"title": "I", "secret": False},
    "client_secret": {"title": "S"},
}
BEARER = {"header": {"Authorization": "Bearer x"}}
OAUTH = {"authorize_url": "https://h/a", "token_url": "https://h/t", "inject": BEARER}
WAYS: dict[str, dict[str, Any]] = {
    "api_key": {"fields": FIELDS, "inject": BEARER},
    "oauth2_code": OAUTH,
    "oauth2_client_credentials": {"token_url": "https://h/t", "fields": FIELDS, "inject": BEARER},
    "basic": {"fields": FIELDS, "username": "x", "password": "x"},
    "jwt": {"fields": FIELDS, "algorithm": "HS256", "key": "x", "claims": {}, "inject": BEARER},
    "token_exchange": {
        "fields": FIELDS,
        "login": {"post": "/login"},
        "token": {"access_token": "body.token", "refresh_token": "body.next"},
        "inject": BEARER,
    },
}
KEY = [{"id": "a", "type": "api_key", "title": "A", **WAYS["api_key"]}]
VALUES = {
    "args": "${args.a}",
    "prepared": "${prepared.a}",
    "lookup": "${lookup.a}",
    "before": "${before.a}",
    "vars": "${vars.v}",
    "creds": "${creds.client_id}",
    "token": "${token.access_token}",
    "test": "${test.id}",
    "output": "${output.id}",
}


def way(kind: str, key: str, wrap: Callable[[str], Any] = str) -> Callable[[ConnectorFolder, str], None]:
    """Put an expression into a way of signing in."""

    def put(folder: ConnectorFolder, text: str) -> None:
        folder.connector["auth"] = [{"id": "a", "type": kind, "title": "A", **WAYS[kind], key: wrap(text)}]

    return put


def connector(**keys: Any) -> Callable[[ConnectorFolder, str], None]:
    """Put an expression into the connector's file, wherever a value has TEXT."""
    return lambda folder, text: folder.connector.update(_filled(keys, text))


def _filled(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(each, text) for key, each in value.items()}
    return text if value == "TEXT" else value


def function(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into a function's request, with a hook that prepares it and a look-up before it."""
    folder.hooks = "def ready(arguments):\n    return arguments\n"
    declared = {"type": "object", "required": ["a"], "properties": {"a": parameter()}}
    request = {"get": "/things", "query": {"a": "${args.a}", "b": text, "c": "${prepared.a}", "d": "${lookup.a}"}}
    lookup = {"request": {"get": "/first"}, "gives": {"a": "body.id"}}
    folder.functions["find"] |= {"prepare": "ready", "lookup": lookup, "parameters": declared, "request": request}


def requested(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into a function's request; no function has both a look-up and requests before its own."""
    function(folder, text)
    find = folder.functions["find"]
    if text == VALUES["before"] or not any(text == VALUES[root] for root in ROOTS_AT["request"]):
        find["before"] = [{"request": {"post": "/first"}, "gives": {"a": "body.id"}}]
    if text == VALUES["before"]:
        del find["lookup"], find["request"]["query"]["d"]
        find["type"] = "mutation"


def sent_before(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into a request that is sent before a function's own."""
    requested(folder, VALUES["before"])
    find = folder.functions["find"]
    find["before"].append({"request": {"post": "/second", "body": {"a": text}}})


def looked_up(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into the request of a look-up."""
    function(folder, "x")
    folder.functions["find"]["lookup"]["request"]["query"] = {"a": text}


def said(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into what a function says of its outcome."""
    function(folder, "x")
    folder.functions["find"]["examples"] = [{"prompt": "find", "arguments": {"a": "b"}}]
    outcome = {"title": f"Found {text}", "facts": {"ID": "${output.id}"}, "sample": {"id": "t-1"}}
    folder.functions["find"]["outcome"] = outcome


def listed(keyword: str) -> Callable[[ConnectorFolder, str], None]:
    """Put an expression into the arguments of a source function."""

    def put(folder: ConnectorFolder, text: str) -> None:
        other = {"type": "object", "properties": {"q": parameter()}}
        folder.functions["list"] = {**folder.functions["find"], "parameters": other}
        folder.functions["list"]["request"] = {"get": "/things", "query": {"q": "${args.q?}"}}
        source = {"function": "list", "args": {"q": text}}
        source |= {"key": "k"} if keyword == "x-fields" else {"value": "id", "label": "name"}
        kind = "object" if keyword == "x-fields" else "string"
        properties = {"a": parameter(), "b": parameter(kind, **{keyword: source})}
        folder.functions["find"] |= {"parameters": {"type": "object", "required": ["a"], "properties": properties}}
        folder.functions["find"]["request"] = {"post": "/things", "body": {"a": "${args.a}", "b": "${args.b?}"}}

    return put


def injected(text: str) -> dict[str, Any]:
    """Return an `inject` with an expression."""
    return {"header": {"X-Key": text}}


def posted(text: str) -> dict[str, Any]:
    """Return a request with an expression."""
    return {"post": "/x", "body": {"a": text}}


def chosen(folder: ConnectorFolder, text: str) -> None:
    """Put an expression into the call after a sign-in."""
    then = {"request": {"get": "/sites", "query": {"a": text}}, "sets": "site", "value": "id", "label": "name"}
    folder.connector["auth"] = [{**KEY[0], "then": then}]
    folder.connector.setdefault("vars", {})["site"] = {"title": "Site", "set_by": "choice"}


PLACES: dict[str, Callable[[ConnectorFolder, str], None]] = {
    "base_url": lambda folder, text: folder.connector.update(base_url=f"https://{text}.h.example"),
    "headers": connector(headers={"X-A": "TEXT"}),
    "test": connector(auth=KEY, test={"get": "/me", "query": {"a": "TEXT"}}),
    "auth[].base_url": way("api_key", "base_url", "https://{}.h.example".format),
    "auth[].test": way("api_key", "test", lambda text: {"get": "/me", "query": {"a": text}}),
    "auth[].then.request": chosen,
    "account": connector(auth=KEY, test={"get": "/me"}, account={"name": "TEXT"}),
    **{
        f"auth[].{key}": way("oauth2_code", key, "https://{}.h.example/x".format)
        for key in ("authorize_url", "token_url", "revoke_url", "issuer")
    },
    **{
        f"auth[].{key}": way("oauth2_code", key, lambda text: {"a": text})
        for key in ("authorize_parameters", "token_parameters")
    },
    "auth[].scopes.default": way("oauth2_code", "scopes", lambda text: {"default": [text]}),
    "auth[].token_parameters of oauth2_client_credentials": way(
        "oauth2_client_credentials", "token_parameters", lambda text: {"a": text}
    ),
    **{f"auth[].inject of {kind}": way(kind, "inject", injected) for kind in WAYS if kind != "basic"},
    "auth[].username": way("basic", "username"),
    "auth[].password": way("basic", "password"),
    "auth[].key": way("jwt", "key"),
    "auth[].header": way("jwt", "header", lambda text: {"kid": text}),
    "auth[].claims": way("jwt", "claims", lambda text: {"iss": text}),
    "auth[].login": way("token_exchange", "login", posted),
    "auth[].refresh.request": way("token_exchange", "refresh", lambda text: {"request": posted(text)}),
    "auth[].logout": way("token_exchange", "logout", posted),
    "request": requested,
    "lookup.request": looked_up,
    "before[].request": sent_before,
    "outcome": said,
    "x-source.args": listed("x-source"),
    "x-fields.args": listed("x-fields"),
}


def test_every_place_is_tried() -> None:
    """The table has no row that nobody holds connectors to."""
    assert set(ROOTS_AT) == set(PLACES)
    assert set(VALUES) == set(MEANINGS)


@pytest.mark.parametrize("place", PLACES)
def test_roots_are_refused_where_they_can_not_be(place: str, tmp_path: Path) -> None:
    """In each place the roots of the table pass, and each other one is told, with those that are right there."""
    accepted = set()
    for root, text in VALUES.items():
        folder = ConnectorFolder()
        folder.connector["vars"] = {"v": {"title": "V", "set_by": "operator"}}
        PLACES[place](folder, text)
        problems = folder.problems(tmp_path / root)
        if not problems:
            accepted.add(root)
            continue
        said = " ".join(problem.message for problem in problems)
        right = ", ".join(sorted(ROOTS_AT[place])) or "none"
        assert f"'{root}' can't be used here; these can: {right}" in said or "written ${args.name}" in said, said
        assert all(problem.line > 0 and problem.key for problem in problems)

    assert ROOTS_AT[place] == accepted
