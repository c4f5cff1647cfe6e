"""Operators: their roles, what these allow, and that somebody is always left who may do everything."""

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator

import pytest
from attrs import evolve, frozen

from service_server.administration import passwords
from service_server.administration.actors import Actor, NotAllowed
from service_server.administration.admin_keys import KEY_PREFIX, KeyAdministration
from service_server.administration.failures import AdministrationError
from service_server.administration.operators import OperatorAdministration
from service_server.administration.passwords import check_password, hash_password
from service_server.administration.permissions import ACTS, PERMISSIONS, Permission
from service_server.store import AdminKeys, Operators
from tests.service_server.actors import DEVELOPER, OWNER, VIEWER
from tests.service_server.databases import ON_SQLITE, dictionaries, execute
from tests.service_server.store.databases import opened


@frozen
class Staff:
    """Who may do what, on a database."""

    operators: OperatorAdministration
    keys: KeyAdministration


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
        yield Staff(operators, KeyAdministration(AdminKeys(database)))


def test_each_act_has_a_permission_that_an_owner_has() -> None:
    """Viewers change nothing, and see contents only if they are said to, which owners and developers always do."""
    assert set(Permission) == PERMISSIONS["owner"]
    reading = ("call.read", "calls.exported")
    assert not PERMISSIONS["viewer"] & {permission for act, permission in ACTS.items() if act not in reading}
    assert PERMISSIONS["viewer"] < PERMISSIONS["developer"] < PERMISSIONS["owner"]
    allowed = evolve(VIEWER, sees_contents=True)
    seeing = [each.may(Permission.SEE_CONTENTS) for each in (OWNER, DEVELOPER, VIEWER, allowed)]
    assert [True, True, False, True] == seeing
    assert not allowed.may(Permission.SET_UP)


async def test_roles_are_kept_and_the_last_owner_stays(staff: Staff) -> None:
    """The last one is neither removed nor given another role, also if two owners go at the same moment."""
    await staff.operators.set_role(OWNER, "vera", "viewer", sees_contents=True)
    ada, vera = await staff.operators.everyone(OWNER)
    assert [("ada", "owner", False), ("vera", "viewer", True)] == [
        (each.name, each.role, each.sees_contents) for each in (ada, vera)
    ]
    assert check_password("secret of vera", vera.password_hash)
    for refused in (staff.operators.remove(OWNER, "ada"), staff.operators.set_role(OWNER, "ada", "developer")):
        with pytest.raises(AdministrationError, match="last owner"):
            await refused
    await staff.operators.set_role(OWNER, "vera", "owner")
    done = await asyncio.gather(
        staff.operators.remove(OWNER, "ada"), staff.operators.set_role(OWNER, "vera", "viewer"), return_exceptions=True
    )

    assert 1 == sum(isinstance(each, AdministrationError) for each in done)
    assert 1 == sum(each.role == "owner" for each in await staff.operators.everyone(OWNER))


@ON_SQLITE
async def test_only_owners_manage_operators_and_keys(staff: Staff) -> None:
    """Whoever else tries is told what their role doesn't allow, and nothing changes."""
    for actor in (DEVELOPER, VIEWER):
        for refused in (
            staff.operators.add(actor, "eve", "secret of eve"),
            staff.operators.set_role(actor, "vera", "owner"),
            staff.operators.set_password(actor, "ada", "secret of ada"),
            staff.operators.remove(actor, "vera"),
            staff.operators.everyone(actor),
            staff.keys.create(actor, "robot", "owner"),
            staff.keys.remove(actor, "0"),
            staff.keys.everyone(actor),
        ):
            with pytest.raises(NotAllowed, match=f"The role {actor.role}"):
                await refused

    assert ["owner", "viewer"] == [each.role for each in await staff.operators.everyone(OWNER)]


@ON_SQLITE
async def test_everybody_may_change_their_own_password(staff: Staff) -> None:
    """In the console, where they are signed in; a key that has the name of an operator is not that operator."""
    vera = evolve(VIEWER, name="vera")
    await staff.operators.set_password(vera, "vera", "another one")
    with pytest.raises(NotAllowed):
        await staff.operators.set_password(evolve(vera, via="api"), "vera", "stolen from her")
    changed = await staff.operators.operators.get("vera")

    assert check_password("another one", changed.password_hash)


