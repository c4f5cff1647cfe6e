"""Runs the test and one function with a credential at hand: what is sent, what comes back, and how long each took."""

import json
import mimetypes
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from service_client import models
from service_server.administration.failures import AdministrationError
from service_server.answers.bodies import read_body
from service_server.catalog.auth import AuthMethod, TokenMethod
from service_server.catalog.expressions import Context, InvalidRequest
from service_server.catalog.given_files import GivenFile
from service_server.catalog.hooks import HookFailed
from service_server.catalog.pagination import Following
from service_server.catalog.values import AccountIdentity, Connector, FunctionDefinition
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import choices_of, verify
from service_server.invoke.check_arguments import find_problems
from service_server.invoke.form_values import read_form
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.oauth.grants import first_token
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable
from service_server.oauth.variables import captured_variables
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardRequest, OnwardResponse
from service_server.redaction.spellings import Spellings, texts_in

_SHOWN_BYTES = 64 * 1024
_CHUNK_BYTES = 256 * 1024
_SOME_ID = f"file_{'0' * 22}"
_HIDDEN = "•••"


@frozen(kw_only=True)
class Trial:
    """
    The connection test and up to so many `pages` of one function; without a `function` the test alone.

    `credentials` are the fields of the way to sign in, or `access_token`.
    """

    connector: Connector
    function: FunctionDefinition | None
    auth: AuthMethod
    credentials: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str]
    arguments: Mapping[str, Any]
    allow_hosts: tuple[str, ...] = ()
    pages: int = 1
    tests: bool = True


@frozen(kw_only=True)
class Page:
    """
    One request that was sent, without its secrets, and what came back.

    `missed` tells that the function's `output` leads to nothing in the answer, whose whole body stands for it then.
    `said` is what the function says of the answer, and `unsaid` why something of that is left out.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: Any
    status: int
    output: Any
    milliseconds: float
    missed: bool = False
    said: models.Outcome | None = None
    unsaid: tuple[str, ...] = ()

    @property
    def succeeded(self) -> bool:
        """Whether the app answered with a 2xx."""
        return 200 <= self.status < 300

    def described(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "request": {"method": self.method, "url": self.url, "headers": dict(self.headers), "body": self.body},
            "status": self.status,
            "output": self.output,
            "output_missed": self.missed,
            "outcome": None if self.said is None else models.CONVERTER.unstructure(self.said),
            "outcome_left_out": list(self.unsaid),
            "milliseconds": round(self.milliseconds, 1),
        }


@frozen(kw_only=True)
class Outcome:
    """
    What came of a trial.

    `account` is what the test told, None without a test; `more` tells whether there are further pages, None where the
    function has no pages.
    """

    account: AccountIdentity | None
    sign_in_milliseconds: float | None
    pages: tuple[Page, ...]
    more: bool | None

    @property
    def succeeded(self) -> bool:
        """Whether everything was answered with a 2xx, but for a page behind the last one."""
        return all(page.succeeded for page in self.pages)

    def described(self) -> dict[str, Any]:
        """The JSON form: the first page, and those that follow."""
        account, first = self.account, self.pages[0].described() if self.pages else {}
        return {
            "account": None if account is None else {"id": account.external_id, "name": account.display_name},
            "sign_in_milliseconds": None if self.sign_in_milliseconds is None else round(self.sign_in_milliseconds, 1),
            **first,
            "more": self.more,
            "further_pages": [page.described() for page in self.pages[1:]],
        }


def read_arguments(function: FunctionDefinition, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """
    Read `name=value` texts by the function's parameters, as a form is read; AdministrationError tells problems.

    Where the function takes a file, the text is the path of one.
    """
    arguments, problems = read_form(pairs, function.parameters)
    arguments, checked = _with_files(function, arguments)
    problems += find_problems(function, checked)
    if problems:
        raise AdministrationError("\n".join(f"{problem.message}." for problem in problems))
    return arguments


def _with_files(function: FunctionDefinition, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments with the files that paths lead to, and as they are checked: with ids in place of the paths."""
    files: dict[str, Any] = {}
    ids: dict[str, Any] = {}
    for name in function.files:
        match arguments.get(name):
            case str(path):
                files[name], ids[name] = _file(path), _SOME_ID
            case list(paths) if all(isinstance(path, str) for path in paths):
                files[name], ids[name] = [_file(path) for path in paths], [_SOME_ID] * len(paths)
    return arguments | files, arguments | ids


