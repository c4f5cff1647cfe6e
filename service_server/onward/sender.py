"""Sends requests to third-party apps: checks where they lead, follows redirects, and tells sent from not sent."""

import asyncio
import copy
from collections.abc import Container
from types import TracebackType
from typing import Self

import structlog

from service_server.onward.exchange import Exchanger, NoAnswer
from service_server.onward.headers import SAFE_METHODS, check_request
from service_server.onward.lookup import Lookup, NameServers
from service_server.onward.redirect import following_request
from service_server.onward.resolver import Errand, Resolver
from service_server.onward.settings import OnwardSettings
from service_server.onward.target import Target, parse_target
from service_server.onward.values import (
    HostNotAllowed,
    HostRules,
    Interrupted,
    InvalidRequest,
    NotSent,
    OnwardRequest,
    OnwardResponse,
    Outcome,
    Pour,
    Unanswered,
    Unsent,
)

_ADDRESSES_TRIED = 3

_LOG = structlog.get_logger(__name__)


class Sender:
    """
    The way out to third-party apps, one per process, used as an async context manager.

    `lookup` finds the addresses of a name; by default the system's name servers, unless a test brings its own.
    """

    def __init__(self, settings: OnwardSettings, *, lookup: Lookup | None = None) -> None:
        self._settings = settings
        self._name_servers = NameServers()
        self._resolver = Resolver(settings.allow_hosts, settings.connect_timeout_seconds, lookup or self._name_servers)
        self._exchanger = Exchanger(settings)
        self._errand = Errand()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._resolver.close()
        await self._name_servers.close()
        await self._exchanger.close()

    def on_behalf_of(self, app_name: str, application_id: int, user_id: str) -> Self:
        """
        Return a sender for one user and one app.

        Hosts that the operator allowed only for this app are open only there, and slow look-ups count against this
        user.
        """
        bound = copy.copy(self)
        bound._errand = Errand(app_name, (application_id, user_id))
        return bound

    async def send(
        self,
        request: OnwardRequest,
        rules: HostRules,
        *,
        timeout_seconds: float | None = None,
        secret_headers: Container[str] = (),
        pour: Pour | None = None,
    ) -> Outcome:
        """
        Send a request and tell what came of it: the app's whole answer whatever its status, or why there is none.

        Redirects are followed if that repeats nothing that changes data (`redirect.following_request`). Each is checked
        like the first URL; if it leads where nothing may be sent, or nobody answers, it is itself the app's answer.
        `secret_headers` (lower-case names) never leave the first server; nor do headers that aren't known to be
        harmless. What `pour` makes of the body of a 2xx replaces the body in the answer.
        """
        seconds = self._settings.timeout_seconds if timeout_seconds is None else timeout_seconds
        deadline = asyncio.get_running_loop().time() + seconds
        outcome = await self._send_once(request, rules, deadline, pour)
        if not isinstance(outcome, OnwardResponse):
            return outcome
        return await self._followed(request, outcome, rules, deadline, secret_headers, pour)

    async def fetch(
        self,
        request: OnwardRequest,
        rules: HostRules,
        *,
        timeout_seconds: float | None = None,
        secret_headers: Container[str] = (),
    ) -> OnwardResponse:
        """
        Send a request as `send` does, for callers that count anything but a whole answer as a failure.

        Raises:
            NotSent: nothing left this machine (InvalidRequest: and never will).
            HostNotAllowed: the URL leads outside `rules`, or to an address that is not public.
            Interrupted: sent, or perhaps sent, without a whole answer within the limits of time and size.
        """
        outcome = await self.send(request, rules, timeout_seconds=timeout_seconds, secret_headers=secret_headers)
        if isinstance(outcome, OnwardResponse):
            return outcome
        if isinstance(outcome, Unanswered):
            raise Interrupted(outcome.kind, outcome.reason)
        kinds = {"unreachable": NotSent, "invalid": InvalidRequest, "not_allowed": HostNotAllowed}
        raise kinds[outcome.kind](outcome.reason)

    async def _followed(
        self,
        request: OnwardRequest,
        response: OnwardResponse,
        rules: HostRules,
        deadline: float,
        secret_headers: Container[str],
        pour: Pour | None,
    ) -> OnwardResponse | Unanswered:
        """Follow redirects as long as there are any: what was sent counts, whatever becomes of the rest."""
        changing = request.changing or request.method not in SAFE_METHODS
        for _ in range(self._settings.max_redirects):
            following = following_request(request, response, secret_headers)
            if following is None:
                return response
            outcome = await self._send_once(following, rules, deadline, pour)
            if isinstance(outcome, OnwardResponse):
                request, response = following, outcome
            elif isinstance(outcome, Unsent) or changing:
                return response  # the app's own answer to what was sent; a read without an answer changed nothing
            else:
                return outcome
        if changing or following_request(request, response, secret_headers) is None:
            return response
        return Unanswered("broken_off", f"the app redirected more than {self._settings.max_redirects} times")

    async def _send_once(self, request: OnwardRequest, rules: HostRules, deadline: float, pour: Pour | None) -> Outcome:
        try:
            return await self._deliver(request, rules, deadline, pour)
        except InvalidRequest as problem:
            return Unsent("invalid", problem.reason)
        except NotSent as failure:
            return Unsent("unreachable", failure.reason)
        except HostNotAllowed as problem:
            return Unsent("not_allowed", problem.reason)
        except Interrupted as interruption:
            return Unanswered(interruption.kind, interruption.reason)
        except Exception as defect:
            # Nobody can tell whether it was sent. Leave the message out: the URL in it may hold a credential.
            _LOG.error("onward.failed", error=type(defect).__name__)
            return Unanswered("broken_off", "sending the request failed in an unknown way")

    async def _deliver(
        self, request: OnwardRequest, rules: HostRules, deadline: float, pour: Pour | None
    ) -> OnwardResponse:
        check_request(request)
        target = _check_host(request.url, rules)
        addresses = await self._resolver.addresses(target, self._errand)
        try:
            return await self._try_addresses(request, target, addresses, deadline, pour)
        except NoAnswer as no_answer:
            # Usually a kept connection that the app closed at the same moment. Only a request that changes nothing is
            # sent again: for any other, nobody can tell whether it was carried out.
            if request.changing or request.method not in SAFE_METHODS:
                raise
            first_failure = no_answer
        try:
            return await self._try_addresses(request, target, addresses, deadline, pour)
        except NotSent:
            raise first_failure from None

    async def _try_addresses(
        self,
        request: OnwardRequest,
        target: Target,
        addresses: tuple[str, ...],
        deadline: float,
        pour: Pour | None,
    ) -> OnwardResponse:
        failure = NotSent("the time for this call was over before it could be sent")
        for address in addresses[:_ADDRESSES_TRIED]:
            seconds_left = deadline - asyncio.get_running_loop().time()
            if seconds_left <= 0:
                break
            try:
                return await self._exchanger.exchange(request, target, address, seconds_left, pour)
            except NotSent as not_sent:
                failure = not_sent
        raise failure


def _check_host(url: str, rules: HostRules) -> Target:
    try:
        target = parse_target(url)
    except ValueError as error:
        raise HostNotAllowed(str(error)) from None
    if not rules.allows_target(target):
        raise HostNotAllowed(f"{target.scheme}://{target.host}:{target.port} is not among the app's hosts")
    return target
