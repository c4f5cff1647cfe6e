"""Sends requests to third-party apps: checks where they lead, follows redirects, and tells sent from not sent."""

import asyncio
from collections.abc import Container
from types import TracebackType
from typing import Self

from service_server.onward.exchange import Exchanger, NoAnswer
from service_server.onward.headers import SAFE_METHODS, check_request
from service_server.onward.redirect import following_request
from service_server.onward.resolver import Lookup, Resolver, system_lookup
from service_server.onward.settings import OnwardSettings
from service_server.onward.target import Target, parse_target
from service_server.onward.values import (
    HostNotAllowed,
    HostRules,
    Interrupted,
    NotSent,
    OnwardRequest,
    OnwardResponse,
)

_ADDRESSES_TRIED = 3


class Sender:
    """
    The way out to third-party apps, one per process, used as an async context manager.

    `lookup` finds the addresses of a name; the system's resolver does unless a test brings its own.
    """

    def __init__(self, settings: OnwardSettings, *, lookup: Lookup = system_lookup) -> None:
        self._settings = settings
        self._resolver = Resolver(settings.allow_hosts, settings.connect_timeout_seconds, lookup)
        self._exchanger = Exchanger(settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._exchanger.close()

    async def send(
        self,
        request: OnwardRequest,
        rules: HostRules,
        *,
        timeout_seconds: float | None = None,
        secret_headers: Container[str] = (),
    ) -> OnwardResponse:
        """
        Send a request and give the app's whole answer, whatever its status.

        Redirects are followed where that repeats nothing that changes data (`redirect.following_request`), each
        checked like the first URL. `secret_headers` (lower-case names) never leave the first server; nor do
        headers that aren't known to be harmless.

        Raises:
            NotSent: nothing left this machine (InvalidRequest: and never will).
            HostNotAllowed: the URL or a redirect leads out of `rules`, or to an address that is not public.
            Interrupted: sent, or perhaps sent, without a whole answer within the limits of time and size.
        """
        check_request(request)
        seconds = self._settings.timeout_seconds if timeout_seconds is None else timeout_seconds
        deadline = asyncio.get_running_loop().time() + seconds
        response = await self._send_once(request, rules, deadline)
        changing = request.method not in SAFE_METHODS
        redirects = 0
        try:
            while (following := following_request(request, response, secret_headers)) is not None:
                if redirects == self._settings.max_redirects:
                    raise Interrupted("broken_off", f"the app redirected more than {redirects} times")
                redirects += 1
                request, response = following, await self._send_once(following, rules, deadline)
        except (HostNotAllowed, NotSent) as failure:
            if changing:
                return response  # the redirect itself: what was sent must not look as if nothing had been
            if isinstance(failure, HostNotAllowed):
                raise
            raise Interrupted("broken_off", f"after a redirect: {failure.reason}") from None
        return response

    async def _send_once(self, request: OnwardRequest, rules: HostRules, deadline: float) -> OnwardResponse:
        target = _check_host(request.url, rules)
        addresses = await self._resolver.addresses(target)
        try:
            return await self._try_addresses(request, target, addresses, deadline)
        except NoAnswer as no_answer:
            # Usually a kept connection that the app closed in the same moment. Only what changes nothing is sent
            # again: of anything else nobody can tell whether it was carried out.
            if request.method not in SAFE_METHODS:
                raise
            first_failure = no_answer
        try:
            return await self._try_addresses(request, target, addresses, deadline)
        except NotSent:
            raise first_failure from None

    async def _try_addresses(
        self, request: OnwardRequest, target: Target, addresses: tuple[str, ...], deadline: float
    ) -> OnwardResponse:
        failure = NotSent("the time for this call was over before it could be sent")
        for address in addresses[:_ADDRESSES_TRIED]:
            seconds_left = deadline - asyncio.get_running_loop().time()
            if seconds_left <= 0:
                break
            try:
                return await self._exchanger.exchange(request, target, address, seconds_left)
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
