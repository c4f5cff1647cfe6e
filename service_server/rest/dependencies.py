"""What handlers are given: the running service and the authenticated caller."""

from typing import Any, TypeAlias

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from service_server.rest.admin_access import provide_actor
from service_server.rest.authentication import Authenticator
from service_server.rest.caller import Caller
from service_server.rest.rate_limit import RateLimit
from service_server.service import Service

# The framework would check these as if the caller had sent them; they are ours.
GivenService: TypeAlias = NamedDependency[SkipValidation[Service]]
GivenCaller: TypeAlias = NamedDependency[SkipValidation[Caller]]


async def provide_service(state: State) -> Service:
    """The service this process runs."""
    service: Service = state.service
    return service


async def provide_caller(request: Request[Any, Any, Any], state: State) -> Caller:
    """Who is asking; 401 or 403 before anything else happens, 429 when an operator's limit is reached."""
    authenticator: Authenticator = state.authenticator
    rate_limit: RateLimit = state.rate_limit
    caller = await authenticator.caller(request.scope["headers"])
    rate_limit.count(caller.application.id, caller.user_id)
    return caller


DEPENDENCIES = {
    "service": Provide(provide_service),
    "caller": Provide(provide_caller),
    "actor": Provide(provide_actor),
}
