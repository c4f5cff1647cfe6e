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
from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_connector, minimal_function


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
    ways: list[dict[str, Any]] = []
    for way, title in {"key": "API key", "word": "Password", "bot": "Bot token"}.items():
        inject = {"header": {"X-Key": "${creds.key}"}}
        fields = {"key": {"title": title}}
        ways.append({"id": way, "type": "api_key", "title": title, "fields": fields, "inject": inject})
    functions = {"any": minimal_function(), "keyed": minimal_function() | {"auth": ["key", "word"]}}
    directory: Path = tmp_path_factory.mktemp("connectors")
    ConnectorFolder(minimal_connector() | {"auth": ways}, functions).write(directory)
    catalog = load_catalog([directory])
    return {name: request_of(catalog, f"acme-{name}") for name in functions}


async def chosen(request: CallRequest, *accounts: Account, wanted: int | None = None) -> int:
    """The id of the account that is chosen."""
    request = evolve(request, connected_account_id=wanted)
    return (await choose_account(request, cast(Any, Kept([*accounts])))).id


async def refusal(request: CallRequest, *accounts: Account, wanted: int | None = None) -> ServiceError:
    """Why none is chosen."""
    with pytest.raises(ServiceError) as problem:
        await chosen(request, *accounts, wanted=wanted)
    assert 400 == problem.value.status
    return problem.value


async def test_the_only_account_is_taken(requests: dict[str, CallRequest]) -> None:
    """Named or not."""
    assert 3 == await chosen(requests["any"], account_of(3))
    assert 3 == await chosen(requests["any"], account_of(3), wanted=3)


async def test_the_named_account_is_taken(requests: dict[str, CallRequest]) -> None:
    """Whichever place it has among the user's."""
    accounts = [account_of(number) for number in (3, 4, 5)]

    assert [3, 4, 5] == [await chosen(requests["any"], *accounts, wanted=number) for number in (3, 4, 5)]


async def test_the_only_account_that_can_is_taken(requests: dict[str, CallRequest]) -> None:
    """One that was connected by another way is no choice."""
    assert 4 == await chosen(requests["keyed"], account_of(3, auth_id="bot"), account_of(4))


async def test_nobody_guesses(requests: dict[str, CallRequest]) -> None:
    """Of several the user picks one, also where one of them would have to be connected again."""
    problem = await refusal(requests["any"], account_of(3), account_of(4, state="reconnect_required"))
    (detail,) = problem.details

    assert (Code.ACCOUNT_REQUIRED, "connected_account_id", Action.PICK_ACCOUNT) == (
        detail.code,
        detail.field,
        detail.action,
    )
    assert "one with connected_account_id: 3 (Account 3), 4 (Account 4)." in problem.error


async def test_without_an_account_one_has_to_be_connected(requests: dict[str, CallRequest]) -> None:
    """Also if others have some."""
    ours, theirs = await refusal(requests["any"]), await refusal(evolve(requests["any"], user_id="bob"), account_of(3))

    for problem in (ours, theirs):
        assert (Code.NOT_CONNECTED, Action.CONNECT) == (problem.code, problem.details[0].action)


async def test_another_users_account_is_none(requests: dict[str, CallRequest]) -> None:
    """An id that is none of this user's accounts is refused, and no other account is taken."""
    problem = await refusal(requests["any"], account_of(3), wanted=9)
    (detail,) = problem.details

    assert (Code.ACCOUNT_NOT_FOUND, "connected_account_id", Action.PICK_ACCOUNT) == (
        detail.code,
        detail.field,
        detail.action,
    )
    assert "There is no account 9 of Acme" in problem.error


@pytest.mark.parametrize("wanted", [None, 3])
async def test_an_account_that_can_not(requests: dict[str, CallRequest], wanted: int | None) -> None:
    """It is told by which ways an account that can is connected, and by which this one was."""
    accounts = [account_of(3, auth_id="bot"), account_of(4, auth_id="bot")]
    problem = await refusal(requests["keyed"], *accounts, wanted=wanted)

    assert (Code.NOT_CONNECTED, Action.CONNECT) == (problem.code, problem.details[0].action)
    assert "is connected by “API key” or “Password”" in problem.error
    assert "“Account 3” was connected by “Bot token”" in problem.error


async def test_a_way_that_is_no_longer_there(requests: dict[str, CallRequest]) -> None:
    """An account may have been connected by a way that the connector has dropped; its id is told then."""
    problem = await refusal(requests["keyed"], account_of(3, auth_id="former"))

    assert "was connected by “former”" in problem.error


async def test_an_account_that_must_be_reconnected(requests: dict[str, CallRequest]) -> None:
    """It is refused with the button for that."""
    problem = await refusal(requests["any"], account_of(3, state="reconnect_required", state_reason="Gone."))

    assert (Code.RECONNECT_REQUIRED, Action.RECONNECT) == (problem.code, problem.details[0].action)
    assert "Account 3" in problem.error


def test_a_list_of_accounts_ends_somewhere() -> None:
    """Twenty are named."""
    problem = several_accounts([account_of(number) for number in range(100, 130)], "Acme")

    assert "119 (Account 119)." in problem.error
    assert "120" not in problem.error
