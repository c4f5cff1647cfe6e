"""`/functions`: listing, reading and predicting."""

from collections.abc import Sequence, Set
from typing import Any, Literal, get_args

import attrs
from litestar import Request, Response, get

from service_client.models import Alternative, Code, Function, FunctionList, FunctionType, Prediction
from service_server.errors import refused, unknown_app, unknown_function
from service_server.predict.values import ArgumentPrediction
from service_server.prediction.name_resolution import Asker
from service_server.prediction.prediction import LONGEST_PROMPT
from service_server.rest.caller import Caller
from service_server.rest.calls_at_once import calls_at_once
from service_server.rest.cursors import Cursors
from service_server.rest.dependencies import GivenCaller, GivenService
from service_server.rest.envelope import request_id
from service_server.rest.function_texts import FunctionTexts, public_function
from service_server.rest.parameters import FunctionName, GivenAccountId, GivenApps, GivenCursor, GivenPrompt
from service_server.rest.wire import WireResponse
from service_server.service import Service

Include = Literal["meta"]


@get("/functions", summary="List or predict functions", tags=["Functions"])
async def list_functions(
    request: Request[Any, Any, Any],
    service: GivenService,
    caller: GivenCaller,
    app: GivenApps = None,
    type: FunctionType | None = None,
    connected_only: bool | None = None,
    predict_function: bool | None = None,
    predict_arguments: bool | None = None,
    prompt: GivenPrompt = None,
    connected_account_id: GivenAccountId = None,
    cursor: GivenCursor = None,
    include: Include | None = None,
) -> Response[FunctionList]:
    """
    List functions by name, 50 a page; `app` may name several apps with commas between them.

    With `predict_function` the answer holds the one function that fits the prompt, or none, among those that a session
    token allows to call; where the prompt names no app, one that the user has connected is likelier meant. With
    `predict_arguments` names in the prompt become ids where the user has connected one account of its app; of several,
    `connected_account_id` names the one to look in.
    """
    apps = None if app is None else frozenset(app.split(","))
    for name in sorted(apps or ()):
        if name not in service.catalog.connectors:
            raise unknown_app(name, "app")
    names = await _filtered(service, caller, apps, type, bool(connected_only))
    if predict_function:
        text = checked_prompt(prompt)
        is_everything = app is None and type is None and not connected_only and caller.scope is None
        among = None if is_everything else _callable(service, caller, names)
        connected = await _connected(service, caller)
        found = await service.prediction.function(
            text, among=among, connected=connected, with_arguments=bool(predict_arguments)
        )
        if found is None:
            return WireResponse(FunctionList(functions=()))
        chosen = found.function
        function = public_function(service, chosen.name, include_meta=include == "meta")
        prediction = Prediction(confidence=chosen.confidence, alternatives=chosen.alternatives)
        if found.arguments is not None:
            asker = asker_of(caller, connected_account_id, request_id(request))
            with calls_at_once(request).place(caller):
                function = await with_arguments(service, asker, function, found.arguments, prediction)
        else:
            function = attrs.evolve(function, prediction=prediction)
        return WireResponse(FunctionList(functions=(function,)))
    if predict_arguments:
        raise refused(
            Code.PREDICT_FUNCTION_REQUIRED,
            "predict_arguments needs predict_function=true here; GET /functions/<name> predicts arguments alone.",
            field="predict_arguments",
        )
    cursors = Cursors(service.vault, caller, "functions", app, type, str(bool(connected_only)))
    page, following = cursors.page(names, cursor)
    texts: FunctionTexts = request.app.state.function_texts
    return WireResponse(texts.page(page, following, include_meta=include == "meta"))


@get("/functions/{function_name:str}", summary="Get a function", tags=["Functions"])
async def get_function(
    request: Request[Any, Any, Any],
    service: GivenService,
    caller: GivenCaller,
    function_name: FunctionName,
    predict_arguments: bool | None = None,
    prompt: GivenPrompt = None,
    connected_account_id: GivenAccountId = None,
    include: Include | None = None,
) -> Function:
    """
    Return one function; with `predict_arguments` also the arguments the prompt gives for it.

    Names in the prompt become ids where the user has connected one account of the app; of several,
    `connected_account_id` names the one to look in.
    """
    function = public_function(service, function_name, include_meta=include == "meta")
    if not predict_arguments:
        return function
    text = checked_prompt(prompt)
    try:
        arguments = await service.prediction.arguments(function_name, text)
    except KeyError:  # it was removed while its arguments were predicted
        raise unknown_function(function_name) from None
    function = public_function(service, function_name, include_meta=include == "meta")  # as it is now
    asker = asker_of(caller, connected_account_id, request_id(request))
    with calls_at_once(request).place(caller):
        return await with_arguments(service, asker, function, arguments, None)


async def _filtered(
    service: Service, caller: Caller, apps: Set[str] | None, kind: FunctionType | None, connected_only: bool
) -> Sequence[str]:
    if connected_only:
        connected = await _connected(service, caller)
        apps = connected if apps is None else apps & connected
    return service.catalog.names(kind, apps)


def _callable(service: Service, caller: Caller, names: Sequence[str]) -> frozenset[str]:
    """Return those of some functions that the caller's credentials may call."""
    if caller.scope is None:
        return frozenset(names)
    kinds: tuple[FunctionType, ...] = get_args(FunctionType)
    allowed = (name for kind in kinds for name in service.catalog.names(kind, None) if caller.may_call(name, kind))
    return frozenset(names).intersection(allowed)


async def _connected(service: Service, caller: Caller) -> Set[str]:
    """Return the names of the apps that the user has connected."""
    return {account.app_name for account in await caller.accounts(service.accounts)}


def asker_of(caller: Caller, connected_account_id: int | None, identifier: str) -> Asker:
    """For whom names in a prompt are looked up, in the request of that id."""
    return Asker(
        application_id=caller.application.id,
        user_id=caller.user_id,
        request_id=identifier,
        connected_account_id=connected_account_id,
        allows=caller.may_call,
    )


async def with_arguments(
    service: Service,
    asker: Asker,
    function: Function,
    arguments: ArgumentPrediction,
    prediction: Prediction | None,
) -> Function:
    """Add the predicted arguments; the confidence is that of choosing the function if it was chosen here."""
    with_meta = public_function(service, function.name, include_meta=True)
    resolved = await service.names.resolve(asker, with_meta, arguments)
    found = resolved.prediction
    alternatives: tuple[Alternative, ...] = prediction.alternatives if prediction is not None else ()
    return attrs.evolve(
        function,
        arguments=found.arguments,
        prediction=Prediction(
            confidence=prediction.confidence if prediction is not None else found.confidence,
            alternatives=alternatives,
            missing=tuple(found.missing),
            evidence=dict(found.evidence),
            choices=resolved.choices,
        ),
    )


def checked_prompt(prompt: str | None) -> str:
    """The prompt, if it says something and isn't too long."""
    if prompt is None or not prompt.strip():
        raise refused(Code.PROMPT_REQUIRED, "Say in prompt what should be done.", field="prompt")
    if len(prompt) > LONGEST_PROMPT:
        raise refused(Code.PROMPT_TOO_LONG, f"The prompt is longer than {LONGEST_PROMPT} characters.", field="prompt")
    return prompt


FUNCTION_ROUTES = [list_functions, get_function]
