"""What `/openapi.json` says of the paths of the Integry API; `incumbent.py` answers them, in front of the framework."""

from typing import Annotated, Any, Literal

from attrs import field, frozen
from litestar import post
from litestar.exceptions import NotFoundException
from litestar.openapi.spec import Reference, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_200_OK

from service_client.models import App, Function
from service_server.rest.described_bodies import taking_json
from service_server.rest.parameters import (
    LONGEST_CURSOR,
    LONGEST_PROMPT_CHARACTERS,
    AppName,
    FunctionName,
    GivenAccountId,
    GivenApps,
    GivenKey,
)

CURSOR = "_cursor"
VARIABLES = "_variables"
_TAGS = ["Integry's paths"]

_GivenType = Annotated[Literal["ACTION", "QUERY", "query", "mutation", "passthrough"] | None, QueryParameter()]


@frozen(kw_only=True)
class ListedApp(App):
    """An app with the two fields that only Integry tells: there is no address to sign in at before one is asked for."""

    login_url: str = ""
    allow_multiple_connected_accounts: bool = True


@frozen(kw_only=True)
class AppPage:
    """One page of apps; `_cursor` is null on the last page."""

    apps: tuple[ListedApp, ...]
    _cursor: str | None = field(default=None, alias="cursor")


@frozen(kw_only=True)
class FunctionPage:
    """One page of functions; `_cursor` is null on the last page."""

    functions: tuple[Function, ...]
    _cursor: str | None = field(default=None, alias="cursor")


@frozen(kw_only=True)
class CallOutput:
    """What the app answered; functions that paginate have `_cursor`, empty on the last page."""

    network_code: str
    output: Any = None
    _cursor: str | None = field(default=None, alias="cursor")


def _text(limit: int) -> Schema:
    return Schema(type=OpenAPIType.STRING, max_length=limit)


_NO_VARIABLES = Schema(type=OpenAPIType.OBJECT, max_properties=0, description="The service keeps no variables.")
FIELDS = {
    "list": {CURSOR: _text(LONGEST_CURSOR)},
    "predict": {"prompt": Schema(type=OpenAPIType.STRING, min_length=1, max_length=LONGEST_PROMPT_CHARACTERS)},
    "get": {"prompt": _text(LONGEST_PROMPT_CHARACTERS)},
}
"""By the last word of a path: what its body may have, besides `VARIABLES`."""


def _body(verb: Literal["list", "predict", "get"]) -> Any:
    properties: dict[str, Reference | Schema] = dict(FIELDS[verb])
    if verb != "list":
        properties[VARIABLES] = _NO_VARIABLES
    schema = Schema(
        type=OpenAPIType.OBJECT,
        properties=properties,
        required=["prompt"] if verb == "predict" else None,
        additional_properties=False,
    )
    return taking_json(schema, required=verb == "predict")


@post("/apps/list", status_code=HTTP_200_OK, summary="List apps", tags=_TAGS, operation_class=_body("list"))
async def list_apps_by_post() -> AppPage:
    """List apps, as `GET /apps` does."""
    raise NotFoundException  # answered in front of the framework, as all of these are


@post("/apps/{app_name:str}/get", status_code=HTTP_200_OK, summary="Get an app", tags=_TAGS)
async def get_app_by_post(app_name: AppName) -> ListedApp:
    """Return one app, as `GET /apps/<app_name>` does."""
    raise NotFoundException


@post("/functions/list", status_code=HTTP_200_OK, summary="List functions", tags=_TAGS, operation_class=_body("list"))
async def list_functions_by_post(
    app: GivenApps = None,
    type: _GivenType = None,
    connected_only: bool | None = None,
    include: Literal["meta"] | None = None,
) -> FunctionPage:
    """List functions, as `GET /functions` does; `ACTION` is `mutation`, and `QUERY` is `query`."""
    raise NotFoundException


@post(
    "/functions/predict",
    status_code=HTTP_200_OK,
    summary="Predict a function",
    tags=_TAGS,
    operation_class=_body("predict"),
)
async def predict_by_post(
    predict_arguments: bool | None = None,
    connected_only: bool | None = None,
    include: Literal["meta"] | None = None,
) -> FunctionPage:
    """Return the one function that fits the prompt, or none, as `GET /functions` does with `predict_function`."""
    raise NotFoundException


@post(
    "/functions/{function_name:str}/get",
    status_code=HTTP_200_OK,
    summary="Get a function",
    tags=_TAGS,
    operation_class=_body("get"),
)
async def get_function_by_post(function_name: FunctionName, include: Literal["meta"] | None = None) -> Function:
    """Return one function, with the arguments that a `prompt` gives, as `GET /functions/<function_name>` does."""
    raise NotFoundException


@post(
    "/functions/{function_name:str}/call",
    status_code=HTTP_200_OK,
    summary="Call a function",
    tags=_TAGS,
    operation_class=taking_json(
        Schema(type=OpenAPIType.OBJECT, additional_properties=True, description="The parameters as keys."),
        required=False,
    ),
)
async def call_by_post(
    function_name: FunctionName, connected_account_id: GivenAccountId = None, idempotency_key: GivenKey = None
) -> CallOutput:
    """Call a function, as `POST /functions/<function_name>/` does; `_cursor` stands for `next_page`."""
    raise NotFoundException


INCUMBENT_ROUTES = [
    list_apps_by_post,
    get_app_by_post,
    list_functions_by_post,
    predict_by_post,
    get_function_by_post,
    call_by_post,
]
