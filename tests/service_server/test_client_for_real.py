"""`Client` and `AsyncClient` against the real service with a real app behind it: the same scenario for both."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import evolve

from service_client import (
    AsyncClient,
    AuthenticationError,
    BadRequestError,
    CallRefusedError,
    Client,
    ConflictError,
    NotFoundError,
    OnwardCallError,
    PermissionDeniedError,
    ServiceUnreachableError,
    sign,
)
from tests.examples.processes import SandboxApp
from tests.real_apps.running import free_port
from tests.service_server.calls.sandbox_controls import received
from tests.service_server.clients import Clients, everything, result
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

TICKET = {"title": "Printer on fire", "project_id": "website", "fields": {"severity": "high"}}
PROMPT = 'create an urgent ticket in the website project titled "Login page is broken"'


@pytest.fixture(params=[Client, AsyncClient], ids=lambda kind: kind.__name__)
def clients(request: pytest.FixtureRequest, running_service: RunningService, sandbox: SandboxApp) -> Clients:
    """Both kinds of client, one after the other, with the sandbox app as at the start."""
    assert sandbox
    return Clients(request.param, running_service.url, running_service.app_key, running_service.app_secret)


@pytest.fixture
async def client(clients: Clients, both_accounts: tuple[int, int]) -> AsyncIterator[Any]:
    """A client for user `both`, who has Alice's and Bob's account."""
    assert both_accounts
    async with clients.of("both") as client:
        yield client


async def test_apps(clients: Clients, client: Any, both_accounts: tuple[int, int]) -> None:
    """Apps are listed with the user's accounts, newest first, and those that are connected can be asked for alone."""
    apps = await everything(client.apps.list())
    (connected,) = await everything(client.apps.list(connected_only=True))
    (page,) = await everything(client.apps.list(connected_only=True).iter_pages())
    async with clients.of("nobody") as stranger:
        nothing = await everything(stranger.apps.list(connected_only=True))

    assert {"sandbox", "github", "kinto"} <= {app.name for app in apps}
    assert connected == await result(client.apps.get("sandbox")) == page.data[0]
    assert list(reversed(both_accounts)) == [account.id for account in connected.connected_accounts]
    assert [] == nothing


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"sandbox-create-ticket", "github-list-issues", "kinto-passthrough-request"}),
        ({"app": "sandbox", "type": "query", "connected_only": True}, {"sandbox-list-tickets"}),
        ({"app": "github", "connected_only": True}, set()),
    ],
)
async def test_functions_by_filter(client: Any, filters: dict[str, Any], expected: set[str]) -> None:
    """Every filter narrows, through every page."""
    functions = await everything(client.functions.list(**filters))
    connected_only = filters.get("connected_only", False)
    apps = {app.name for app in await everything(client.apps.list(connected_only=connected_only))}

    assert expected <= {each.name for each in functions}
    assert bool(expected) == bool(functions)
    assert {each.app_name for each in functions} <= apps & {filters.get("app", each) for each in apps}
    assert {each.type for each in functions} <= (
        {filters["type"]} if "type" in filters else {"query", "mutation", "passthrough"}
    )
    assert len({each.name for each in functions}) == len(functions)


async def test_a_function_with_what_a_form_needs(client: Any) -> None:
    """`include="meta"` brings titles and sources, on one function and in lists; without it there is none."""
    plain = await result(client.functions.get("sandbox-create-ticket"))
    full = await result(client.functions.get("sandbox-create-ticket", include="meta"))
    listed = await everything(client.functions.list(app="sandbox", include="meta"))

    assert plain.meta is None
    assert ("title", "project_id") == plain.parameters.required
    assert "sandbox-list-projects" == full.meta.fields["project_id"].source.function
    assert "sandbox-list-custom-fields" == full.meta.fields["fields"].dynamic_fields.function
    assert full == next(each for each in listed if each.name == full.name)


async def test_prediction(client: Any) -> None:
    """A prompt is turned into a function with arguments that then can be called; nonsense into nothing."""
    function = await result(client.functions.predict(PROMPT, arguments=True))
    chosen = await result(client.functions.get("sandbox-create-ticket", predict_arguments=True, prompt=PROMPT))
    without_arguments = await result(client.functions.predict(PROMPT))
    nothing = await result(client.functions.predict("qwertz uiopü asdfgh"))

    assert "sandbox-create-ticket" == function.name == without_arguments.name
    assert "Login page is broken" == function.arguments["title"] == chosen.arguments["title"]
    assert 0 < function.prediction.confidence <= 1
    assert without_arguments.arguments is None
    assert nothing is None


async def test_a_call_with_the_account_chosen(client: Any, both_accounts: tuple[int, int]) -> None:
    """With two accounts one must be named, and each reaches its own workspace."""
    alice, bob = both_accounts
    with pytest.raises(CallRefusedError) as refused:
        await result(client.functions.call("sandbox-list-projects"))
    projects = [
        {
            row["id"]
            for row in (await result(client.functions.call("sandbox-list-projects", connected_account_id=each))).output
        }
        for each in (alice, str(bob))
    ]

    assert [("connected_account_id", "account_required", "pick_account")] == [
        (detail.field, detail.code, detail.action) for detail in refused.value.details
    ]
    assert "website" in projects[0]
    assert {"research", "hardware"} == projects[1]


