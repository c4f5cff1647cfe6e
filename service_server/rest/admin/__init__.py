"""
The admin API: what operators do, for programs.

A file a noun, each route with the permission that it needs (`needs`, access.py). Handlers call what the console and the
command line call; the actor that they are given goes into the audit trail.
"""

from typing import Any

from service_server.rest.admin.accounts import ACCOUNT_ROUTES
from service_server.rest.admin.applications import APPLICATION_ROUTES
from service_server.rest.admin.apps import APP_SETTINGS_ROUTES
from service_server.rest.admin.audit import AUDIT_ROUTES
from service_server.rest.admin.calls import CALL_LOG_ROUTES
from service_server.rest.admin.operators import OPERATOR_ROUTES
from service_server.rest.admin.sessions import OPERATOR_SESSION_ROUTES
from service_server.rest.admin.users import USER_ROUTES
from service_server.rest.admin.webhooks import WEBHOOK_ROUTES

__all__ = ["ADMIN_ROUTES"]

ADMIN_ROUTES: list[Any] = [
    *APPLICATION_ROUTES,
    *APP_SETTINGS_ROUTES,
    *ACCOUNT_ROUTES,
    *USER_ROUTES,
    *CALL_LOG_ROUTES,
    *WEBHOOK_ROUTES,
    *OPERATOR_ROUTES,
    *OPERATOR_SESSION_ROUTES,
    *AUDIT_ROUTES,
]