def _file(path: str) -> GivenFile:
    file = Path(path)
    if not file.is_file():
        raise AdministrationError(f"There is no file {path}.")
    size = file.stat().st_size

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, size, _CHUNK_BYTES):
            yield _part(file, start)

    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return GivenFile(file.name, media_type, size, chunks)


def _part(file: Path, start: int) -> bytes:
    with file.open("rb") as opened:
        opened.seek(start)
        return opened.read(_CHUNK_BYTES)


async def run(trial: Trial) -> Outcome:
    """Sign in if that is needed, test, send, and read the answers; AdministrationError where one of these fails."""
    async with Sender(OnwardSettings(allow_hosts=trial.allow_hosts)) as way_out:
        sender = way_out.on_behalf_of(trial.connector.name, 0, "")
        began = time.perf_counter()
        context, signed_in = await _context(sender, trial)
        sign_in = (time.perf_counter() - began) * 1000 if signed_in else None
        context = await _chosen(sender, trial, context)
        account = (
            await _account(sender, trial, context) if trial.tests and trial.connector.test_of(trial.auth) else None
        )
        pages, more = ((), None) if trial.function is None else await _pages(sender, trial, trial.function, context)
    return Outcome(account=account, sign_in_milliseconds=sign_in, pages=pages, more=more)


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
        raise AdministrationError(f"Signing in came to nothing: {failure.reason}.") from None
    except InvalidRequest as problem:
        raise AdministrationError(f"Signing in makes no valid request: {problem.message}.") from None
    return _with_token(trial, context, dict(answer.token)), True


def _with_token(trial: Trial, context: dict[str, Any], token: dict[str, Any]) -> dict[str, Any]:
    """Put in a token, and the variables that come with it unless they were given."""
    variables = {**captured_variables(trial.connector, token), **context["vars"]}
    return {**context, "token": token, "vars": variables}


async def _chosen(sender: Sender, trial: Trial, context: dict[str, Any]) -> dict[str, Any]:
    """Fill the variable of a call after the sign-in, unless it was given, where the app leaves no choice."""
    then = trial.auth.then
    if then is None or then.variable in context["vars"]:
        return context
    try:
        choices = await choices_of(sender, trial.connector, trial.auth, then, context)
    except Setback as setback:
        raise AdministrationError(" ".join((setback.text, *setback.steps))) from None
    if len(choices) > 1:
        offered = ", ".join(f"--var {then.variable}={value} ({label})" for value, label in choices)
        raise AdministrationError(f"Say which {trial.connector.variables[then.variable].title} is meant: {offered}")
    return {**context, "vars": {**context["vars"], then.variable: choices[0][0]}}


async def _account(sender: Sender, trial: Trial, context: Context) -> AccountIdentity:
    try:
        return await verify(sender, trial.connector, trial.auth, context)
    except Setback as setback:
        reasons = [] if setback.reason is None else [f"({_with_hint(trial, setback.reason)})"]
        said = " ".join((setback.text, *setback.steps, *reasons))
        raise AdministrationError(f"The connection test failed. Nothing was sent after it. {said}") from None


def _with_hint(trial: Trial, reason: str) -> str:
    """Say how to reach an app on one's own machine, where that is what was refused."""
    if "not public" not in reason:
        return reason
    return f"{reason}; allow it with --allow-host {trial.connector.name}=HOST:PORT"


async def _pages(
    sender: Sender, trial: Trial, function: FunctionDefinition, context: Context
) -> tuple[tuple[Page, ...], bool | None]:
    function = function.given(trial.arguments)
    pages: list[Page] = []
    gave = await _prior(sender, trial, function, context)
    if isinstance(gave, Page):
        return (gave,), None
    context = {**context, "lookup": gave, "before": gave}
    following = Following()
    while len(pages) < trial.pages and (not pages or following.position is not None):
        position = following.position
        request = _request(trial, function, context, position)
        began = time.perf_counter()
        response = await _send(sender, trial, request, context)
        milliseconds = (time.perf_counter() - began) * 1000
        body = read_body(response).value
        succeeded = 200 <= response.status < 300
        output = _picked(function, body) if function.type == "query" and succeeded else body
        if function.pagination is not None:
            following = function.pagination.following(position, request, response, body, output)
            if following.past_end:
                break
        page = _page(trial, function, context, request, response.status, output, milliseconds)
        picks = function.picker is not None and function.type == "query" and succeeded
        said, unsaid = _said(trial, function, context, page) if succeeded else (None, ())
        pages.append(evolve(page, missed=picks and output is body, said=said, unsaid=unsaid))
    return tuple(pages), None if function.pagination is None else following.position is not None


