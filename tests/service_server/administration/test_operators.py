"""Operators: their roles, what these allow, and that somebody is always left who may do everything."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from attrs import evolve, frozen

from service_server.administration import passwords
from service_server.administration.actors import Actor, NotAllowed
from service_server.administration.admin_keys import KEY_PREFIX, KeyAdministration
from service_server.administration.failures import AdministrationError
from service_server.administration.operators import OperatorAdministration
from service_server.administration.passwords import check_password
from service_server.administration.permissions import ACTS, PERMISSIONS, Permission
from service_server.store import AdminKeys, AuditEvents, Database, Operators
from tests.service_server.actors import DEVELOPER, OWNER, VIEWER
from tests.service_server.databases import dictionaries, execute
from tests.service_server.store.databases import opened


@frozen
class Staff:
    """Who may do what, on a database."""

    database: Database
    operators: OperatorAdministration
    keys: KeyAdministration
    audit: AuditEvents


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deriving the two of each test would take most of the processor time; the console's are as they are served."""
    monkeypatch.setattr(passwords, "COST", 2)


@pytest.fixture
async def staff(database_url: str) -> AsyncIterator[Staff]:
    """Two operators: an owner and a viewer."""
    async with opened(database_url) as database:
        operators = OperatorAdministration(Operators(database))
        await operators.add(OWNER, "ada", "secret of ada")
        await operators.add(OWNER, "vera", "secret of vera", "viewer")
        yield Staff(database, operators, KeyAdministration(AdminKeys(database)), AuditEvents(database))


def test_each_act_has_a_permission_that_an_owner_has() -> None:
    """Nothing is left that nobody may do, and viewers may do nothing that is an act of change."""
    assert set(Permission) == PERMISSIONS["owner"]
    reading = ("call.read", "calls.exported")
    assert not PERMISSIONS["viewer"] & {permission for act, permission in ACTS.items() if act not in reading}
    assert PERMISSIONS["viewer"] < PERMISSIONS["developer"] < PERMISSIONS["owner"]


def test_viewers_see_contents_only_if_they_may() -> None:
    """Of a viewer it is asked; owners and developers always do."""
    allowed = evolve(VIEWER, sees_contents=True)

    assert [True, True, False, True] == [
        each.may(Permission.SEE_CONTENTS) for each in (OWNER, DEVELOPER, VIEWER, allowed)
    ]
    assert not allowed.may(Permission.SET_UP)


async def test_roles_are_kept_and_changed(staff: Staff) -> None:
    """With what a viewer may see; the password stays."""
    await staff.operators.set_role(OWNER, "vera", "viewer", sees_contents=True)
    vera = await staff.operators.operators.get("vera")

    assert vera is not None
    assert ("viewer", True) == (vera.role, vera.sees_contents)
    assert check_password("secret of vera", vera.password_hash)
    assert ["ada", "vera"] == [each.name for each in await staff.operators.everyone(OWNER)]


async def test_the_last_owner_stays(staff: Staff) -> None:
    """The last one is neither removed nor given another role, also if two owners go at the same moment."""
    for refused in (staff.operators.remove(OWNER, "ada"), staff.operators.set_role(OWNER, "ada", "developer")):
        with pytest.raises(AdministrationError, match="last owner"):
            await refused
    await staff.operators.set_role(OWNER, "vera", "owner")
    done = await asyncio.gather(
        staff.operators.remove(OWNER, "ada"), staff.operators.set_role(OWNER, "vera", "viewer"), return_exceptions=True
    )

    assert 1 == sum(isinstance(each, AdministrationError) for each in done)
    assert 1 == sum(each.role == "owner" for each in await staff.operators.everyone(OWNER))


@pytest.mark.parametrize("actor", [DEVELOPER, VIEWER], ids=lambda actor: actor.role)
async def test_only_owners_manage_operators_and_keys(staff: Staff, actor: Actor) -> None:
    """Whoever else tries is told what their role doesn't allow, and nothing changes."""
    for refused in (
        staff.operators.add(actor, "eve", "secret"),
        staff.operators.set_role(actor, "vera", "owner"),
        staff.operators.set_password(actor, "ada", "secret"),
        staff.operators.remove(actor, "vera"),
        staff.operators.everyone(actor),
        staff.keys.create(actor, "robot", "owner"),
        staff.keys.remove(actor, "0"),
        staff.keys.everyone(actor),
    ):
        with pytest.raises(NotAllowed, match=f"The role {actor.role}"):
            await refused

    assert ["owner", "viewer"] == [each.role for each in await staff.operators.everyone(OWNER)]


