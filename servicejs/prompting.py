"""From words to a call: a function is predicted, its form filled in and confirmed, the call made, its outcome shown."""

import asyncio
import re
from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from attrs import evolve, field, frozen

from service_client import AsyncClient
from service_client.errors import AuthenticationError, ServiceClientError, ServiceError
from service_client.models import CONVERTER, CallResult, Function, Prediction
from servicejs.errors import SdkError, explain
from servicejs.forms.drafts import Draft
from servicejs.forms.opening import Opening
from servicejs.instance import Instance
from servicejs.language import gettext as _
from servicejs.screens.call_outcome import CallOutcome
from servicejs.screens.screen import Screen
from servicejs.screens.suggestion import Alternative, Suggestion
from servicejs.showing import Refusal, fill_form, tell_form
from servicejs.surface import Surface

MOST_ALTERNATIVES = 4
_OF_A_WORD = r"[0-9a-z_\u00df-\u024f]"  # letters of scripts that put blanks between words


async def carry_out_prompt(instance: Instance, surface: Surface, prompt: str, apps: tuple[str, ...]) -> bool:
    """
    Do what a prompt asks for in one of the `apps` (any, if none are given), once the user confirms it on the surface.

    Returns False if nothing fits the prompt; raises `cancelled` if the user gives up.
    """
    client = instance.client
    offered = await _predict(instance, prompt, apps)
    if not offered:
        return False
    function, arguments = offered[0], offered[0].arguments or {}
    refusal: Refusal | None = None
    attempt: _Attempt | None = None
    while True:
        filled = await _fill(instance, surface, prompt, function, offered, arguments, refusal)
        if isinstance(filled, str):
            function = await client.functions.get(filled, include="meta", predict_arguments=True, prompt=prompt)
            arguments, refusal = function.arguments or {}, None
            continue
        arguments, account = filled["arguments"], filled["connectedAccountId"]
        asked = _Attempt(function.name, arguments, account)
        attempt = attempt if attempt == asked else asked
        try:
            failure = await _call(instance, surface, function, attempt)
        except (SdkError, ServiceClientError) as error:
            refusal = _refusal(error, account)
        else:
            if not failure:
                return True
            refusal, attempt = Refusal((), failure, account), None


@frozen
class _Attempt:
    """
    A call that the user asks for; `key` is its `Idempotency-Key`.

    Whoever sends the same again, because no answer came, doesn't do it twice.
    """

    function: str
    arguments: dict[str, Any]
    account: str | None
    key: str = field(factory=lambda: f"{SystemRandom().getrandbits(128):032x}", eq=False)


def _refusal(error: SdkError | ServiceClientError, account: str | None) -> Refusal:
    """Say why a call was not made; raises what no form can be sent again after."""
    match error:
        case ServiceError() if not isinstance(error, AuthenticationError):
            return Refusal(error.envelope.error_details, error.envelope.error, account)
        case ServiceClientError() | SdkError(code="token_failed"):
            return Refusal((), explain(error), account)
        case _:
            raise error


async def _predict(instance: Instance, prompt: str, apps: tuple[str, ...]) -> tuple[Function, ...]:
    """
    Return the functions that a prompt may mean, likeliest first; only that one has arguments. Empty if nothing fits.

    Apps that the user has connected come before others, unless the prompt names another.
    """
    client, app = instance.client, ",".join(apps) or None
    found = await client.functions.predict(prompt, arguments=True, app=app, include="meta")
    if found is None:
        return ()
    names = _names(found)
    if not _is_named(found, prompt) and not (await instance.accounts.app(found.app_name)).connected_accounts:
        connected = await client.functions.predict(prompt, arguments=True, app=app, connected_only=True, include="meta")
        if connected is not None:
            names = [connected.name, found.name, *_names(connected)[1:], *names[1:]]
            found = connected
    others = [name for name in dict.fromkeys(names) if name != found.name][:MOST_ALTERNATIVES]
    return (found, *await _look_up(client, others))


def _names(function: Function) -> list[str]:
    alternatives = function.prediction.alternatives if function.prediction is not None else ()
    return [function.name, *(each.name for each in alternatives)]


