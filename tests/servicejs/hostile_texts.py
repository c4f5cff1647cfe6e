"""Every screen with the same text in every slot that an app, an account, a service or a page fills."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from attrs import evolve

from examples.gallery.form_driver import Answer, Driver, ok
from examples.gallery.form_states import refused
from examples.gallery.functions import function
from examples.gallery.marketplace_states import OPTIONS, SURFACE, Marketplace
from service_client.models import (
    CallResult,
    ConnectedAccount,
    DynamicFields,
    ErrorDetail,
    FieldMeta,
    Function,
    FunctionApp,
    Prediction,
    Source,
    ValueChoice,
)
from service_client.testing import FakeService, Response
from servicejs.forms.drafts import Draft
from servicejs.screens.connect_panel import ConnectFirst

PAYLOADS = (
    "<script>hostile()</script>",
    "</script><script>hostile()</script>",
    "<img src=x onerror=hostile()>",
    '"><img src=x onerror=hostile()>',
    "' onfocus=hostile() autofocus x='",
    '" onfocus="hostile()" autofocus="',
    "</textarea><script>hostile()</script>",
    "</option></select><svg onload=hostile()>",
    "</button></form><form action=javascript:hostile()><button>",
    "<template shadowrootmode=open><script>hostile()</script></template>",
    "--><!--><svg/onload=hostile()>",
    "<![CDATA[<script>hostile()</script>]]>",
    "<style>@import '//hostile.example'</style>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=hostile()>",
    "javascript:hostile()",
    "&lt;script&gt;hostile()&lt;/script&gt;&#60;b&#x3e;",
    "{{ 7 * 7 }}{% raw %}${7 * 7}%(app)s%s%",
    "\u202e<b>\u0000\u2028</b>`${hostile()}`",
)
CONTROLS = ("multiline", "date", "number", "choice", "list", "rows", "json", "flag", "email")


def form_of(text: str) -> Function:
    """Make a function with the text as its titles, descriptions, names, placeholders, defaults and options."""
    described = {"description": text, "title": text}
    properties: dict[str, Any] = {
        text + "0": {"type": "string", "default": text, **described},
        text + "multiline": {"type": "string", **described},
        text + "date": {"type": "string", "format": "date", **described},
        text + "number": {"type": "number", **described},
        text + "choice": {"type": "string", "enum": [text, "other"], **described},
        text + "list": {"type": "array", "items": {"type": "string"}, **described},
        text + "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {text: {"type": "string"}}, "required": [text]},
            **described,
        },
        text + "json": {"type": "object", "properties": {}, **described},
        text + "flag": {"type": "boolean", **described},
        text + "email": {"type": "string", "format": "email", **described},
        text + "empty": {"type": "string", **described},
        "source": {"type": "string", **described},
        "fields": {"type": "object", "properties": {}, **described},
    }
    fields = {
        text + "multiline": FieldMeta(title=text, widget="textarea", placeholder=text),
        text + "choice": FieldMeta(title=text, widget="select", options=({"value": text, "label": text},)),
        "source": FieldMeta(
            title=text, widget="select", source=Source(function="list", value="id", label="name", search="query")
        ),
        "fields": FieldMeta(
            title=text,
            widget="object",
            dynamic_fields=DynamicFields(
                function="fields",
                arguments={"of": "${source}"},
                key="key",
                title="name",
                type="type",
                required="required",
                options="options",
                depends_on=("source",),
            ),
        ),
    }
    made = function(properties, (text + "0", text + "rows", "source"), fields, title=text, destructive=True)
    assert made.meta is not None
    app = FunctionApp(name="sandbox", title=text, icon_url=text)
    return evolve(made, description=text, meta=evolve(made.meta, app=app, scopes=(text,)))


def answers(text: str) -> Callable[[str, dict[str, Any]], Answer]:
    """Answer source functions with the text in all that they say."""

    def answer(name: str, arguments: dict[str, Any]) -> Answer:
        if name == "fields":
            kinds = ("string", "array", "enum", text)
            entry = {"name": text, "required": True, "options": [text, {"value": text + "2", "label": text}]}
            return ok([entry | {"key": f"{text}{kind}", "type": kind, "description": text} for kind in kinds])
        return ok([{"id": text, "name": text}, {"id": "2", "name": text}], text)

    return answer


def accounts_of(text: str) -> tuple[ConnectedAccount, ...]:
    """Make two accounts of that name."""
    when = datetime(2026, 3, 2, 10, tzinfo=UTC)
    return tuple(ConnectedAccount(id=number, display_name=text, modified_at=when) for number in (1, 2))


async def filled(text: str) -> Driver:
    """The form with the text in all fields, as misfits where it doesn't fit, predicted, and its request shown."""
    given: dict[str, Any] = {f"{text}{control}": text for control in ("0", *CONTROLS)} | {
        "source": text,
        "fields": {text: text},
    }
    given |= {f"{text}list": [text], f"{text}rows": [{text: text}], f"{text}unknown": text}
    prediction = Prediction(
        confidence=1.0,
        evidence=dict.fromkeys(given, text),
        choices={f"{text}empty": (ValueChoice(value=text, label=text),)},
    )
    driver = Driver(form_of(text), given, answers(text), accounts_of(text), 1, prediction=prediction)
    await driver.started()
    await driver.do("preview")
    return driver


