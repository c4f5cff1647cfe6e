"""A language model beside the tests, and what asks it."""

import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
from attrs import frozen

from service_server.predict_llm import LanguageModelChooser
from service_server.settings import LanguageModel
from tests.real_apps.running import running

KEY = "llm-key-0123456789abcdef"
Chooser = Callable[..., contextlib.AbstractAsyncContextManager[LanguageModelChooser]]


@frozen
class RunningModel:
    """A running language model."""

    url: str

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked so far, oldest first."""
        found: list[dict[str, Any]] = httpx.get(f"{self.url}/requests", trust_env=False).json()
        return found

    def tools(self) -> list[dict[str, Any]]:
        """The functions that it was offered last."""
        return [tool["function"] for tool in self.requests()[-1]["body"]["tools"]]


@contextlib.contextmanager
def running_model() -> Iterator[RunningModel]:
    """Run a language model as a process of its own."""
    with running([sys.executable, "-m", "tests.service_server.predict_llm.language_model"]) as program:
        yield RunningModel(program.first_json_line()["url"])


@pytest.fixture(scope="session")
def language_model() -> Iterator[RunningModel]:
    """The language model for the whole run."""
    with running_model() as model:
        yield model


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[RunningModel]:
    """Another server, which nothing may ever reach."""
    with running_model() as model:
        yield model


@pytest.fixture
def chooser(language_model: RunningModel) -> Chooser:
    """Open choosers that ask the model to behave in one way; further keywords are its settings."""

    @contextlib.asynccontextmanager
    async def chooser(behaviour: str, **settings: Any) -> AsyncIterator[LanguageModelChooser]:
        model = LanguageModel(**{"url": f"{language_model.url}/v1", "model": behaviour, "key": KEY, **settings})
        async with LanguageModelChooser(model) as opened:
            yield opened

    return chooser
