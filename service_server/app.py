"""The ASGI application: every route of one service process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import structlog
from litestar import Litestar, Request, Response
from litestar.plugins import PluginProtocol
from litestar.plugins.attrs import AttrsSchemaPlugin
from litestar.plugins.core import MsgspecDIPlugin

from service_server.administration.throttle import Throttle
from service_server.agents.door import AGENT_ROUTES, AgentDoor
from service_server.agents.resource_metadata import METADATA_ROUTES
from service_server.connect.pages.routes import CONNECT_ROUTES, answer_out_of_order, is_connect_page
from service_server.console import CONSOLE_ROUTES, Entrance, answer_console_failure, is_console, openid_entrance
from service_server.rest.admin import ADMIN_ROUTES
from service_server.rest.apps import APP_ROUTES
from service_server.rest.authentication import Authenticator
from service_server.rest.batches import BATCH_ROUTES, BatchRoute
from service_server.rest.calls import CALL_ROUTES, CallRoute
from service_server.rest.calls_at_once import CallsAtOnce
from service_server.rest.connect_sessions import CONNECT_SESSION_ROUTES
from service_server.rest.dependencies import DEPENDENCIES
from service_server.rest.description import DESCRIPTION_ROUTES, Description, openapi_config
from service_server.rest.envelope import answer_failure
from service_server.rest.files import FILE_ROUTES
from service_server.rest.first_screens import FIRST_SCREEN_ROUTES, prepared_drawing
from service_server.rest.function_texts import FunctionTexts
from service_server.rest.functions import FUNCTION_ROUTES
from service_server.rest.gateway import Gateway
from service_server.rest.health import HEALTH_ROUTES
from service_server.rest.incumbent import IncumbentPaths
from service_server.rest.incumbent_routes import INCUMBENT_ROUTES
from service_server.rest.kept_builds import SDK_ROUTES, KeptBuilds
from service_server.rest.methods import Methods
from service_server.rest.queries import check_query
from service_server.rest.rate_limit import RateLimit
from service_server.rest.session_tokens import SESSION_TOKEN_ROUTES
from service_server.rest.static_files import SDK, STATIC_ROUTES, asset_files, read_files
from service_server.rest.under_way import UnderWay
from service_server.rest.wheel_index import WHEEL_ROUTES
from service_server.rest.wire import WireResponse
from service_server.service import Service, running_service
from service_server.settings import Settings

_LOG = structlog.get_logger(__name__)

ROUTES = [
    *APP_ROUTES,
    *FUNCTION_ROUTES,
    *CALL_ROUTES,
    *BATCH_ROUTES,
    *INCUMBENT_ROUTES,
    *AGENT_ROUTES,
    *METADATA_ROUTES,
    *FILE_ROUTES,
    *CONNECT_SESSION_ROUTES,
    *SESSION_TOKEN_ROUTES,
    *FIRST_SCREEN_ROUTES,
    *DESCRIPTION_ROUTES,
    *HEALTH_ROUTES,
    *SDK_ROUTES,
    *STATIC_ROUTES,
    *WHEEL_ROUTES,
    *CONNECT_ROUTES,
    *CONSOLE_ROUTES,
    *ADMIN_ROUTES,
]


class _Framework(Litestar):
    """Litestar without its support for Pydantic, which would cost each worker 8 MiB for nothing."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin(), AttrsSchemaPlugin()]


@contextlib.asynccontextmanager
async def service_application(settings: Settings) -> AsyncIterator[Gateway]:
    """The application of a running service; leaving the block finishes what is under way and closes everything."""
    async with running_service(settings) as service:
        app = _Framework(
            route_handlers=ROUTES,
            dependencies=DEPENDENCIES,
            before_request=check_query,
            exception_handlers={Exception: _answer_failure},
            response_class=WireResponse,
            openapi_config=openapi_config(),
            request_max_body_size=settings.max_body_bytes,
            logging_config=None,
        )
        authenticator = Authenticator(service.applications, service.vault, local_origins=settings.allow_local_origins)
        app.state.service = service
        app.state.connect_steps = service.connect_steps
        app.state.authenticator = authenticator
        app.state.console_entrance = Entrance(
            service.operators.operators,
            service.sessions.sessions,
            service.vault,
            secure=settings.console_url.startswith("https:"),
        )
        rate_limit = RateLimit(settings.rate_limit_per_minute, settings.application_rate_limit_per_minute)
        calls_at_once = CallsAtOnce(settings.calls_at_once, settings.application_calls_at_once)
        app.state.rate_limit = rate_limit
        app.state.admin_throttle = Throttle()
        app.state.calls_at_once = calls_at_once
        app.state.function_texts = FunctionTexts(service)
        app.state.description = Description(app)
        app.state.sdk_files = read_files(SDK)
        app.state.asset_files = asset_files()
        calls = CallRoute(app, service, authenticator, rate_limit, calls_at_once)
        agents = AgentDoor(BatchRoute(calls), service, authenticator, rate_limit, calls_at_once)
        under_way = UnderWay(IncumbentPaths(agents, service, authenticator))
        methods = Methods(app.routes)
        close = partial(_close, service, under_way)
        app.state.kept_builds = KeptBuilds(settings.builds_directory, app.state.sdk_files)
        async with app.state.kept_builds.keeping(), prepared_drawing(), openid_entrance(service) as openid:
            app.state.console_openid = openid
            yield Gateway(under_way, authenticator, methods, settings, close)


async def _close(service: Service, under_way: UnderWay) -> None:
    """Refuse new requests, and have those under way end and be answered by the deadline."""
    under_way.refuse_new()
    service.connect.stop_waiting()
    try:
        async with asyncio.timeout(service.settings.shutdown_seconds):
            await under_way.answered()
            await service.invoker.finish()
            await service.credentials.drain()
    except TimeoutError:
        _LOG.warning("service.calls_cut_off")
        await service.invoker.give_up()
        await under_way.cut_off()


def _answer_failure(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer failures with pages where people read them, and with the error envelope everywhere else."""
    if is_console(request):
        return answer_console_failure(request, error)
    answer = answer_failure(request, error)
    has_failed = answer.status_code is not None and answer.status_code >= 500
    return answer_out_of_order() if has_failed and is_connect_page(request) else answer
