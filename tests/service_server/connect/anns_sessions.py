"""Connect sessions of the user Ann with the sandbox app, at the parts of a service."""

from typing import Any

from service_client.models import ConnectSession, ConnectSessionState
from service_server.store import Account
from tests.service_server.connected_world import Browser, World, provider_answer


async def opened(world: World, **options: Any) -> ConnectSession:
    """Open a session."""
    return await world.connect.create(world.application, "ann", "sandbox", **options)


async def state(world: World, session_id: str, wait: float = 0) -> ConnectSessionState:
    """How a session stands."""
    return await world.connect.state(world.application, "ann", session_id, wait)


async def status(world: World, session_id: str) -> str:
    """How a session stands, in a word."""
    return (await state(world, session_id)).status


async def cancel(world: World, session_id: str) -> None:
    """End a session as the SDK does."""
    await world.connect.cancel(world.application, "ann", session_id)


async def accounts(world: World) -> list[Account]:
    """Ann's accounts."""
    return list(await world.accounts.of_user(world.application.id, "ann"))


async def leave(world: World, browser: Browser, **options: Any) -> tuple[str, str]:
    """Set out for the provider in a session: its id, and the address of the provider's page."""
    session = await opened(world, **options)
    await browser.open(session.url)
    await browser.submit()
    return session.id, browser.leads_to()


async def allow(world: World, browser: Browser, username: str = "alice", **options: Any) -> tuple[str, str]:
    """Grant access at the provider in a session: its id, and the address to which the browser is sent back."""
    session_id, address = await leave(world, browser, **options)
    return session_id, provider_answer(world.sandbox, address, username)


async def connect(world: World, browser: Browser, username: str = "alice", **options: Any) -> Account:
    """Connect an account through the provider."""
    session_id, answer = await allow(world, browser, username, **options)
    await browser.open(answer)
    return await connected(world, session_id)


async def connect_by_key(world: World, browser: Browser, username: str = "alice") -> Account:
    """Connect an account by an API key, with what copying leaves around it."""
    session = await opened(world)
    await browser.type_key(session.url, f"  {world.sandbox.api_keys[username]}\n")
    return await connected(world, session.id)


async def connected(world: World, session_id: str) -> Account:
    """The account that a session has connected."""
    ended = await state(world, session_id)
    assert "connected" == ended.status, ended
    account = await world.accounts.get(ended.connected_account_id or 0)
    assert account is not None
    return account
