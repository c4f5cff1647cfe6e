"""Turns answers into HTTP responses: HTML from the templates, and headers that keep the pages to themselves."""

import base64
import re
from typing import Any

from litestar import Response
from litestar.datastructures import Cookie

from service_server.catalog.auth import AuthMethod, OAuth2Code
from service_server.catalog.values import Connector
from service_server.connect.pages.answers import Answer, Ask, Begin, Choose, Ended, Leave, SeeOther
from service_server.html_pages.language import gettext as _
from service_server.html_pages.language import listed
from service_server.html_pages.rendering import html_response, page_headers, render

# Form posts may only come back here. If the provider's page is next, one of our pages goes on to it, since browsers
# apply form-action to redirects as well.
_LOADED = ("script-src 'self'", "img-src data:", "connect-src 'self'")
_SIGN_IN = re.compile(r"Sign in with ([A-Z].*)\Z")
_SHOWN_FUNCTIONS = 3  # the others are folded away
_SEEN_AT_ONCE = 10  # choices; more of them can be searched
_SHOWN_CHOICES = 100  # the others are found by searching


def cookie_name(secure: bool) -> str:
    """The name of the browser's cookie; over https its prefix keeps other hosts of the domain from setting it."""
    return "__Host-connect" if secure else "connect"


def response_of(answer: Answer, *, new_cookie: str | None = None, secure: bool = False) -> Response[bytes]:
    """Make the response; `new_cookie` is set for a browser that had none."""
    cookies = []
    if new_cookie is not None:
        cookies.append(
            Cookie(key=cookie_name(secure), value=new_cookie, path="/", httponly=True, secure=secure, samesite="lax")
        )
    if isinstance(answer, SeeOther):
        headers = page_headers(*_LOADED)
        return Response(b"", status_code=303, headers={**headers, "Location": answer.url}, cookies=cookies)
    status = answer.status if isinstance(answer, Ask | Ended) else 200
    headers = page_headers(*_LOADED, style=answer.appearance.style)
    return html_response(_html(answer), headers, status=status, cookies=cookies)


def _html(answer: Begin | Ask | Choose | Leave | Ended) -> str:
    if isinstance(answer, Leave):
        return _render("leave.html", answer=answer)
    if isinstance(answer, Begin):
        return _render("begin.html", answer=answer, icon=_icon(answer.connector))
    if isinstance(answer, Choose):
        found = answer.choosing.found(answer.words)
        return _render(
            "choose.html",
            answer=answer,
            icon=_icon(answer.connector),
            shown=found[:_SHOWN_CHOICES],
            found=len(found),
            searches=len(answer.choosing.choices) > _SEEN_AT_ONCE,
        )
    if isinstance(answer, Ended):
        return _render("ended.html", answer=answer, icon=_icon(answer.connector))
    return _render(
        "ask.html",
        answer=answer,
        icon=_icon(answer.connector),
        numbers={method.id: number for number, method in enumerate(answer.methods, start=1)},
        titles={method.id: _title(method) for method in answer.methods},
        hows={method.id: _how(answer, method) for method in answer.methods},
        typed=[method.id for method in answer.methods if _asked(answer, method)],
        scopes=answer.scopes,
        wanted=[function.title for function in answer.functions],
        access=[
            (kind, titles[:_SHOWN_FUNCTIONS], titles[_SHOWN_FUNCTIONS:])
            for kind in ("query", "mutation")
            if (titles := _titles(answer.connector, kind))
        ],
        passthrough=bool(answer.connector.passthrough_methods),
    )


def _icon(connector: Connector | None) -> str | None:
    """The icon as a data URL: the pages load nothing separately except style and script."""
    if connector is None:
        return None
    return f"data:{connector.icon.media_type};base64,{base64.b64encode(connector.icon.content).decode()}"


def _asked(answer: Ask, method: AuthMethod) -> list[str]:
    """The labels of the credentials that a way to sign in asks for."""
    return [field.label for field in answer.fields if method.id in field.ways and field.name.startswith("field.")]


def _title(method: AuthMethod) -> str:
    """The name of a way to sign in: the connector's own, but translated if it is what most connectors say."""
    match = _SIGN_IN.match(method.title)
    return method.title if match is None else _("Sign in with %(app)s", app=match[1])


def _how(answer: Ask, method: AuthMethod) -> str:
    """What a way to sign in means for the user."""
    title, asked = answer.connector.title, _asked(answer, method)
    if isinstance(method, OAuth2Code):
        return _("You sign in on %(app)s’s own page; your password stays there.", app=title)
    if not asked:
        return _("%(app)s doesn't ask for a sign-in.", app=title)
    return _("You enter your %(fields)s here.", fields=listed(asked))


def _titles(connector: Connector, kind: str) -> list[str]:
    """The functions of a kind by title."""
    return [function.title for function in connector.functions.values() if function.type == kind]


def _render(name: str, **context: Any) -> str:
    return render("connect", name, context)
