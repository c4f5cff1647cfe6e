"""Runs one function with a credential at hand: what is sent, what comes back, and how long each took."""

import json
import time
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from service_server.administration import AdministrationError
from service_server.catalog.hooks import HookFailed
from service_server.catalog.values import (
    AuthMethod,
    Connector,
    Context,
    FunctionDefinition,
    InvalidRequest,
    TokenMethod,
)
from service_server.invoke.check_arguments import find_problems
from service_server.invoke.form_values import read_form
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.invoke.shape import parse_body
from service_server.oauth.grants import first_token
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardRequest, OnwardResponse

_SHOWN_BYTES = 64 * 1024
_HIDDEN = "•••"


@frozen(kw_only=True)
class Trial:
    """One function to be run once; `credentials` are the fields of the way to sign in, or `access_token`."""

    connector: Connector
    function: FunctionDefinition
    auth: AuthMethod
    credentials: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str]
    arguments: Mapping[str, Any]
    allow_hosts: tuple[str, ...] = ()


@frozen(kw_only=True)
class Outcome:
    """What was sent, without its secrets, and what came back; times in milliseconds."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Any
    status: int
    output: Any
    milliseconds: float
    sign_in_milliseconds: float | None

    def described(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "request": {"method": self.method, "url": self.url, "headers": dict(self.headers), "body": self.body},
            "status": self.status,
            "output": self.output,
            "milliseconds": round(self.milliseconds, 1),
            "sign_in_milliseconds": None if self.sign_in_milliseconds is None else round(self.sign_in_milliseconds, 1),
        }


def read_arguments(function: FunctionDefinition, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Read `name=value` texts by the function's parameters, as a form is read; AdministrationError tells problems."""
    arguments, problems = read_form(pairs, function.parameters)
    problems += find_problems(function, arguments)
    if problems:
        raise AdministrationError("\n".join(f"{problem.message}." for problem in problems))
    return arguments


async def run(trial: Trial) -> Outcome:
    """Sign in if that is needed, send the request, and read the answer; AdministrationError where that fails."""
    async with Sender(OnwardSettings(allow_hosts=trial.allow_hosts)) as sender:
        began = time.perf_counter()
        context, signed_in = await _context(sender, trial)
        ready = time.perf_counter()
        request = _request(trial, context)
        response = await _send(sender, trial, request, context)
        done = time.perf_counter()
    return _outcome(
        trial, context, request, response, (done - ready) * 1000, (ready - began) * 1000 if signed_in else None
    )


async def _context(sender: Sender, trial: Trial) -> tuple[dict[str, Any], bool]:
    context: dict[str, Any] = {"creds": dict(trial.credentials), "vars": dict(trial.variables), "token": {}}
    if not isinstance(trial.auth, TokenMethod):
        return context, False
    if "access_token" in trial.credentials:
        return {**context, "token": dict(trial.credentials)}, False
    try:
        answer = await first_token(sender, trial.connector, trial.auth, context)
    except TokenRefused as refusal:
        raise AdministrationError(f"{trial.connector.title} refused to sign in ({refusal}).") from None
    except (TokenEndpointUnreachable, TokenAnswerUnreadable) as failure:
        raise AdministrationError(f"Signing in came to nothing: {failure.reason}.") from None
    except InvalidRequest as problem:
        raise AdministrationError(f"Signing in makes no valid request: {problem.message}.") from None
    return {**context, "token": dict(answer.token)}, True


def _request(trial: Trial, context: Context) -> OnwardRequest:
    function = trial.function
    try:
        request = function.request.build(trial.connector.base_url(context), {**context, "args": trial.arguments})
        if function.pagination is not None:
            request = function.pagination.apply(request, None)
        return trial.auth.inject.apply(request, context)
    except InvalidRequest as problem:
        where = f"{problem.field} " if problem.field else ""
        raise AdministrationError(f"This makes no valid request: {where}{problem.message}.") from None
    except HookFailed as defect:
        raise AdministrationError(f"The hook {defect}.") from defect


async def _send(sender: Sender, trial: Trial, request: OnwardRequest, context: Context) -> OnwardResponse:
    try:
        return await sender.send(
            request, trial.connector.host_rules(context), secret_headers=trial.auth.inject.secret_headers
        )
    except (NotSent, HostNotAllowed) as failure:
        raise AdministrationError(f"Nothing was sent: {failure.reason}.") from None
    except Interrupted as failure:
        raise AdministrationError(f"The request was sent, but no whole answer came: {failure.reason}.") from None


def _outcome(
    trial: Trial,
    context: Context,
    request: OnwardRequest,
    response: OnwardResponse,
    milliseconds: float,
    sign_in_milliseconds: float | None,
) -> Outcome:
    body = parse_body(response)
    picked = _picked(trial, body) if trial.function.type == "query" and 200 <= response.status < 300 else body
    hidden = trial.auth.inject.secret_headers
    secrets = secrets_of_call(context, trial.arguments, trial.function.sensitive)
    return Outcome(
        method=request.method,
        url=str(redacted(request.url, secrets, _SHOWN_BYTES)),
        headers={name: _HIDDEN if name.lower() in hidden else value for name, value in request.headers},
        body=redacted(_readable(request.body), secrets, _SHOWN_BYTES, trial.function.sensitive),
        status=response.status,
        output=redacted(picked, secrets, _SHOWN_BYTES),
        milliseconds=milliseconds,
        sign_in_milliseconds=sign_in_milliseconds,
    )


def _picked(trial: Trial, body: Any) -> Any:
    try:
        return trial.function.pick(body)
    except HookFailed as defect:
        raise AdministrationError(f"The hook {defect}.") from defect


def _readable(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")
