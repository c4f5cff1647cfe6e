"""The service in memory."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from attrs import evolve, frozen

from service_client.client import AsyncClient, Client
from service_client.models import (
    CONVERTER,
    Action,
    Alternative,
    App,
    CallResult,
    Code,
    ConnectedAccount,
    Function,
    FunctionApp,
    FunctionMeta,
    FunctionType,
    Parameters,
    Prediction,
    SessionToken,
)
from service_client.plans import HttpRequest, Response
from service_client.testing.fake_files import FakeFiles
from service_client.testing.fake_sessions import SOME_DAY, FakeSessions
from service_client.testing.refusals import Refused, check_arguments, choose_account, refused
from service_client.transports.memory import AsyncMemoryTransport, MemoryTransport

Handler = Callable[[dict[str, Any]], Any]
HandlerT = TypeVar("HandlerT", bound=Handler)
ItemT = TypeVar("ItemT", App, Function)

_ADDRESS = "http://service.test"
# Requests are never sent, and the fake service trusts whoever calls it.
_TOKEN = "made-up"  # noqa: S105


@frozen(kw_only=True)
class RecordedCall:
    """A call that the fake service executed."""

    function: str
    arguments: dict[str, Any]
    connected_account_id: int


@frozen
class _Offered:
    function: Function
    handler: Handler
    paginated: bool
    title: str


@frozen
class _Predicted:
    names: tuple[str, ...]
    arguments: dict[str, Any]
    evidence: dict[str, str]


class FakeService:
    """
    A service in memory; `calls` are those it executed, `page_size` is for its lists, `files` holds the uploads.

    It has no batches (`call_many`) and no outcomes, and executes a call with a known idempotency key again.
    """

    def __init__(self, *, page_size: int = 50) -> None:
        self.page_size = page_size
        self.calls: list[RecordedCall] = []
        self.files = FakeFiles()
        self._apps: dict[str, App] = {}
        self._offered: dict[str, _Offered] = {}
        self._predictions: dict[str, _Predicted] = {}
        self._sessions = FakeSessions(_ADDRESS)
        self._accounts_made = 0

    def client(self) -> Client:
        """Return a blocking client of this service."""
        return Client(_ADDRESS, token=_TOKEN, transport=MemoryTransport(self.handle))

    def async_client(self) -> AsyncClient:
        """Return an awaiting client of this service."""
        return AsyncClient(_ADDRESS, token=_TOKEN, transport=AsyncMemoryTransport(self.handle))

    def add_app(
        self,
        name: str,
        *,
        title: str = "",
        also_called: Sequence[str] = (),
        description: str = "",
        accounts: Sequence[str] = (),
        categories: Sequence[str] = (),
    ) -> App:
        """Add an app in which the user has accounts with these display names; the last is the newest."""
        number = len(self._apps) + 1
        icon_url = f"{_ADDRESS}/icons/{name}.svg"
        self._apps[name] = App(
            id=number,
            name=name,
            title=title or name,
            also_called=tuple(also_called),
            description=description,
            icon_url=icon_url,
            categories=tuple(categories),
        )
        for display_name in accounts:
            self.connect(name, display_name)
        return self._apps[name]

    def connect(self, app: str, display_name: str) -> ConnectedAccount:
        """Connect another account in an app; it becomes the newest."""
        self._accounts_made += 1
        modified_at = SOME_DAY + timedelta(microseconds=self._accounts_made)
        account = ConnectedAccount(id=self._accounts_made, display_name=display_name, modified_at=modified_at)
        known = self._apps[app]
        self._apps[app] = evolve(known, connected_accounts=(account, *known.connected_accounts))
        return account

    def finish_connecting(self, session_id: str, display_name: str = "New account") -> ConnectedAccount:
        """Let the user of a connect session finish it."""
        account = self.connect(self._sessions.app(session_id), display_name)
        self._sessions.finish(session_id, account.id)
        return account

    def function(
        self,
        name: str,
        *,
        title: str = "",
        type: FunctionType = "query",
        description: str = "",
        properties: Mapping[str, Any] | None = None,
        required: Sequence[str] = (),
        paginated: bool = False,
    ) -> Callable[[HandlerT], HandlerT]:
        """
        Add a function that the decorated one answers.

        The decorated function is given the arguments, and returns the output of a successful call or a `CallResult`.
        """
        parameters = Parameters(properties=dict(properties or {}), required=tuple(required))
        function = Function(name=name, type=type, description=description, parameters=parameters)
        if function.app_name not in self._apps:
            raise ValueError(f"Add the app {function.app_name!r} before its function {name!r}.")

        def add(handler: HandlerT) -> HandlerT:
            self._offered[name] = _Offered(function, handler, paginated, title or name)
            return handler

        return add

    def predict(
        self,
        prompt: str,
        function: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        alternatives: Sequence[str] = (),
        evidence: Mapping[str, str] | None = None,
    ) -> None:
        """
        Set what a prompt is predicted to mean, and what it nearly meant; any other prompt fits nothing.

        If a request narrows the prediction to apps without the function, the first alternative in them is predicted.
        """
        self._predictions[prompt] = _Predicted((function, *alternatives), dict(arguments or {}), dict(evidence or {}))

    def handle(self, request: HttpRequest) -> Response:
        """Answer a request as the service would."""
        try:
            if request.path.startswith("/files"):
                return self.files.handle(request, *request.path.split("/")[2:])
            return self._route(request)
        except Refused as refusal:
            return refusal.response

    def _route(self, request: HttpRequest) -> Response:
        query = request.query
        match (request.method, *request.path.strip("/").split("/")):
            case ("GET", "apps"):
                apps = [app for app in self._apps.values() if self._listed(app.name, query)]
                return self._page("apps", apps, query)
            case ("GET", "apps", app):
                return _answer(self._app(app))
            case ("GET", "functions"):
                return self._list_functions(query)
            case ("GET", "functions", name):
                return _answer(self._get_function(name, query))
            case ("POST", "functions", name):
                return self._call(name, request)
            case ("POST", name) if name.endswith("-passthrough-request"):
                return self._call(name, request)
            case ("DELETE", "apps", app, "connected_accounts", *account):
                return self._disconnect(self._app(app), account[0] if account else None)
            case ("POST", "apps", app, "connect_sessions"):
                return _answer(self._sessions.open(self._app(app).name), 201)
            case ("GET", "connect_sessions", id):
                return _answer(self._sessions.watch(id, float(query.get("wait", "0"))))
            case ("DELETE", "connect_sessions", id):
                self._sessions.cancel(id)
                return Response(204)
            case ("POST", "session_tokens"):
                return _answer(SessionToken(token=_TOKEN, expires_at=SOME_DAY + timedelta(minutes=15)), 201)
            case _:
                raise refused(404, Code.NOT_FOUND, f"The fake service has no {request.method} {request.path}.")

    def _app(self, name: str, field: str | None = None) -> App:
        if name not in self._apps:
            action = None if field is None else Action.FIX_FIELD
            raise refused(404, Code.UNKNOWN_APP, f"There is no app {name!r}.", action, field)
        return self._apps[name]

    def _function(self, name: str) -> _Offered:
        if name not in self._offered:
            raise refused(404, Code.UNKNOWN_FUNCTION, f"There is no function {name!r}.")
        return self._offered[name]

    def _listed(self, app: str, query: Mapping[str, str]) -> bool:
        return query.get("connected_only") != "true" or bool(self._apps[app].connected_accounts)

    def _page(self, key: str, items: Sequence[ItemT], query: Mapping[str, str]) -> Response:
        in_order = sorted(items, key=lambda item: item.name)
        start = int(query.get("cursor", "0"))
        end = start + self.page_size
        cursor = str(end) if end < len(in_order) else ""
        return Response.of_json({key: CONVERTER.unstructure(in_order[start:end]), "cursor": cursor})

    def _list_functions(self, query: Mapping[str, str]) -> Response:
        apps = (
            {self._app(name, "app").name for name in query["app"].split(",")} if "app" in query else self._apps.keys()
        )
        found = [
            offered.function
            for offered in self._offered.values()
            if offered.function.app_name in apps
            and query.get("type") in (None, offered.function.type)
            and self._listed(offered.function.app_name, query)
        ]
        if query.get("predict_function") == "true":
            names = self._prediction(query).names
            meant = sorted((each for each in found if each.name in names), key=lambda each: names.index(each.name))
            others = tuple(Alternative(name=each.name, confidence=0.5) for each in meant[1:])
            found = [self._predicted(function, query, others) for function in meant[:1]]
        found = [self._shown(function, query) for function in found]
        return self._page("functions", found, query)

    def _get_function(self, name: str, query: Mapping[str, str]) -> Function:
        function = self._function(name).function
        predicted = self._predicted(function, query) if query.get("predict_arguments") == "true" else function
        return self._shown(predicted, query)

    def _shown(self, function: Function, query: Mapping[str, str]) -> Function:
        if query.get("include") != "meta":
            return function
        known = self._apps[function.app_name]
        app = FunctionApp(name=known.name, title=known.title, icon_url=known.icon_url)
        title = self._offered[function.name].title
        return evolve(function, meta=FunctionMeta(app=app, title=title, type=function.type))

    def _prediction(self, query: Mapping[str, str]) -> _Predicted:
        if not query.get("prompt", "").strip():
            raise refused(400, Code.PROMPT_REQUIRED, "A prediction needs a prompt.", field="prompt")
        return self._predictions.get(query["prompt"], _Predicted((), {}, {}))

    def _predicted(
        self, function: Function, query: Mapping[str, str], alternatives: tuple[Alternative, ...] = ()
    ) -> Function:
        meant = self._prediction(query)
        is_meant = function.name == next(iter(meant.names), "")
        fitting = meant.arguments if is_meant else {}
        missing = tuple(name for name in function.parameters.required if name not in fitting)
        return evolve(
            function,
            prediction=Prediction(
                confidence=1.0 if is_meant else 0.0,
                alternatives=alternatives,
                missing=missing,
                evidence=meant.evidence if is_meant else {},
            ),
            arguments=fitting if query.get("predict_arguments") == "true" else None,
        )

    def _call(self, name: str, request: HttpRequest) -> Response:
        offered = self._function(name)
        app = self._apps[offered.function.app_name]
        account = choose_account(app, request.query.get("connected_account_id"))
        arguments = request.json
        check_arguments(offered.function, arguments, paginated=offered.paginated)
        self.calls.append(RecordedCall(function=name, arguments=arguments, connected_account_id=account.id))
        output = offered.handler(dict(arguments))
        return _answer(output if isinstance(output, CallResult) else CallResult(network_code="200", output=output))

    def _disconnect(self, app: App, account_id: str | None) -> Response:
        gone = choose_account(app, account_id)
        left = tuple(account for account in app.connected_accounts if account.id != gone.id)
        self._apps[app.name] = evolve(app, connected_accounts=left)
        return Response(204)


def _answer(resource: object, status: int = 200) -> Response:
    return Response.of_json(CONVERTER.unstructure(resource), status)
