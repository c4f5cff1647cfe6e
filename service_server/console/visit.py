"""One request of an operator: who they are, what they sent, and how they are answered."""

from typing import Any
from urllib.parse import parse_qsl

from attrs import field, frozen
from litestar import Request, Response
from litestar.exceptions import ClientException

from service_server.administration.actors import Actor
from service_server.administration.permissions import Permission
from service_server.console.entrance import Entrance, Session
from service_server.console.failures import Refused, out_of_date
from service_server.console.guard import actor_of, session_of
from service_server.console.pages import page_response
from service_server.service import Service

LONGEST_FORM_BYTES = 64 * 1024
_MOST_FIELDS = 200
_NOTICES = {
    "origin-added": "The origin was added.",
    "origin-removed": "The origin was removed.",
    "brand": "Users see it from the next page on.",
    "retired": "The old secret was retired. It stops working within seconds.",
    "webhook-retire": "The old secret was retired. Nothing is signed with it any more.",
    "webhook-test": "A test is on its way. Reload the page to see whether it arrived.",
    "webhook-enable": "The endpoint is enabled. What was still waiting is sent first.",
    "webhook-disable": "The endpoint is disabled.",
    "webhook-resend": "It is sent once more.",
    "webhook-remove": "The endpoint was removed.",
    "operator-added": "They may sign in now.",
    "operator-role": "The role is changed. It counts from the next page they open.",
    "operator-password": "The password is changed. Whoever was signed in with the old one is signed out.",
    "operator-removed": "The operator was removed, and is signed out.",
    "disconnected": "The account was disconnected.",
    "not-revoked": "The account was disconnected here. Its app could not be told: its tokens may still work.",
    "session-ended": "Whoever was signed in there is not any more.",
    "key-removed": "The key was removed. What uses it is refused.",
    "replayed": "The call was run again. This is the new one.",
    "saved": "The settings were saved. They take effect within seconds.",
    "shared": "The application does with the settings of all applications again.",
}

Form = dict[str, str]


@frozen
class Visit:
    """A request of an operator who is signed in."""

    service: Service
    session: Session
    query: dict[str, str] = field(repr=False)
    actor: Actor

    def page(self, template: str, *, status: int = 200, sdk_from: str | None = None, **context: Any) -> Response[bytes]:
        """Answer with a page of the console; `sdk_from` is the origin of the browser SDK, where the page has it."""
        notice = _NOTICES.get(self.query.get("done", ""))
        return page_response(
            template,
            {"session": self.session, "service": self.service, "notice": notice, "may": self._may_name, **context},
            status=status,
            sdk_from=sdk_from,
        )

    def may(self, permission: Permission) -> bool:
        """Whether the operator's role allows something."""
        return self.actor.may(permission)

    def _may_name(self, name: str) -> bool:
        """As `may`, for templates: `{% if may("set_up") %}`."""
        return self.may(Permission[name.upper()])


def entrance_of(request: Request[Any, Any, Any]) -> Entrance:
    """Return what lets operators in and out of this process."""
    entrance: Entrance = request.app.state.console_entrance
    return entrance


async def visit(request: Request[Any, Any, Any]) -> Visit:
    """Return the visit that a request belongs to, whom the guard of its route has let in."""
    return visit_of(request, session_of(request))


def visit_of(request: Request[Any, Any, Any], session: Session) -> Visit:
    """The visit of someone who is signed in."""
    actor = actor_of(request, session)
    return Visit(request.app.state.service, session, dict(request.query_params.items()), actor)


async def submitted(request: Request[Any, Any, Any]) -> tuple[Visit, Form]:
    """Return the visit and the form of a request that changes something; refuse one that another site made."""
    current = await visit(request)
    form = await read_posted_form(request)
    _take_token(current, form)
    return current, form


async def submitted_with_files(request: Request[Any, Any, Any]) -> tuple[Visit, Form, dict[str, bytes]]:
    """Like `submitted`, for a form with files: also their contents by field name, empty where no file was chosen."""
    current = await visit(request)
    form, files = dict[str, str](), dict[str, bytes]()
    try:
        posted = await request.form()
        for name, value in posted.items():
            if isinstance(value, str):
                form[name] = value.strip()
            else:
                files[name] = await value.read()
    except (ValueError, ClientException) as error:
        raise _unreadable() from error
    _take_token(current, form)
    return current, form, files


async def read_posted_form(request: Request[Any, Any, Any]) -> Form:
    """
    Read a form; refuse one that none of our pages would send.

    Values come without surrounding blanks, except in passwords, where blanks count.
    """
    try:
        text = (await request.body()).decode()
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise _unreadable() from error
    return {name: value if name == "password" else value.strip() for name, value in pairs}


def _take_token(current: Visit, form: Form) -> None:
    """Take the token out of a form; refuses a form that another site made."""
    if not current.session.is_form_token(form.pop("token", "")):
        raise out_of_date()


def _unreadable() -> Refused:
    return Refused(400, "The form can't be read", "Nothing was changed. Go back and try again.")
