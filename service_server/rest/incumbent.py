"""
The paths of the Integry API, so that an application moves here by a change of its base address.

Each stands for a route of the service: the request is turned into one of that route and handed on, so that credentials,
limits, checks and the log are that route's own, and the names in its answer are turned back. `incumbent_routes.py` is
what `/openapi.json` says of them. docs/moving.md tells what differs.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from attrs import frozen
from litestar.status_codes import HTTP_200_OK

from service_client.models import Action, Code
from service_server.errors import failure, refused
from service_server.invoke import FormBody
from service_server.rest.authentication import Authenticator
from service_server.rest.bodies import CallerGone, parse_body, receive_body, received_again
from service_server.rest.envelope import told
from service_server.rest.incumbent_routes import CURSOR, FIELDS, VARIABLES
from service_server.rest.wire import encode, send_failure
from service_server.service import Service

_PATH = re.compile(
    # The client's `call_sync` writes two slashes.
    r"//?(?P<resource>apps|functions)/(?:(?P<list>list)|(?P<predict>predict)|(?P<name>[^/]+)/(?P<verb>get|call))/?"
)
_LAST_CURSOR = re.compile(rb'"[^"\\]*"}')
_TYPES = {"ACTION": "mutation", "QUERY": "query"}


@frozen
class IncumbentPaths:
    """Answers Integry's paths by the service's own, and hands everything else on as it is."""

    application: Callable[[Any, Any, Any], Awaitable[None]]
    service: Service
    authenticator: Authenticator

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if match is None or (match["resource"] == "apps" and (match["predict"] or match["verb"] == "call")):
            await self.application(scope, receive, send)
            return
        try:
            await self.authenticator.caller(scope["headers"])  # before a stranger's body is read
            headers = dict(scope["headers"])
            body = await receive_body(headers, receive, self.service.settings.max_body_bytes)
            values = _values(body, headers.get(b"content-type", b"").decode("latin-1"))
            rewritten, content = self._rewritten(scope, match, values)
        except CallerGone:
            return
        except Exception as error:
            await send_failure(send, told(error, scope), scope["state"]["request_id"])
            return
        await self.application(rewritten, received_again(content, receive), self._renaming(match, send))

    def _rewritten(self, scope: Any, match: re.Match[str], values: dict[str, Any]) -> tuple[Any, bytes]:
        verb = match["list"] or match["predict"] or match["verb"]
        _check_variables(values.pop(VARIABLES, None))
        # The client's `get` writes two question marks.
        query = parse_qsl(scope["query_string"].decode("latin-1").lstrip("?"), keep_blank_values=True)
        path, method, content = f"/{match['resource']}", "GET", b""
        if match["name"]:
            path += f"/{match['name']}"
        if verb == "call":
            method, content = "POST", encode(self._arguments(match["name"], values))
            query = [pair for pair in query if pair[0] != "include"]  # `include` means nothing in a call
        else:
            allowed = FIELDS[verb] if match["resource"] == "functions" or verb == "list" else {}
            query = [(name, _TYPES.get(text, text) if name == "type" else text) for name, text in query]
            query += _asked(verb, values, allowed)
        headers = [pair for pair in scope["headers"] if pair[0] not in (b"content-type", b"content-length")]
        if verb == "call":
            headers += [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        rewritten = {
            **scope,
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": urlencode(query).encode("latin-1"),
            "headers": headers,
        }
        return rewritten, content

    def _arguments(self, function_name: str, values: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call; the client sends an argument named `cursor` a second time, as `_cursor`."""
        function = self.service.catalog.function(function_name)
        takes_cursor = function is not None and "cursor" in function.parameters["properties"]
        if CURSOR not in values:
            return values
        cursor = values.pop(CURSOR)
        if takes_cursor and values.get("cursor") == cursor:
            return values
        if not takes_cursor and values.get("cursor") == cursor:
            values.pop("cursor", None)
        return {**values, "next_page": cursor}

    def _renaming(self, match: re.Match[str], send: Any) -> Callable[[Any], Awaitable[None]]:
        """Send an answer in Integry's names, once the whole of it is there."""
        start: dict[str, Any] = {}
        content = bytearray()

        async def send_renamed(message: Any) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            content.extend(message.get("body", b""))
            if message.get("more_body", False):
                return
            answer = self._renamed(match, start["status"], bytes(content))
            kept = [pair for pair in start.get("headers", ()) if pair[0].lower() != b"content-length"]
            await send({**start, "headers": [*kept, (b"content-length", str(len(answer)).encode())]})
            await send({"type": "http.response.body", "body": answer})

        return send_renamed

    def _renamed(self, match: re.Match[str], status: int, content: bytes) -> bytes:
        if status == 404:  # the client looks for this one
            envelope = json.loads(content)
            return encode({**envelope, "detail": envelope["error"]})
        if status != HTTP_200_OK:
            return content
        if match["verb"] == "call":
            return _renamed_result(content)
        answer: dict[str, Any] = json.loads(content)
        told_as = self._app if match["resource"] == "apps" else self._function
        if match["verb"] == "get":
            return encode(told_as(answer))
        # The client takes only null as the end of a list.
        return encode(
            {
                match["resource"]: [told_as(each) for each in answer[match["resource"]]],
                CURSOR: answer["cursor"] or None,
            }
        )

    def _app(self, app: dict[str, Any]) -> dict[str, Any]:
        return {**app, "login_url": "", "allow_multiple_connected_accounts": True}

    def _function(self, function: dict[str, Any]) -> dict[str, Any]:
        """A function; one that paginates tells so among its parameters, by which tools for models are made."""
        known = self.service.catalog.function(function["name"])
        if known is not None and known.pagination is not None:
            parameters = function["parameters"]
            cursor = {"type": "string", "description": "Where the next page begins: the cursor of the page before."}
            function = {
                **function,
                "parameters": {**parameters, "properties": {**parameters["properties"], CURSOR: cursor}},
            }
        return {name: value for name, value in function.items() if value is not None}