@ON_SQLITE
async def test_what_can_be_no_operator_or_key_is_refused(staff: Staff) -> None:
    """Names are told apart and roles known; no key was never valid, or lasts for ever by a slip."""
    add, remove = staff.operators.add, staff.operators.remove
    refused = [(add(OWNER, name, "a password"), "printable") for name in ("", "a\nb")]
    refused += [(add(OWNER, "eve", "a password", "root"), "There is no role")]
    refused += [(add(OWNER, "ada", "a password", "owner"), "already")]
    refused += [(remove(OWNER, "nobody"), "There is no operator")]
    refused += [(staff.keys.create(OWNER, "robot", "owner", days=days), "days") for days in (0, -1, math.nan, 1e9)]
    for asked, said in refused:
        with pytest.raises(AdministrationError, match=said):
            await asked


@ON_SQLITE
@pytest.mark.parametrize(
    ("password", "said"), [("", "empty"), ("x", "8 to 1,024"), ("seven to", None), ("0" * 1025, "8 to 1,024")]
)
async def test_a_new_password_has_eight_characters_of_any_kind(staff: Staff, password: str, said: str | None) -> None:
    """As it does when it is changed; an operator whose password is shorter from before goes on signing in by it."""
    before = hash_password("x")
    with contextlib.nullcontext() if said is None else pytest.raises(AdministrationError, match=said):
        await staff.operators.add(OWNER, "eve", password)
    with contextlib.nullcontext() if said is None else pytest.raises(AdministrationError, match=said):
        await staff.operators.set_password(OWNER, "ada", password)

    assert check_password("x", before)
    assert ("eve" in {each.name for each in await staff.operators.everyone(OWNER)}) == (said is None)


async def test_an_operator_of_a_release_without_roles_is_an_owner(staff: Staff, database_url: str) -> None:
    """Whom such a release adds in a rolling upgrade may do everything, as everybody could."""
    execute(database_url, "INSERT INTO operators (name, password_hash, created_at) VALUES ('old', 'h', 'x')")
    found = await staff.operators.operators.get("old")

    assert ("owner", False) == (found.role, found.sees_contents)


async def test_a_key_opens_with_its_role_until_it_ends(staff: Staff, database_url: str) -> None:
    """It is known by its whole text alone, which is kept nowhere, and no longer once it has expired or was removed."""
    key, text = await staff.keys.create(OWNER, "robot", "viewer", sees_contents=True, days=1)
    holder = await staff.keys.holder(text, "192.0.2.7", "r-1")
    expired, expired_text = await staff.keys.create(OWNER, "short", "owner", days=1e-9)
    wrong = [text[:-1] + ("A" if text[-1] != "A" else "B"), text + "x", KEY_PREFIX, "", "ü", f"{KEY_PREFIX}{key.id}_"]
    (row,) = dictionaries(database_url, "SELECT * FROM admin_keys WHERE name = 'robot'")

    robot = Actor(name="robot", via="api", role="viewer", sees_contents=True)
    assert evolve(robot, key_id=key.id, address="192.0.2.7", request_id="r-1") == holder
    for each in (*wrong, expired_text):
        assert await staff.keys.holder(each, None, None) is None
    assert (key.id, "olga") == (row["id"], row["created_by"])
    assert row["last_used_at"] is not None
    secret = text.partition(f"{key.id}_")[2]  # which may have a "_" itself
    assert len(secret) > 40
    assert secret not in f"{row} {dictionaries(database_url, 'SELECT * FROM audit_events')}"
    assert {key.id, expired.id} == {each.id for each in await staff.keys.everyone(OWNER)}
    await staff.keys.remove(OWNER, key.id)
    assert await staff.keys.holder(text, None, None) is None
    with pytest.raises(AdministrationError, match="There is no key"):
        await staff.keys.remove(OWNER, key.id)
