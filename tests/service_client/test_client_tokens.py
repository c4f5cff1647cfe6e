import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from service_client.tokens import AsyncTokenKeeper, TokenKeeper


def test_a_fixed_token_has_no_successor() -> None:
    """A token given as text is used as it is, and nothing replaces it once it is rejected."""
    keeper = TokenKeeper("t")

    assert ("t", None, "t") == (keeper(None), keeper("t"), keeper("older"))


def test_a_token_is_asked_for_once_and_kept() -> None:
    """The source is called for the first token and for each rejected one, not for every request."""
    tokens = iter(["t-1", "t-2"])
    keeper = TokenKeeper(lambda: next(tokens))

    seen = [keeper(rejected) for rejected in (None, None, "t-1", "t-1", None)]
    assert ["t-1", "t-1", "t-2", "t-2", "t-2"] == seen


async def test_a_source_may_be_awaited_or_not() -> None:
    """The awaiting client takes texts, functions and coroutine functions."""

    async def awaited() -> str:
        return "awaited"

    assert await AsyncTokenKeeper("text")(None) == "text"
    assert await AsyncTokenKeeper("text")("text") is None
    assert await AsyncTokenKeeper(lambda: "called")(None) == "called"
    assert await AsyncTokenKeeper(awaited)(None) == "awaited"


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
