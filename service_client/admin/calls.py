"""The log of what was called, and of what was refused."""

from typing import Literal

from service_client.admin.lists import pages
from service_client.models.administration import Call, Calls, Refusal, Refusals, ReplayedCall
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "calls")


class _Calls:
    @listed
    def list(
        self,
        *,
        application: int | None = None,
        user: str | None = None,
        app: str | None = None,
        function: str | None = None,
        outcome: str | None = None,
        code: str | None = None,
        since: str | None = None,
        until: str | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[Call]]:
        """
        List executed calls, newest first, without their arguments and outputs.

        `outcome` is succeeded, failed, unknown or started, `code` a class such as 5xx. `since` and `until` are moments
        such as 2026-11-23T08:30 (UTC), or a time ago such as 24h.
        """
        query = {
            "application": application,
            "user": user,
            "app": app,
            "function": function,
            "outcome": outcome,
            "code": code,
            "since": since,
            "until": until,
            "request_id": request_id,
            "limit": limit,
        }
        return pages(("calls",), Calls, query, cursor, timeout)

    @operation
    def get(self, id: str, *, timeout: float | None = None) -> Plan[Call]:
        """Fetch one call, with its arguments and output if the key may see them."""
        response = yield Request("GET", (*_PATH, id), timeout=timeout)
        return read(response, Call)

    @operation
    def replay(self, id: str, *, confirmed: bool = False, timeout: float | None = None) -> Plan[ReplayedCall]:
        """
        Run a call once more, for the same user and account; what may change something only if it is `confirmed`.

        `get` with the new call's id says what came of it. It is sent once: after a timeout look into the log.
        """
        response = yield Request("POST", (*_PATH, id, "replay"), body={"confirmed": confirmed}, timeout=timeout)
        return read(response, ReplayedCall)

    @operation
    def export(
        self,
        *,
        format: Literal["jsonl", "csv"] = "jsonl",
        contents: bool = False,
        application: int | None = None,
        user: str | None = None,
        app: str | None = None,
        function: str | None = None,
        outcome: str | None = None,
        code: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout: float | None = None,
    ) -> Plan[bytes]:
        """
        Fetch all calls that match `list`'s filters as a file; with `contents`, their arguments and outputs as well.

        The file is held in memory: export a long log by parts of time, or fetch `/admin/calls/export` with curl.
        """
        query = {
            "format": format,
            "contents": contents,
            "application": application,
            "user": user,
            "app": app,
            "function": function,
            "outcome": outcome,
            "code": code,
            "since": since,
            "until": until,
        }
        response = yield Request("GET", (*_PATH, "export"), query=query, timeout=timeout)
        return response.content

    @listed
    def refused(
        self,
        *,
        application: int | None = None,
        user: str | None = None,
        function: str | None = None,
        code: str | None = None,
        since: str | None = None,
        until: str | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[Refusal]]:
        """List calls that were refused before anything was sent, newest first; `code` is that of the error."""
        query = {
            "application": application,
            "user": user,
            "function": function,
            "code": code,
            "since": since,
            "until": until,
            "request_id": request_id,
            "limit": limit,
        }
        return pages(("refusals",), Refusals, query, cursor, timeout)


class AdminCalls(_Calls, SyncResource):
    """The log of calls."""


class AsyncAdminCalls(_Calls, AsyncResource):
    """The log of calls."""
