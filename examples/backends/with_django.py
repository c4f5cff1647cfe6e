"""
A backend in Django: its page embeds ServiceJS, and it calls a function for the user who is signed in.

Run it beside the demo, with the key, the secret and the address of the service that the demo prints:
`APP_KEY=… APP_SECRET=… SERVICE_URL=… python -m examples.backends.with_django runserver 9000`. It needs the packages
django and service-client. Settings, views and addresses are in this one file, which a project has in three.
"""

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from django.views.static import serve

from service_client import CallRefusedError, Client, ServiceClientError, sign

APP_KEY, APP_SECRET = os.environ["APP_KEY"], os.environ["APP_SECRET"]
SERVICE_URL = os.environ["SERVICE_URL"]
HERE = Path(__file__).parent
POLICY = (
    f"default-src 'none'; script-src 'self' {SERVICE_URL} 'wasm-unsafe-eval'; worker-src blob:; "
    f"connect-src 'self' {SERVICE_URL}; img-src {SERVICE_URL}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types servicejs"
)

settings.configure(
    ALLOWED_HOSTS=os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1").split(","),
    ROOT_URLCONF=__name__,
    # Signs the session's cookie. Give it where there are several processes, or sessions should outlive a restart.
    SECRET_KEY=os.environ.get("SESSION_KEY") or secrets.token_hex(),
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",  # with TLS also: SESSION_COOKIE_SECURE=True
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [HERE / "templates"]}],
    DATA_UPLOAD_MAX_MEMORY_SIZE=10_000,
    LOGGING={  # without it, only administrators with an email address learn of errors
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "root": {"handlers": ["console"]},
    },
)

# One client for all threads, which keeps its connections.
client = Client(SERVICE_URL, app_key=APP_KEY, secret=APP_SECRET)


def for_signed_in_user(view: Callable[[HttpRequest, str], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Hand the id of the user who is signed in to a view. With django.contrib.auth it is that of `request.user`."""

    def answer(request: HttpRequest) -> HttpResponse:
        user_id: str | None = request.session.get("user_id")
        if user_id is None:
            return JsonResponse({"detail": "Sign in first."}, status=401)
        return view(request, user_id)

    return answer


@require_safe
@ensure_csrf_cookie
def index(request: HttpRequest) -> HttpResponse:
    """Show the page, which holds nothing of the user and nothing secret."""
    page = render(request, "index.html", {"service_url": SERVICE_URL})
    page.headers["Content-Security-Policy"] = POLICY
    return page


@require_POST
def sign_in(request: HttpRequest) -> HttpResponse:
    """Your own login belongs here: this one lets in whoever gives a name."""
    user_name = request.POST.get("user_name", "")
    if not (1 <= len(user_name) <= 100 and user_name.isprintable()):
        return JsonResponse({"detail": "This is no user name."}, status=400)
    request.session.flush()
    request.session["user_id"] = user_name
    return JsonResponse({"userId": user_name})


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    request.session.flush()
    return JsonResponse({})


@require_safe
@never_cache
@for_signed_in_user
def service_credentials(request: HttpRequest, user_id: str) -> HttpResponse:
    """Tell the page of the signed-in user, and nobody else, the hash that ServiceJS proves them by."""
    return JsonResponse({"appKey": APP_KEY, "userId": user_id, "hash": sign(user_id, APP_SECRET)})


@require_POST
@for_signed_in_user
def report(request: HttpRequest, user_id: str) -> HttpResponse:
    """Create a ticket in the account that the user has connected."""
    ticket: dict[str, Any] = {"title": "Weekly report", "project_id": "office"}
    try:
        result = client.for_user(user_id).functions.call("sandbox-create-ticket", ticket)
        return JsonResponse({"ticket": result.raise_for_failure().output})
    except CallRefusedError as refusal:  # nothing was sent to the app, say because no account is connected yet
        return JsonResponse({"detail": refusal.envelope.error}, status=409)
    except ServiceClientError:
        return JsonResponse({"detail": "The report could not be sent."}, status=502)


urlpatterns = [
    path("", index),
    path("sign-in", sign_in),
    path("sign-out", sign_out),
    path("service-credentials", service_credentials),
    path("report", report),
    path("static/<path:path>", serve, {"document_root": HERE / "static"}),  # a web server's business in the end
]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
else:
    application = get_wsgi_application()
