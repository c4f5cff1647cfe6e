"""The onward request, from the connector's template, the arguments and the credentials; and the hosts it may go to."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import structlog

from service_client.models import Action, Code
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.hooks import HookFailed
from service_server.errors import failure, refused
from service_server.invoke.invocation import Arguments, CallRequest
from service_server.oauth.credentials import Opened
from service_server.onward.values import HostRules, OnwardRequest

_LOG = structlog.get_logger(__name__)


def build_request(
    call: CallRequest, arguments: Arguments, opened: Opened, looked_up: Mapping[str, Any] = MappingProxyType({})
) -> tuple[OnwardRequest, HostRules]:
    """
    Return the request as it leaves, and the hosts it may go to; a request to any other host is refused.

    `looked_up` is what a look-up, or the requests before it, gave for it.
    """
    connector, function = call.connector, call.function.given(arguments.values)
    context = {**opened.context, "args": arguments.for_request, "lookup": looked_up, "before": looked_up}
    try:
        request = function.request.build(connector.base_url(opened.context), context)
        if function.pagination is not None:
            request = function.pagination.apply(request, arguments.position)
        rules = connector.host_rules(opened.context)
        if not rules.allows(request.url):
            raise refused(
                Code.HOST_NOT_ALLOWED,
                f"The url does not lead to a host of {connector.title}: {', '.join(rules.patterns)}.",
                field="url",
                action=Action.FIX_FIELD,
            )
        return opened.auth.inject.apply(request, opened.context), rules
    except InvalidRequest as problem:
        where = f"{problem.field} " if problem.field else ""
        raise refused(Code.FORMAT, f"{where}{problem.message}", field=problem.field, action=Action.FIX_FIELD) from None
    except HookFailed as defect:
        _LOG.error("call.hook_failed", function=function.name, hook=defect.hook, reason=defect.reason)
        message = f"The connector of {connector.title} has a defect in {function.title}. Nothing was sent."
        raise failure(500, Code.INTERNAL, message) from None
