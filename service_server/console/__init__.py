"""The console: where operators see to applications, apps and webhooks, read the log of calls, and see to themselves."""

from typing import Any

from service_server.console.applications import APPLICATION_ROUTES
from service_server.console.apps import APP_ROUTES
from service_server.console.call_page import CALL_PAGE_ROUTES
from service_server.console.calls import CALL_ROUTES
from service_server.console.embedding import EMBEDDING_ROUTES
from service_server.console.entrance import Entrance
from service_server.console.failures import answer_console_failure, is_console
from service_server.console.openid import OPENID_ROUTES, openid_entrance
from service_server.console.operators import OPERATOR_ROUTES
from service_server.console.playground import PLAYGROUND_ROUTES
from service_server.console.prediction import PREDICTION_ROUTES
from service_server.console.sessions import SESSION_ROUTES
from service_server.console.sign_in import SIGN_IN_ROUTES
from service_server.console.users import USER_ROUTES
from service_server.console.webhooks import WEBHOOK_ROUTES

__all__ = ["CONSOLE_ROUTES", "Entrance", "answer_console_failure", "is_console", "openid_entrance"]

CONSOLE_ROUTES: list[Any] = [
    *SIGN_IN_ROUTES,
    *APPLICATION_ROUTES,
    *EMBEDDING_ROUTES,
    *APP_ROUTES,
    *USER_ROUTES,
    *CALL_ROUTES,
    *CALL_PAGE_ROUTES,
    *WEBHOOK_ROUTES,
    *PREDICTION_ROUTES,
    *PLAYGROUND_ROUTES,
    *OPERATOR_ROUTES,
    *SESSION_ROUTES,
    *OPENID_ROUTES,
]
