"""
Asking the user something in the middle of a call, in each way that the protocol has had for it.

Since 2026-07-28 an answer says what is needed. The client then sends the request again, with the user's reply and a
sealed text that says what was asked. In earlier versions the server asks over a connection that stays open. Standard
input and output have one, our HTTP does not: there a link goes out as the protocol's error for that, and nothing else
can be asked.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

Reply = Literal["accept", "decline", "cancel"]
_CONFIRM, _CONNECT = "confirm", "connect"
_NOTHING_TO_FILL_IN: dict[str, Any] = {"type": "object", "properties": {}}


class InputNeeded(Exception):
    """The user has to be asked first; `result` is what the client gets instead of the tool's."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("input needed")
        self.result = result


class Conversation:
    """One call of a tool, and what its client can ask the user."""

    def __init__(
        self,
        context: ServerRequestContext[Any, Any],
        parameters: types.CallToolRequestParams,
        abilities: Mapping[str, Any] | None,
    ) -> None:
        self._context = context
        self._replies = parameters.input_responses or {}
        self._asked: dict[str, Any] = json.loads(parameters.request_state) if parameters.request_state else {}
        self._is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._elicitation = _elicitation(context, abilities)

    @property
    def can_confirm(self) -> bool:
        """Whether the user can be asked for a yes or no."""
        known = self._elicitation
        has_forms = known is not None and (known.form is not None or known.url is None)
        return has_forms and (self._is_modern or self._context.session.can_send_request)

    @property
    def can_open_links(self) -> bool:
        """Whether the client shows the user a link to open."""
        return self._elicitation is not None and self._elicitation.url is not None

    async def confirm(self, message: str, about: dict[str, Any]) -> tuple[Reply, dict[str, Any]]:
        """
        Ask whether to go on; return the reply, and the `about` that it belongs to.

        If the request comes again with the reply, that is the `about` kept with the question. It counts only if the
        account in it is still the one that would be used.
        """
        if not self._is_modern:
            answer = await self._context.session.elicit_form(
                message, _NOTHING_TO_FILL_IN, related_request_id=self._context.request_id
            )
            return answer.action, about
        kept: dict[str, Any] = self._asked.get(_CONFIRM, {})
        reply = self._reply(_CONFIRM)
        if reply is not None and kept.get("account") == about["account"]:
            return reply, kept
        form = types.ElicitRequestFormParams(message=message, requested_schema=_NOTHING_TO_FILL_IN)
        raise _needed(_CONFIRM, form, about)

    @property
    def connecting(self) -> str | None:
        """The connect session whose link the user was given before this request and has agreed to open."""
        session_id: str | None = self._asked.get(_CONNECT)
        return session_id if session_id is not None and self._reply(_CONNECT) == "accept" else None

    @property
    def declined_connecting(self) -> str | None:
        """The connect session whose link the user was given before this request and does not want to open."""
        session_id: str | None = self._asked.get(_CONNECT)
        return session_id if self._reply(_CONNECT) in ("decline", "cancel") else None

    async def open_link(self, message: str, url: str, session_id: str) -> Reply:
        """Have the user open a link; return whether they agreed to, where that is known before the request ends."""
        link = types.ElicitRequestURLParams(message=message, url=url, elicitation_id=session_id)
        if self._is_modern:
            raise _needed(_CONNECT, link.model_copy(update={"elicitation_id": None}), session_id)
        if not self._context.session.can_send_request:
            raise UrlElicitationRequiredError([link], message)
        answer = await self._context.session.elicit_url(
            message, url, session_id, related_request_id=self._context.request_id
        )
        return answer.action

    async def report(self, seconds: float, message: str) -> None:
        """Tell the client that work goes on, if it wants to know."""
        await self._context.session.report_progress(seconds, None, message)

    def _reply(self, name: str) -> Reply | None:
        reply = self._replies.get(name)
        return reply.action if isinstance(reply, types.ElicitResult) else None


def _needed(name: str, asked: types.ElicitRequestParams, about: Any) -> InputNeeded:
    return InputNeeded(
        types.InputRequiredResult(
            input_requests={name: types.ElicitRequest(params=asked)}, request_state=json.dumps({name: about})
        )
    )


def _elicitation(
    context: ServerRequestContext[Any, Any], abilities: Mapping[str, Any] | None
) -> types.ElicitationCapability | None:
    told = context.session.client_capabilities
    if told is not None:
        return told.elicitation
    return types.ClientCapabilities.model_validate(abilities).elicitation if abilities is not None else None
