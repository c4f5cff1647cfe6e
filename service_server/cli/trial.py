"""Runs the test and one function with a credential at hand: what is sent, what comes back, and how long each took."""

import mimetypes
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from attrs import evolve

from service_client import models
from service_server.administration.failures import AdministrationError
from service_server.answers.bodies import read_body
from service_server.catalog.expressions import Context, InvalidRequest
from service_server.catalog.given_files import GivenFile
from service_server.catalog.hooks import HookFailed
from service_server.catalog.output import listed
from service_server.catalog.pagination import Following
from service_server.catalog.values import FunctionDefinition
from service_server.cli.trial_files import file_given
from service_server.cli.trial_sign_in import WatchedSender, sign_in, with_hint
from service_server.cli.trial_values import Outcome, Page, Trial, page_of, spellings
from service_server.invoke.check_arguments import find_problems
from service_server.invoke.form_values import read_form
from service_server.invoke.redaction import secrets_of_call
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardRequest, OnwardResponse

_CHUNK_BYTES = 256 * 1024
_SOME_ID = f"file_{'0' * 22}"


def read_arguments(function: FunctionDefinition, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """
    Read `name=value` texts by the function's parameters, as a form is read; AdministrationError tells problems.

    Where the function takes a file, the text is the path of one.
    """
    arguments, problems = read_form(pairs, function.parameters)
    arguments, checked = _with_files(function, arguments)
    problems += find_problems(function, checked)
    if problems:
        messages = (problem.message for problem in problems)
        raise AdministrationError("\n".join(each if each.endswith("?") else f"{each}." for each in messages))
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
    async with WatchedSender(OnwardSettings(allow_hosts=trial.allow_hosts)) as way_out:
        sender = way_out.on_behalf_of(trial.connector.name, 0, "")
        signed_in = await sign_in(sender, trial)
        pages, more = (
            ((), None) if trial.function is None else await _pages(sender, trial, trial.function, signed_in.context)
        )
    return Outcome(account=signed_in.account, sign_in_milliseconds=signed_in.milliseconds, pages=pages, more=more)


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
            items = listed(body, function.picker, output)
            following = function.pagination.following(position, request, response, body, items)
            if following.past_end:
                break
        page = _page(trial, function, context, request, response.status, output, milliseconds)
        picks = function.picker is not None and function.type == "query" and succeeded
        said, unsaid = _said(trial, function, context, page) if succeeded else (None, ())
        file = await file_given(function, trial.arguments, response) if succeeded else None
        pages.append(evolve(page, missed=picks and output is body, said=said, unsaid=unsaid, file=file))
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
        raise AdministrationError(f"Nothing was sent: {with_hint(trial, failure.reason)}.") from None
    except Interrupted as failure:
        raise AdministrationError(f"The request was sent, but no whole answer came: {failure.reason}.") from None


def _page(
    trial: Trial,
    function: FunctionDefinition,
    context: Context,
    request: OnwardRequest,
    status: int,
    output: Any,
    milliseconds: float,
) -> Page:
    return page_of(
        request,
        status,
        output,
        milliseconds,
        hidden=trial.auth.inject.secret_headers,
        secrets=secrets_of_call(spellings(context), trial.arguments, function.sensitive),
        sensitive=function.sensitive,
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