async def test_everybody_may_change_their_own_password(staff: Staff) -> None:
    """In the console, where they are signed in; a key that has the name of an operator is not that operator."""
    vera = evolve(VIEWER, name="vera")
    await staff.operators.set_password(vera, "vera", "another")
    with pytest.raises(NotAllowed):
        await staff.operators.set_password(evolve(vera, via="api"), "vera", "stolen")
    changed = await staff.operators.operators.get("vera")

    assert changed is not None
    assert check_password("another", changed.password_hash)


@pytest.mark.parametrize(
    ("name", "password", "role"),
    [("", "x", "owner"), ("a\nb", "x", "owner"), ("eve", "", "owner"), ("eve", "x", "root")],
)
async def test_what_can_be_no_operator_is_refused(staff: Staff, name: str, password: str, role: str) -> None:
    """Names are told apart, passwords are not empty, roles are known."""
    with pytest.raises(AdministrationError):
        await staff.operators.add(OWNER, name, password, role)
    with pytest.raises(AdministrationError, match="already"):
        await staff.operators.add(OWNER, "ada", "x", "owner")
    with pytest.raises(AdministrationError, match="There is no operator"):
        await staff.operators.remove(OWNER, "nobody")


async def test_an_operator_of_a_release_without_roles_is_an_owner(database_url: str) -> None:
    """Whom such a release adds in a rolling upgrade may do everything, as everybody could."""
    execute(database_url, "INSERT INTO operators (name, password_hash, created_at) VALUES ('old', 'h', 'x')")
    async with opened(database_url) as database:
        found = await Operators(database).get("old")

    assert found is not None
    assert ("owner", False) == (found.role, found.sees_contents)


async def test_a_key_opens_with_its_role_until_it_ends(staff: Staff) -> None:
    """It is known by its whole text alone, and no longer once it has expired or was removed."""
    key, text = await staff.keys.create(OWNER, "robot", "viewer", sees_contents=True, days=1)
    holder = await staff.keys.holder(text, "192.0.2.7", "r-1")
    expired, expired_text = await staff.keys.create(OWNER, "short", "owner", days=1e-9)
    wrong = [text[:-1] + ("A" if text[-1] != "A" else "B"), text + "x", KEY_PREFIX, "", "ü", f"{KEY_PREFIX}{key.id}_"]

    robot = Actor(name="robot", via="api", role="viewer", sees_contents=True)
    assert evolve(robot, key_id=key.id, address="192.0.2.7", request_id="r-1") == holder
    assert [None] * len(wrong) == [await staff.keys.holder(each, None, None) for each in wrong]
    assert await staff.keys.holder(expired_text, None, None) is None
    assert {key.id, expired.id} == {each.id for each in await staff.keys.everyone(OWNER)}
    await staff.keys.remove(OWNER, key.id)
    assert await staff.keys.holder(text, None, None) is None
    with pytest.raises(AdministrationError, match="There is no key"):
        await staff.keys.remove(OWNER, key.id)


async def test_a_key_is_not_kept(staff: Staff, database_url: str) -> None:
    """Nothing in the database opens anything; that it was used is noted, to the minute."""
    key, text = await staff.keys.create(OWNER, "robot", "owner")
    await staff.keys.holder(text, None, None)
    await staff.keys.holder(text, None, None)
    (row,) = dictionaries(database_url, "SELECT * FROM admin_keys")

    secret = text.partition(f"{key.id}_")[2]  # which may have a "_" itself
    assert len(secret) > 40
    assert row["last_used_at"] is not None
    assert (key.id, "olga") == (row["id"], row["created_by"])
    assert secret not in str(row)
    assert secret not in str(dictionaries(database_url, "SELECT * FROM audit_events"))


@pytest.mark.parametrize("days", [0, -1, float("nan"), 1e9])
async def test_a_key_lasts_as_long_as_is_sensible(staff: Staff, days: float) -> None:
    """A key that never was valid, or lasts for ever by a slip, isn't made."""
    with pytest.raises(AdministrationError, match="days"):
        await staff.keys.create(OWNER, "robot", "owner", days=days)