async def test_a_refused_call_tells_each_field(
    client: Any, both_accounts: tuple[int, int], sandbox: SandboxApp
) -> None:
    """A call that is not executed raises with all the fields that are wrong, and reaches no app."""
    with pytest.raises(CallRefusedError) as refused:
        await result(
            client.functions.call(
                "sandbox-create-ticket", {"title": 5, "labels": ["a", 1]}, connected_account_id=both_accounts[0]
            )
        )

    found = {(detail.field, detail.code) for detail in refused.value.details}
    assert {("title", "type"), ("project_id", "required"), ("labels[1]", "type")} == found
    assert 400 == refused.value.status
    assert [] == received(sandbox, "/api/v1/tickets")


async def test_an_app_that_refuses_is_an_answer(client: Any, both_accounts: tuple[int, int]) -> None:
    """A call that was executed raises nothing, whatever the app said; items do raise, with the whole answer."""
    arguments = {"title": "No severity", "project_id": "website"}
    answer = await result(
        client.functions.call("sandbox-create-ticket", arguments, connected_account_id=both_accounts[0])
    )
    with pytest.raises(OnwardCallError) as failed:
        await everything(
            client.functions.items(
                "sandbox-list-custom-fields", {"project_id": "no such"}, connected_account_id=both_accounts[0]
            )
        )

    assert ("422", False) == (answer.network_code, answer.succeeded)
    assert "404" == failed.value.result.network_code
    with pytest.raises(OnwardCallError) as raised:
        answer.raise_for_failure()
    assert answer is raised.value.result


async def test_pages_and_items_to_the_end(client: Any, both_accounts: tuple[int, int]) -> None:
    """Pages and items are followed by next_page until it is empty; a page can be where another run goes on."""
    arguments: dict[str, Any] = {"connected_account_id": both_accounts[0]}
    pages = await everything(client.functions.call_pages("sandbox-list-tickets", **arguments))
    items = await everything(client.functions.items("sandbox-list-tickets", **arguments))
    rest = await everything(
        client.functions.call_pages("sandbox-list-tickets", {"next_page": pages[0].next_page}, **arguments)
    )
    unsure = await everything(client.functions.call_pages("sandbox-list-events", **arguments))

    assert len(pages) > 1
    assert [""] == [page.next_page for page in pages if not page.next_page] == [pages[-1].next_page]
    assert 45 == len({ticket["id"] for ticket in items}) == len(items)
    assert items == [ticket for page in pages for ticket in page.output]
    assert [page.output for page in pages[1:]] == [page.output for page in rest]
    assert ([], "") == (unsure[-1].output, unsure[-1].next_page)


async def test_passthrough(client: Any, both_accounts: tuple[int, int], sandbox: SandboxApp) -> None:
    """A request of one's own carries the user's credentials and body, and reaches no other host."""
    bob = {"connected_account_id": both_accounts[1]}
    me = await result(client.functions.passthrough("sandbox", "GET", "/me", **bob))
    made = await result(
        client.functions.passthrough(
            "sandbox",
            "POST",
            f"{sandbox.url}/api/v1/tickets",
            {"title": "Own", "project_id": "hardware", "fields": {"serial_number": "GX-1"}},
            **bob,
        )
    )
    with pytest.raises(CallRefusedError) as refused:
        await result(client.functions.passthrough("sandbox", "GET", "https://example.com/", **bob))

    assert ("200", "u-bob") == (me.network_code, me.output["id"])
    assert ("201", "Own") == (made.network_code, made.output.get("title")), made.output
    assert ("url", "host_not_allowed") == (refused.value.details[0].field, refused.value.details[0].code)


async def test_an_idempotency_key(
    clients: Clients, client: Any, both_accounts: tuple[int, int], sandbox: SandboxApp
) -> None:
    """The same call with the same key happens once; with other arguments it is a conflict."""
    options = {"connected_account_id": both_accounts[0], "idempotency_key": f"once-{clients.kind.__name__}"}
    first, second = [await result(client.functions.call("sandbox-create-ticket", TICKET, **options)) for _ in range(2)]
    with pytest.raises(ConflictError):
        await result(client.functions.call("sandbox-create-ticket", {**TICKET, "title": "Other"}, **options))

    assert "201" == first.network_code
    assert first == second
    assert (False, True) == (first.replayed, second.replayed)
    assert first.request_id
    assert first.request_id != second.request_id
    assert 1 == len(received(sandbox, "/api/v1/tickets"))


