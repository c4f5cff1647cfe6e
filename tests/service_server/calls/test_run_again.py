"""A call of the log that an operator runs once more, as it was and for the same user; or is told why it can't be."""

from typing import Any

import pytest

from service_server.administration.actors import Actor, NotAllowed
from service_server.administration.failures import AdministrationError
from service_server.invoke.replay import obstacle, replay
from service_server.onward.values import Unsent
from service_server.store import AuditEvents, Call
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole
from tests.service_server.store.databases import call, connect, new_account

ADA = Actor(name="ada", via="console", role="owner", request_id="again")


async def run_again(
    calls: ScriptedCalls, row: Call, actor: Actor = ADA, *, confirmed: bool = True
) -> tuple[str | None, list[tuple[str, str, str, Any]]]:
    """Run a call again; the new call's id, and what the audit trail has of it."""
    audit = AuditEvents(calls.database)
    again = await replay(
        row,
        actor,
        confirmed=confirmed,
        catalog=calls.catalog,
        invoker=calls.invoker,
        calls=calls.log,
        audit=audit,
    )
    return again, [(each.actor, each.act, each.subject, each.changes) for each in await audit.events(limit=9)]


async def test_it_is_called_as_it_was(calls: ScriptedCalls) -> None:
    """With the same arguments, in the same one of the user's accounts; the audit trail says who wanted it."""
    await calls.script([whole(201)])
    await connect(calls.database, new_account("other", app_name="acme", auth_id="key"))
    first = call("first", app_name="acme", function_name="acme-tag", arguments={"name": "a"}, account_id=1)
    await calls.log.record(call("with the same id", user_id="bob", request_id="again"))
    again, audited = await run_again(calls, first)
    (row, _) = await calls.rows()

    assert (again, "again", "finished", 1) == (row.id, row.request_id, row.outcome, row.account_id)
    assert (1, "ann", "acme-tag", {"name": "a"}) == (row.application_id, row.user_id, row.function_name, row.arguments)
    assert [b'{"name":"a"}'] == [each.body for each in calls.sender.sent]
    assert [("ada", "call.replayed", "first", {"function": "acme-tag"})] == audited


TOO_LONG = "Its arguments were too long to be kept."


@pytest.mark.parametrize(
    ("function", "arguments", "problem"),
    [
        ("gone", {}, "The catalogue no longer has this function."),
        ("add", "[redacted]", TOO_LONG),
        ("add", {"truncated": True, "beginning": "{"}, TOO_LONG),
        ("add", {"truncated": True}, TOO_LONG),  # as it stands where the log failed to work it out
        ("add", {"password": ["[redacted]"]}, "Some of its arguments are secret and were not kept."),
        ("attach", {"files": ["a"]}, "It was given files, which are kept for an hour only."),
        ("attach", {"file": None, "files": []}, None),
        ("add", {"truncated": True, "beginning": "{", "name": "a"}, None),
        ("add", {"truncated": False, "beginning": "{"}, None),
        ("add", {"beginning": "{"}, None),
        ("add", {}, None),
    ],
)
async def test_what_was_not_kept_whole(
    calls: ScriptedCalls, function: str, arguments: Any, problem: str | None
) -> None:
    """It can't be run again, and the audit trail has nothing of it; what only looks like it can."""
    row = call("first", app_name="acme", function_name=f"acme-{function}", arguments=arguments)
    if problem is not None:
        with pytest.raises(AdministrationError, match=f"^{problem}$"):
            await run_again(calls, row)

    assert problem == obstacle(row, calls.catalog)
    assert [] == await AuditEvents(calls.database).events(limit=9)


async def test_what_nobody_may_run_again(calls: ScriptedCalls) -> None:
    """A change that isn't confirmed, and anything by someone whose role doesn't allow it; a query needs no tick."""
    await calls.script([whole()])
    change, query = (call(name, function_name=f"acme-{name}", arguments={}) for name in ("add", "find"))
    with pytest.raises(AdministrationError, match="Confirm") as refusal:
        await run_again(calls, change, confirmed=False)
    with pytest.raises(NotAllowed):
        await run_again(calls, query, Actor(name="bo", via="console", role="viewer", request_id="again"))

    assert {"confirmed": "Confirm that it may change something, then run it again."} == refusal.value.problems
    assert [] == calls.sender.sent
    assert [] == await AuditEvents(calls.database).events(limit=9)
    assert (await run_again(calls, query, confirmed=False))[0] is not None
    assert 1 == len(calls.sender.sent)


async def test_it_may_be_refused(calls: ScriptedCalls) -> None:
    """As any call; the operator reads why, and the audit trail has that they wanted it."""
    await calls.script([Unsent("unreachable", "closed")])
    with pytest.raises(AdministrationError, match=r"refused, and nothing was sent: Acme cannot be reached"):
        await run_again(calls, call("first", function_name="acme-add", arguments={}))

    assert ["call.replayed"] == [each.act for each in await AuditEvents(calls.database).events(limit=9)]
