"""The onward request: the connector's template filled with the arguments, then the credentials put in."""

import structlog

from service_client.models import Action, Code
from service_server.catalog.hooks import HookFailed
from service_server.catalog.values import InvalidRequest
from service_server.errors import failure, refused
from service_server.invoke.invocation import Invocation, Parts

_log = structlog.get_logger(__name__)


async def build_request(invocation: Invocation, parts: Parts) -> None:
    """Build the request, and refuse one that would leave the app's hosts before anything is sent."""
    build(invocation)


def build(invocation: Invocation) -> None:
    """Build the request from the arguments and the credentials as they are now."""
    connector, function = invocation.request.connector, invocation.request.function
    opened = invocation.opened
    context = {**opened.context, "args": invocation.arguments}
    try:
        request = function.request.build(connector.base_url(opened.context), context)
        if function.pagination is not None:
            request = function.pagination.apply(request, invocation.position)
        rules = connector.host_rules(opened.context)
        if not rules.allows(request.url):
            raise refused(
                Code.HOST_NOT_ALLOWED,
                f"The url does not lead to a host of {connector.title}: {', '.join(rules.patterns)}.",
                field="url",
                action=Action.FIX_FIELD,
            )
        invocation.onward = opened.auth.inject.apply(request, opened.context)
    except InvalidRequest as problem:
        where = f"{problem.field} " if problem.field else ""
        raise refused(Code.FORMAT, f"{where}{problem.message}", field=problem.field, action=Action.FIX_FIELD) from None
    except HookFailed as defect:
        _log.error("hook failed", function=function.name, hook=defect.hook, reason=defect.reason)
        message = f"The connector of {connector.title} has a defect in {function.title}. Nothing was sent."
        raise failure(500, Code.INTERNAL, message) from None
