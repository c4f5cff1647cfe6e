"""Puts the app together: which request goes where, what is logged, and where a fault strikes."""

import time
import traceback
from collections.abc import Callable

from attrs import asdict

from examples.sandbox_app.api import Api
from examples.sandbox_app.authorization import Authorization
from examples.sandbox_app.controls import PREFIX, Controls
from examples.sandbox_app.credentials import Credentials, presented_secret, unauthorized
from examples.sandbox_app.faults import AFTER, Faults
from examples.sandbox_app.grants import Grants
from examples.sandbox_app.kept_grants import KeptGrants
from examples.sandbox_app.messages import Refusal, Request, Response, json_response, see_other
from examples.sandbox_app.pages import Pages, SignInFirst
from examples.sandbox_app.request_log import Entry, RequestLog
from examples.sandbox_app.routes import Routes
from examples.sandbox_app.seed import seeded_workspaces
from examples.sandbox_app.settings import Settings
from examples.sandbox_app.tokens import Tokens
from examples.sandbox_app.users import ApiKeys, Sessions
from examples.sandbox_app.workspaces import format_time

API = "/api/"
# What programs call answers in JSON; everything else is a page.
FOR_PROGRAMS = (API, "/oauth/token", "/oauth/revoke", "/.well-known/", PREFIX)


class Application:
    """The whole app: requests in, responses out; `clock` gives seconds since the epoch."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._workspaces = seeded_workspaces(clock)
        self._keys = ApiKeys()
        self._sessions = Sessions(clock, settings.session_seconds)
        self._grants = Grants(
            clock,
            code_seconds=settings.code_seconds,
            access_token_seconds=settings.access_token_seconds,
            refresh_token_seconds=settings.refresh_token_seconds,
        )
        if settings.grants_file is not None:
            kept = KeptGrants(settings.grants_file, self._grants)
            kept.restore()
            self._grants.changed = kept.save
        self._faults = Faults()
        self._log = RequestLog()
        redirect_uris = list(settings.redirect_uris)
        self._credentials = Credentials(self._grants, self._keys)
        self._pages = Pages(settings, self._sessions, self._keys)
        self._tokens = Tokens(settings, self._grants)
        controls = Controls(self._faults, self._log, self._grants, redirect_uris, self._resets())
        self._controls = Routes(controls.routes())
        self._routes = Routes(
            (
                *Api(settings.url, self._credentials, self._workspaces).routes(),
                *Authorization(settings, redirect_uris, self._grants, self._pages).routes(),
                *self._tokens.routes(),
                *self._pages.routes(),
            )
        )

    def handle(self, request: Request) -> Response:
        """Answer a request; never raises."""
        if request.path.startswith(PREFIX):
            return self._answer(request, self._answer_control)
        entry = self._log.add(request, format_time(self._clock()))
        self._name_caller(request, entry)
        fault = self._faults.take(request.method, request.path)
        if fault is None:
            response = self._answer(request, self._routes.answer)
        elif fault.fault == "expired_token":
            response = self._expire_presented(request)
        elif fault.fault in AFTER:
            response = fault.spoil(self._answer(request, self._routes.answer))
        else:
            response = fault.answer()
        entry.status = None if response.delivery == "reset" else response.status
        entry.fault = fault.fault if fault is not None else None
        return response

    def _answer_control(self, request: Request) -> Response:
        Controls.check_origin(request)
        return self._controls.answer(request)

    def _answer(self, request: Request, answer: Callable[[Request], Response]) -> Response:
        try:
            return answer(request)
        except SignInFirst as first:
            return see_other(first.location)
        except Refusal as refusal:
            return self._show(request, refusal)
        except Exception:
            traceback.print_exc()
            return self._show(request, Refusal(500, "internal", "Something broke here."))

    def _show(self, request: Request, refusal: Refusal) -> Response:
        if not request.path.startswith(FOR_PROGRAMS):
            return self._pages.error_page(refusal)
        error = {
            "code": refusal.code,
            "message": refusal.message,
            "fields": [asdict(problem) for problem in refusal.fields],
        }
        return json_response({"error": error}, refusal.status).with_headers(*refusal.headers)

    def _expire_presented(self, request: Request) -> Response:
        presented = presented_secret(request)
        if presented is not None:
            self._grants.expire_access(presented[0])
        return self._show(request, unauthorized())

    def _name_caller(self, request: Request, entry: Entry) -> None:
        """Note in the log who asks, as far as the request tells before it is answered."""
        if request.path.startswith(API):
            caller = self._credentials.find(request)
            if caller is not None:
                entry.auth = {"kind": caller.kind, "user": caller.user.username}
            elif presented_secret(request) is not None:
                entry.auth = {"kind": "invalid", "user": None}
        elif request.path in ("/oauth/token", "/oauth/revoke"):
            posted = entry.body.get("client_id") if isinstance(entry.body, dict) else None
            entry.auth = {"kind": "client", "user": self._tokens.client_of(request) or posted}
        else:
            session = self._pages.session(request)
            if session is not None and session.user is not None:
                entry.auth = {"kind": "session", "user": session.user.username}

    def _resets(self) -> dict[str, Callable[[], None]]:
        return {
            "data": lambda: self._workspaces.update(seeded_workspaces(self._clock)),
            "faults": self._faults.reset,
            "log": self._log.reset,
            "grants": self._reset_grants,
        }

    def _reset_grants(self) -> None:
        self._grants.reset()
        self._keys.reset()
        self._sessions.reset()
