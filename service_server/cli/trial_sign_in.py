"""The sign-in of a trial: as connecting an account does it, but with what was sent and answered where that fails."""

import json
import time
from collections.abc import Container, Mapping
from typing import Any, NoReturn

from attrs import frozen

from service_server.administration.failures import AdministrationError
from service_server.answers.bodies import read_body
from service_server.catalog.auth import TokenMethod
from service_server.catalog.expressions import Context, InvalidRequest
from service_server.catalog.values import AccountIdentity
from service_server.cli.trial_values import Page, Trial, page_of, spellings
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import choices_of, verify
from service_server.oauth.grants import first_token
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable
from service_server.oauth.variables import captured_variables
from service_server.onward.sender import Sender
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse

_MOST_CHARACTERS = 2000


class WatchedSender(Sender):
    """A way out that remembers the last request that was answered: `asked`, its answer, and how long that took."""

    asked: tuple[OnwardRequest, OnwardResponse, float] | None = None

    async def fetch(
        self,
        request: OnwardRequest,
        rules: HostRules,
        *,
        timeout_seconds: float | None = None,
        secret_headers: Container[str] = (),
    ) -> OnwardResponse:
        """Send a request as any sender does."""
        self.asked = None
        began = time.perf_counter()
        response = await super().fetch(request, rules, timeout_seconds=timeout_seconds, secret_headers=secret_headers)
        self.asked = request, response, (time.perf_counter() - began) * 1000
        return response


@frozen(kw_only=True)
class SignIn:
    """What a sign-in gave: what requests need, how long getting a token took, and whose account it is."""

    context: Mapping[str, Any]
    milliseconds: float | None
    account: AccountIdentity | None


async def sign_in(sender: WatchedSender, trial: Trial) -> SignIn:
    """Get a token where there is none, and make the call after it and the test; AdministrationError if one fails."""
    began = time.perf_counter()
    context, gets_token = await _context(sender, trial)
    milliseconds = (time.perf_counter() - began) * 1000 if gets_token else None
    sender.asked = None  # what a token endpoint answered is never shown
    context = await _chosen(sender, trial, context)
    account = await _account(sender, trial, context) if trial.tests and trial.connector.test_of(trial.auth) else None
    return SignIn(context=context, milliseconds=milliseconds, account=account)


async def _context(sender: Sender, trial: Trial) -> tuple[dict[str, Any], bool]:
    context: dict[str, Any] = {
        "auth_id": trial.auth.id,
        "creds": dict(trial.credentials),
        "vars": dict(trial.variables),
        "token": {},
    }
    if not isinstance(trial.auth, TokenMethod):
        return context, False
    if "access_token" in trial.credentials:
        return _with_token(trial, context, dict(trial.credentials)), False
    try:
        answer = await first_token(sender, trial.connector, trial.auth, context)
    except TokenRefused as refusal:
        raise AdministrationError(f"{trial.connector.title} refused to sign in ({refusal}).") from None
    except (TokenEndpointUnreachable, TokenAnswerUnreadable) as failure:
        reason = with_hint(trial, failure.reason)
        raise AdministrationError(f"Signing in came to nothing: {reason}.") from None
    except InvalidRequest as problem:
        raise AdministrationError(f"Signing in makes no valid request: {problem.message}.") from None
    return _with_token(trial, context, dict(answer.token)), True


def _with_token(trial: Trial, context: dict[str, Any], token: dict[str, Any]) -> dict[str, Any]:
    """Put in a token, and the variables that come with it unless they were given."""
    variables = {**captured_variables(trial.connector, token), **context["vars"]}
    return {**context, "token": token, "vars": variables}


async def _chosen(sender: WatchedSender, trial: Trial, context: dict[str, Any]) -> dict[str, Any]:
    """Fill the variable of a call after the sign-in, unless it was given, where the app leaves no choice."""
    then = trial.auth.then
    if then is None or then.variable in context["vars"]:
        return context
    try:
        choices = await choices_of(sender, trial.connector, trial.auth, then, context)
    except Setback as setback:
        _fail("The call after the sign-in (`then`) failed.", setback, sender, trial, context)
    if len(choices) > 1:
        offered = ", ".join(f"--var {then.variable}={value} ({label})" for value, label in choices)
        raise AdministrationError(f"Say which {trial.connector.variables[then.variable].title} is meant: {offered}")
    return {**context, "vars": {**context["vars"], then.variable: choices[0][0]}}


async def _account(sender: WatchedSender, trial: Trial, context: Context) -> AccountIdentity:
    try:
        return await verify(sender, trial.connector, trial.auth, context)
    except Setback as setback:
        _fail("The connection test failed. Nothing was sent after it.", setback, sender, trial, context)


def _fail(what: str, setback: Setback, sender: WatchedSender, trial: Trial, context: Context) -> NoReturn:
    """Say what people would read, why that is, and what was sent and answered."""
    reasons = [] if setback.reason is None else [f"({with_hint(trial, setback.reason)})"]
    said = " ".join((what, setback.text, *setback.steps, *reasons))
    if sender.asked is not None:
        request, response, milliseconds = sender.asked
        page = page_of(
            request,
            response.status,
            read_body(response).value,
            milliseconds,
            hidden=trial.auth.inject.secret_headers,
            secrets=spellings(context),
        )
        said = f"{said}\n\n{_told(page)}"
    raise AdministrationError(said) from None


def _told(page: Page) -> str:
    """A request and its answer as text."""
    lines = [f"{page.method} {page.url}", *(f"{name}: {value}" for name, value in page.headers.items())]
    if page.body is not None:
        lines.append(_beginning(page.body))
    lines += ["", f"{page.status} in {page.milliseconds:.0f} ms"]
    if page.output is not None:
        lines.append(_beginning(page.output))
    return "\n".join(lines)


def _beginning(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def with_hint(trial: Trial, reason: str) -> str:
    """Say how to reach an app on one's own machine, where that is what was refused."""
    if "not public" not in reason:
        return reason
    return f"{reason}; allow it with --allow-host {trial.connector.name}=HOST:PORT"