async def test_a_session_token(clients: Clients, client: Any, both_accounts: tuple[int, int]) -> None:
    """A backend's token stands for the user alone, does what its scope allows, and mints no further ones."""
    token = (await result(client.session_tokens.create(expires_in=60))).token
    scoped = (await result(client.session_tokens.create(functions=["sandbox-list-projects"]))).token
    alice = {"connected_account_id": both_accounts[0]}
    async with clients.by(token=token) as page:
        (app,) = await everything(page.apps.list(connected_only=True))
        with pytest.raises(PermissionDeniedError):
            await result(page.session_tokens.create())
        with pytest.raises(PermissionDeniedError):
            await result(page.functions.passthrough("sandbox", "GET", "/me", **alice))
    async with clients.by(token=lambda: scoped) as page:
        projects = await result(page.functions.call("sandbox-list-projects", **alice))
        with pytest.raises(PermissionDeniedError):
            await result(page.functions.call("sandbox-list-users", **alice))

    assert set(both_accounts) == {account.id for account in app.connected_accounts}
    assert projects.succeeded


async def test_a_rejected_token_is_asked_for_anew(clients: Clients, client: Any) -> None:
    """A function that gives tokens is called again once a token is refused."""
    good = (await result(client.session_tokens.create())).token
    tokens = iter(["worn-out", good])
    async with clients.by(token=lambda: next(tokens)) as page:
        (app,) = await everything(page.apps.list(connected_only=True))

    assert "sandbox" == app.name


async def test_disconnecting(clients: Clients, running_service: RunningService, sandbox: SandboxApp) -> None:
    """Connected accounts are listed newest first and disconnected by id or, when there is one, without."""
    user = f"leaver-{clients.kind.__name__}"
    first, second = (connect_by_key(running_service, user, sandbox.api_keys[each]) for each in ("alice", "bob"))
    async with clients.of(user) as client:
        listed = await result(client.connected_accounts.list("sandbox"))
        with pytest.raises(BadRequestError) as several:
            await result(client.connected_accounts.disconnect("sandbox"))
        await result(client.connected_accounts.disconnect("sandbox", first))
        with pytest.raises(BadRequestError) as foreign:
            await result(client.connected_accounts.disconnect("sandbox", first))
        await result(client.connected_accounts.disconnect("sandbox"))
        with pytest.raises(BadRequestError) as none:
            await result(client.connected_accounts.disconnect("sandbox"))
        with pytest.raises(CallRefusedError) as refused:
            await result(client.functions.call("sandbox-list-projects"))

    assert [second, first] == [account.id for account in listed]
    errors = (several, foreign, none, refused)
    expected = ["account_required", "account_not_found", "not_connected", "not_connected"]
    assert expected == [error.value.details[0].code for error in errors]


async def test_a_connect_session(clients: Clients) -> None:
    """A session is opened for a user, watched while it is pending, and ended."""
    async with clients.of("connecting") as client:
        session = await result(client.connect_sessions.create("sandbox"))
        pending = await result(client.connect_sessions.get(session.id))
        await result(client.connect_sessions.cancel(session.id))
        cancelled = await result(client.connect_sessions.get(session.id, wait=5))
    async with clients.of("somebody else") as stranger:
        with pytest.raises(NotFoundError):
            await result(stranger.connect_sessions.get(session.id))

    assert session.url.startswith(clients.url)
    assert ["pending", "cancelled"] == [pending.status, cancelled.status]


async def test_wrong_credentials(clients: Clients) -> None:
    """Whatever part is wrong, the answer is 401 and says the same."""
    right = {"app_key": clients.app_key, "user_id": "both", "hash": sign("both", clients.app_secret)}
    for wrong in ({"hash": "0" * 64}, {"user_id": "alice"}, {"app_key": "app_0"}):
        async with clients.by(**{**right, **wrong}) as client:
            with pytest.raises(AuthenticationError) as refused:
                await everything(client.apps.list())
        assert (401, "unauthenticated") == (refused.value.status, refused.value.details[0].code)


async def test_what_there_is_not(client: Any) -> None:
    """An unknown app, function or session is a 404 with its code and the id of the request."""
    asked = [
        (lambda: client.apps.get("nothing"), "unknown_app"),
        (lambda: client.functions.get("sandbox-nothing"), "unknown_function"),
        (lambda: client.functions.call("nothing-at-all"), "unknown_function"),
        (lambda: client.connect_sessions.get("nothing"), "unknown_connect_session"),
        (lambda: client.connect_sessions.create("nothing"), "unknown_app"),
    ]
    for ask, code in asked:
        with pytest.raises(NotFoundError) as refused:
            await result(ask())
        assert (404, code) == (refused.value.status, refused.value.details[0].code)
        assert refused.value.envelope.request_id


async def test_a_service_that_is_not_there(clients: Clients) -> None:
    """Nobody listening is an error of its own, which says that nothing was executed."""
    async with evolve(clients, url=f"http://127.0.0.1:{free_port()}").of("ann") as client:
        with pytest.raises(ServiceUnreachableError) as refused:
            await result(client.functions.call("sandbox-create-ticket", TICKET))

    assert not refused.value.may_have_executed
