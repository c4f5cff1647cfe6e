"""
Finds out, by the app's test request, whether an app that refused an account's credentials once always refuses them.

Credentials that are good for everything else may be refused for one function, or for one path of the app.
"""

import structlog

from service_server.answers.reading import Reading
from service_server.events import warn
from service_server.invoke.invocation import Parts, Ready
from service_server.invoke.keep_budget import may_repeat
from service_server.oauth.refresh import about_account
from service_server.onward.values import OnwardResponse

_TIMEOUT_SECONDS = 10.0

_LOG = structlog.get_logger(__name__)


async def look_into(ready: Ready, said: str, parts: Parts) -> None:
    """Mark the account as needing a reconnect if that is confirmed; `said` is how the app refused its credentials."""
    if parts.account_tests.is_due(ready.opened.account):
        await parts.account_tests.run(_test(ready, said, parts))


async def _test(ready: Ready, said: str, parts: Parts) -> None:
    account = ready.opened.account
    try:
        if await _are_refused(ready, parts):
            reason = f"The app refused its credentials, {said}."
            if await parts.accounts.require_reconnect(account, reason):
                warn("account.reconnect_required", **about_account(parts.vault, account), reason=reason)
    except Exception as failure:
        # The account is then not marked; the next refused call tests again. Only the type: a message may quote the app.
        _LOG.warning("account.not_tested", account=account.id, error=type(failure).__name__)


async def _are_refused(ready: Ready, parts: Parts) -> bool:
    request, opened = ready.request, ready.opened
    connector, context = request.connector, opened.context
    test_request = connector.test_of(opened.auth)
    if test_request is None:
        # There is no test request. In a passthrough anybody may name a path that is forbidden to them.
        return request.function.type != "passthrough"
    if not await may_repeat(ready, parts):
        return False
    test = opened.auth.inject.apply(test_request.build(connector.base_url(context), context), context)
    outcome = await parts.sender.on_behalf_of(connector.name, request.application_id, request.user_id).send(
        test,
        connector.host_rules(context),
        timeout_seconds=_TIMEOUT_SECONDS,
        secret_headers=opened.auth.inject.secret_headers,
    )
    if not isinstance(outcome, OnwardResponse):
        return False
    read = await parts.reader.read(Reading(error_rules=connector.error_rules, request=test), outcome)
    return read.error_kind == "reconnect"