def _renamed_result(content: bytes) -> bytes:
    """
    A result of ours with its last key under Integry's name; the output before it, maybe megabytes, is not read.

    A `next_page` within the output is followed by more than one brace.
    """
    before, _, cursor = content.rpartition(b',"next_page":')
    return b"".join((before, b',"_cursor":', cursor)) if _LAST_CURSOR.fullmatch(cursor) else content


def _values(body: bytes, content_type: str) -> dict[str, Any]:
    parsed = parse_body(body, content_type)
    if isinstance(parsed, FormBody):
        raise failure(
            415, Code.UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json and name it in Content-Type."
        )
    return dict(parsed.values)


def _check_variables(variables: Any) -> None:
    """Refuse variables that hold something: what was meant to be filled in would stay as it is."""
    if variables:
        raise refused(
            Code.UNKNOWN_PARAMETER,
            "The service keeps no variables. Put their values into the arguments or the prompt.",
            field=VARIABLES,
            action=Action.FIX_FIELD,
        )


def _asked(verb: str, values: Mapping[str, Any], allowed: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the fields of a body are in a query."""
    for name, value in values.items():
        if name not in allowed:
            raise refused(
                Code.UNKNOWN_PARAMETER,
                f"{name[:200]} is not a field of this request",
                field=name[:200],
                action=Action.FIX_FIELD,
            )
        if not isinstance(value, str | None):
            raise refused(Code.TYPE, f"{name} must be a string", field=name, action=Action.FIX_FIELD)
        if value is not None and not _is_unicode(value):
            raise refused(Code.MALFORMED_BODY, f"{name} is not Unicode text", field=name, action=Action.FIX_FIELD)
    cursor, prompt = values.get(CURSOR), values.get("prompt")
    if verb == "list":
        return [("cursor", cursor)] if cursor else []
    if verb == "predict":
        return [("predict_function", "true"), *([] if prompt is None else [("prompt", prompt)])]
    return [("predict_arguments", "true"), ("prompt", prompt)] if prompt else []


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