def _is_named(function: Function, prompt: str) -> bool:
    """Whether a prompt says which app it means: "inbox" doesn't say Box, but "Boxに" does."""
    titles = [function.app_name, function.meta.app.title if function.meta is not None else ""]
    named = "|".join(re.escape(title.casefold()) for title in titles if title)
    return bool(named) and re.search(rf"(?<!{_OF_A_WORD})(?:{named})(?!{_OF_A_WORD})", prompt.casefold()) is not None


async def _look_up(client: AsyncClient, names: Sequence[str]) -> list[Function]:
    """Return functions with their words for people; any that can't be fetched are left out."""
    found = await asyncio.gather(
        *(client.functions.get(name, include="meta") for name in names), return_exceptions=True
    )
    return [each for each in found if isinstance(each, Function)]


async def _fill(
    instance: Instance,
    surface: Surface,
    prompt: str,
    function: Function,
    offered: Sequence[Function],
    arguments: dict[str, Any],
    refusal: Refusal | None,
) -> dict[str, Any] | str:
    """Let the user complete and confirm a function's form; return its result, or the name of the one taken instead."""
    chosen: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    alternatives = [_alternative(each) for each in offered if each.name != function.name]

    def choose(name: str) -> None:
        if not chosen.done():
            chosen.set_result(name)

    def frame(screen: Screen) -> Screen:
        return Suggestion(screen, prompt, alternatives, choose)

    account = None if refusal is None else refusal.account_id
    predicted = function.arguments or {}
    prediction = _as_far_as_taken(function.prediction, predicted, arguments)
    opening = Opening(function=function, arguments=arguments, prediction=prediction, draft_of=predicted)
    form = fill_form(instance, surface, opening, account, _draft(instance, function), frame=frame, refusal=refusal)
    filling = instance.spawn(tell_form(instance, function, form))
    try:
        either: list[asyncio.Future[Any]] = [filling, chosen]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return chosen.result() if chosen.done() else await filling
    finally:
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)


def _as_far_as_taken(
    prediction: Prediction | None, predicted: dict[str, Any], arguments: dict[str, Any]
) -> Prediction | None:
    """Leave out which words led to values that the user has replaced by now."""
    if prediction is None or arguments == predicted:
        return prediction
    taken = {name for name in predicted if name in arguments and arguments[name] == predicted[name]}
    kept = {name: words for name, words in prediction.evidence.items() if re.split(r"[.\[]", name)[0] in taken}
    return evolve(prediction, evidence=kept)


def _draft(instance: Instance, function: Function) -> Draft:
    """Return the draft of a form for as long as the instance lives: the page has none of forms it didn't ask for."""

    def keep(draft: str | None) -> None:
        if draft is None:
            instance.drafts.pop(function.name, None)
        else:
            instance.drafts[function.name] = draft

    return Draft(instance.drafts.get(function.name), keep)


def _alternative(function: Function) -> Alternative:
    return Alternative(name=function.name, title=_title(function), app_title=_app_title(function))


def _title(function: Function) -> str:
    return function.meta.title if function.meta is not None else function.name


def _app_title(function: Function) -> str:
    return function.meta.app.title if function.meta is not None else function.app_name


async def _call(instance: Instance, surface: Surface, function: Function, attempt: _Attempt) -> str:
    """
    Call a function, tell the page of it, and show what came of it until the user has seen it.

    Returns why it failed if the user goes back to the form then, else nothing; raises `cancelled` if they give up.
    """
    seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    arguments, account = attempt.arguments, attempt.account
    key = None if function.type == "query" else attempt.key

    async def call(cursor: str | None = None) -> CallResult:
        given = arguments if cursor is None else {**arguments, "next_page": cursor}
        functions = instance.client.functions
        return await functions.call(
            function.name, given, connected_account_id=account, include="outcome", idempotency_key=key
        )

    # Only a function that reads is called again for more of its list.
    next_page = call if function.type == "query" else None

    def go_on(failure: str = "") -> None:
        if not seen.done():
            seen.set_result(failure)

    outcome = CallOutcome(_title(function), _app_title(function), go_on, surface.refresh, next_page, mend=go_on)
    surface.show(outcome, _title(function))
    result = await call()
    outcome.show(result)
    payload = {
        "function": function.name,
        "arguments": arguments,
        "connected_account_id": None if account is None else int(account),
        "result": CONVERTER.unstructure(result),
    }
    instance.emit("function-called", payload)
    failure = await seen
    if outcome.failed and not failure:
        raise SdkError("cancelled", _("The form was cancelled."))
    return failure
