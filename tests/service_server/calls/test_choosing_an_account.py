"""The account that a call runs in: the named one, or the only one that can; otherwise the button that helps."""

from pathlib import Path
from typing import Any, cast

import pytest
from attrs import evolve, frozen

from service_client.models import Action, Code
from service_server.catalog.load import load_catalog
from service_server.errors import ServiceError
from service_server.invoke import CallRequest
from service_server.invoke.choose_account import choose_account, several_accounts
from service_server.store import Account
from tests.service_server.calls.callers import account_of, request_of
from tests.service_server.calls.scripted_calls import KEY
from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_connector, minimal_function

BOT, KEYED = account_of(3, auth_id="bot"), account_of(4)
GONE = account_of(3, state="reconnect_required", state_reason="Gone.")
ID = "connected_account_id"


@frozen
class Kept:
    """The accounts of Ann in the app, and of nobody else."""

    accounts: list[Account]

    async def of_user(self, *whose: Any) -> list[Account]:
        """Those of a user in an app."""
        return list(self.accounts) if whose == (1, "ann", "acme") else []


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CallRequest]:
    """Calls of a function that any account can do, and of one that only those with a key or a password can."""
    titles = {"key": "API key", "word": "Password", "bot": "Bot token"}
    ways = [KEY | {"id": way, "title": title} for way, title in titles.items()]
    functions = {"any": minimal_function(), "keyed": minimal_function() | {"auth": ["key", "word"]}}
    directory: Path = tmp_path_factory.mktemp("connectors")
    ConnectorFolder(minimal_connector() | {"auth": ways}, functions).write(directory)
    catalog = load_catalog([directory])
    calls = {name: request_of(catalog, f"acme-{name}") for name in functions}
    return calls | {"any of Bob's": evolve(calls["any"], user_id="bob")}


@pytest.mark.parametrize(
    ("function", "accounts", "wanted", "chosen"),
    [
        ("any", [account_of(3)], None, 3),
        ("any", [account_of(3)], 3, 3),
        *(("any", [account_of(3), account_of(4), account_of(5)], wanted, wanted) for wanted in (3, 4, 5)),
        ("keyed", [BOT, KEYED], None, 4),  # one that was connected by another way is no choice
    ],
)
async def test_the_named_or_the_only_account_is_taken(
    requests: dict[str, CallRequest], function: str, accounts: list[Account], wanted: int | None, chosen: int
) -> None:
    """Whichever place it has among the user's."""
    request = evolve(requests[function], connected_account_id=wanted)

    assert chosen == (await choose_account(request, cast(Any, Kept(accounts)))).id


@pytest.mark.parametrize(
    ("function", "accounts", "wanted", "detail", "said"),
    [
        (
            *("any", [account_of(3), account_of(4, state="reconnect_required")], None),
            (Code.ACCOUNT_REQUIRED, ID, Action.PICK_ACCOUNT),
            "one with connected_account_id: 3 (Account 3), 4 (Account 4).",
        ),
        ("any", [], None, (Code.NOT_CONNECTED, None, Action.CONNECT), "Connect an account of Acme first."),
        ("any of Bob's", [KEYED], None, (Code.NOT_CONNECTED, None, Action.CONNECT), "Connect an account"),
        ("any", [KEYED], 9, (Code.ACCOUNT_NOT_FOUND, ID, Action.PICK_ACCOUNT), "There is no account 9 of Acme"),
        *(
            ("keyed", [BOT, account_of(4, auth_id="bot")], wanted, (Code.NOT_CONNECTED, None, Action.CONNECT), said)
            for wanted in (None, 3)
            for said in ("by “API key” or “Password”", "“Account 3” was connected by “Bot token”")
        ),
        (  # a way that the connector has dropped is told by its id
            *("keyed", [account_of(3, auth_id="former")], None, (Code.NOT_CONNECTED, None, Action.CONNECT)),
            "was connected by “former”",
        ),
        ("any", [GONE], None, (Code.RECONNECT_REQUIRED, None, Action.RECONNECT), "Account 3"),
    ],
)
async def test_nobody_guesses(
    requests: dict[str, CallRequest],
    function: str,
    accounts: list[Account],
    wanted: int | None,
    detail: tuple[Any, ...],
    said: str,
) -> None:
    """Of several, of another's, of those that can't or must be connected again none is taken, and it is told why."""
    with pytest.raises(ServiceError) as problem:
        await choose_account(evolve(requests[function], connected_account_id=wanted), cast(Any, Kept(accounts)))
    (found,) = problem.value.details

    assert (400, *detail) == (problem.value.status, found.code, found.field, found.action)
    assert said in problem.value.error


def test_a_list_of_accounts_ends_somewhere() -> None:
    """Twenty are named."""
    problem = several_accounts([account_of(number) for number in range(100, 130)], "Acme")

    assert "119 (Account 119)." in problem.error
    assert "120" not in problem.error