async def changed(text: str) -> Driver:
    """The form with a search, a typed value, a dropped one, and what the service found wrong."""
    driver = await filled(text)
    await driver.do("search", "source", text, "input")
    await driver.set("source", "2")
    driver.screen.show_details(
        [ErrorDetail(field="source", code="format", message=text), ErrorDetail(field=text, code="x", message=text)],
        text,
    )
    return driver


async def restored(text: str) -> Driver:
    """A form that comes back with texts from the tab's storage."""
    draft = Draft(json.dumps({"given": {}, "filled": {"source": text, "fields": {text: text}}}))
    return await Driver(form_of(text), {}, answers(text), accounts_of(text), draft=draft).started()


async def confirming(text: str) -> Driver:
    """The question before something that can't be undone."""
    rows = {f"{text}0": text, f"{text}rows": [{text: text}], f"{text}list": [text], "source": "2"}
    driver = await Driver(form_of(text), rows, answers(text), accounts_of(text)[:1]).started()
    for kind in ("string", "enum", text):
        path = next(path for path in driver.screen.form.root.members["fields"].members if path.endswith(kind))  # type: ignore[union-attr]
        driver.screen.form.root.members["fields"].members[path].text = text  # type: ignore[union-attr]
    await driver.do("submit", kind="submit")
    return driver


async def refused_by_the_service(text: str) -> Driver:
    """Source functions that fail with the text as the reason."""
    refusal = refused("not_connected", "connect", text)
    return await Driver(form_of(text), {}, lambda *_: refusal, accounts_of(text)).started()


async def failed_in_the_app(text: str) -> Driver:
    """Source functions to which the app answers with an error."""
    failure = CallResult(network_code=text, output=text)
    return await Driver(form_of(text), {}, lambda *_: failure, accounts_of(text)[:1]).started()


FORMS: tuple[Callable[[str], Awaitable[Driver]], ...] = (
    filled,
    changed,
    restored,
    confirming,
    refused_by_the_service,
    failed_in_the_app,
)


async def screens(text: str) -> AsyncIterator[tuple[str, str]]:
    """Yield the HTML of every screen with the text wherever a text can come from outside, each with its name."""
    for build in FORMS:
        driver = await build(text)
        yield build.__name__, driver.screen.render()
        await driver.close()
    yield "connect first", ConnectFirst(text, text, lambda _: None, lambda: None).render()
    steps = (("search", "", text), ("search", "", ""), ("ask-disconnect", "1", ""), ("disconnect", "1", ""))
    marketplace = await _marketplace(text)
    yield "marketplace", marketplace.page.surfaces[SURFACE]
    for action, argument, value in steps:
        await marketplace.act(action, argument, value)
        yield f"marketplace, {action} {bool(value)}", marketplace.page.surfaces[SURFACE]
    await marketplace.act("reconnect", "2")
    yield "connect panel", await marketplace.shown()
    marketplace = await _marketplace(text, fails=True)
    yield "marketplace failed", await marketplace.shown()


async def _marketplace(text: str, *, fails: bool = False) -> Marketplace:
    marketplace = Marketplace()
    marketplace.service = FakeService()
    for number in range(6):
        name = f"app{number}"
        marketplace.service.add_app(name, title=text, accounts=[text, text] if number == 0 else [])
    await marketplace.call("create", options=OPTIONS)
    answer = marketplace.service.handle
    marketplace.service.handle = (  # type: ignore[method-assign]
        lambda request: _failure(text) if fails else _described(answer(request), text)
    )
    await marketplace.call("showApps", apps=[], surface=SURFACE, modal=True)
    return marketplace


def _described(answer: Response, text: str) -> Response:
    """Put the text where the service in memory says nothing: links, and why an account needs reconnecting."""
    body = json.loads(answer.content or b"{}")
    apps = body.get("apps", [body] if "connected_accounts" in body else [])
    for app in apps:
        app["description"] = text
        app["docs_url"] = text if app["name"] == "app1" else f"https://docs.example/{text}"
        for account in app["connected_accounts"]:
            account |= {"state": "reconnect_required", "state_reason": text}
    return Response(answer.status, json.dumps(body).encode() if apps else answer.content, answer.headers)


def _failure(text: str) -> Response:
    detail = {"field": text, "code": text, "message": text, "action": text}
    return Response.of_json({"error": text, "error_details": [detail], "request_id": text}, 418)
