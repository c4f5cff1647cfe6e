import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

from service_client import SessionToken
from service_client.tokens import AsyncTokenKeeper, TokenKeeper


async def test_a_fixed_token_has_no_successor() -> None:
    """A token given as text is used as it is, and nothing replaces it once it is rejected."""
    keeper, awaited = TokenKeeper("t"), AsyncTokenKeeper("t")

    for rejected, expected in ((None, "t"), ("t", None), ("older", "t")):
        assert expected == keeper(rejected) == await awaited(rejected)


async def test_a_token_is_asked_for_once_and_kept() -> None:
    """The source, which may be awaited or not, is called for the first token and for each rejected one."""

    def source() -> Callable[[], str]:
        return iter(["t-1", "t-2"]).__next__

    async def awaited(tokens: Callable[[], str]) -> str:
        return tokens()

    blocking = TokenKeeper(source())
    keepers = [AsyncTokenKeeper(source()), AsyncTokenKeeper(partial(awaited, source()))]
    asked = (None, None, "t-1", "t-1", None)
    expected = ["t-1", "t-1", "t-2", "t-2", "t-2"]

    assert expected == [blocking(rejected) for rejected in asked]
    for keeper in keepers:
        assert expected == [await keeper(rejected) for rejected in asked]


async def test_tasks_that_need_a_token_share_one_call() -> None:
    """A page that starts ten requests at once mints one token, and again one when all ten are rejected."""
    calls = 0

    async def source() -> str:
        nonlocal calls
        calls += 1
        number = calls
        await asyncio.sleep(0)
        return f"t-{number}"

    keeper = AsyncTokenKeeper(source)

    assert ["t-1"] * 10 == await asyncio.gather(*(keeper(None) for _ in range(10)))
    assert ["t-2"] * 10 == await asyncio.gather(*(keeper("t-1") for _ in range(10)))


def test_threads_that_need_a_token_share_one_call() -> None:
    """The blocking keeper does the same for threads."""
    calls = 0
    together = threading.Barrier(4)

    def source() -> str:
        nonlocal calls
        calls += 1
        return f"t-{calls}"

    keeper = TokenKeeper(source)

    def ask(rejected: str | None) -> str | None:
        together.wait()
        return keeper(rejected)

    with ThreadPoolExecutor(4) as threads:
        assert ["t-1"] * 4 == list(threads.map(ask, [None] * 4))
        assert ["t-2"] * 4 == list(threads.map(ask, ["t-1"] * 4))


async def test_a_source_that_fails_is_asked_again_later() -> None:
    """An error of the source reaches the caller and is not kept."""
    answers = iter([RuntimeError("backend away"), "t-1"])

    def source() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    keeper = AsyncTokenKeeper(source)
    (error, token) = [await asyncio.gather(keeper(None), return_exceptions=True) for _ in range(2)]

    assert isinstance(error[0], RuntimeError)
    assert ["t-1"] == token


def test_a_token_is_not_shown() -> None:
    """Whoever logs what the service gave logs no credential; the page gets it from the attribute."""
    given = SessionToken(token="t-1", expires_at=datetime(2026, 1, 1, tzinfo=UTC))

    assert "t-1" not in repr(given)
    assert "t-1" == given.token