async def _prior(sender: Sender, trial: Trial, function: FunctionDefinition, context: Context) -> dict[str, Any] | Page:
    """Send what comes before the function's own request; return what that gives, or the answer that refuses it."""
    gave: dict[str, Any] = {}
    for prior in function.before if function.look_up is None else (function.look_up,):
        asks = evolve(function, request=prior.request, pagination=None)
        request = _request(trial, asks, {**context, "before": gave}, None)
        began = time.perf_counter()
        response = await _send(sender, trial, request, context)
        milliseconds = (time.perf_counter() - began) * 1000
        body = read_body(response).value
        if not 200 <= response.status < 300 or trial.connector.declared_kind(response, body) is not None:
            return _page(trial, function, context, request, response.status, body, milliseconds)
        try:
            gave |= prior.read(body)
        except LookupError as lack:
            where = "look-up" if prior is function.look_up else "request before it"
            raise AdministrationError(f"The answer to the {where} has no {lack.args[0]} where 'gives' says.") from None
    return gave


def _request(trial: Trial, function: FunctionDefinition, context: Context, position: Any) -> OnwardRequest:
    try:
        request = function.request.build(trial.connector.base_url(context), {**context, "args": trial.arguments})
        if function.pagination is not None:
            request = function.pagination.apply(request, position)
        return trial.auth.inject.apply(request, context)
    except InvalidRequest as problem:
        where = f"{problem.field} " if problem.field else ""
        raise AdministrationError(f"This makes no valid request: {where}{problem.message}.") from None
    except HookFailed as defect:
        raise AdministrationError(f"The hook {defect}.") from defect


async def _send(sender: Sender, trial: Trial, request: OnwardRequest, context: Context) -> OnwardResponse:
    try:
        return await sender.fetch(
            request, trial.connector.host_rules(context), secret_headers=trial.auth.inject.secret_headers
        )
    except (NotSent, HostNotAllowed) as failure:
        raise AdministrationError(f"Nothing was sent: {_with_hint(trial, failure.reason)}.") from None
    except Interrupted as failure:
        raise AdministrationError(f"The request was sent, but no whole answer came: {failure.reason}.") from None


def _spellings(context: Context) -> Spellings:
    return Spellings.of([*texts_in(context.get("creds")), *texts_in(context.get("token"))])


def _page(
    trial: Trial,
    function: FunctionDefinition,
    context: Context,
    request: OnwardRequest,
    status: int,
    output: Any,
    milliseconds: float,
) -> Page:
    hidden = trial.auth.inject.secret_headers
    secrets = secrets_of_call(_spellings(context), trial.arguments, function.sensitive)
    return Page(
        method=request.method,
        url=str(redacted(request.url, secrets, _SHOWN_BYTES)),
        headers={name: _HIDDEN if name.lower() in hidden else value for name, value in request.headers},
        body=redacted(_readable(request), secrets, _SHOWN_BYTES, function.sensitive),
        status=status,
        output=redacted(output, secrets, _SHOWN_BYTES),
        milliseconds=milliseconds,
    )


def _picked(function: FunctionDefinition, body: Any) -> Any:
    try:
        return function.pick(body)
    except HookFailed as defect:
        raise AdministrationError(f"The hook {defect}.") from defect


def _said(
    trial: Trial, function: FunctionDefinition, context: Context, page: Page
) -> tuple[models.Outcome | None, tuple[str, ...]]:
    if function.outcome is None:
        return None, ()
    return function.outcome.read({**function.outcome.given(trial.arguments, context["vars"]), "output": page.output})


def _readable(request: OnwardRequest) -> Any:
    if request.streamed is not None:
        return f"({request.streamed.length} bytes, with a file)"
    if not request.body:
        return None
    try:
        return json.loads(request.body)
    except ValueError:
        return request.body.decode("utf-8", "replace")
