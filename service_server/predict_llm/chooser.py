"""Ask a language model which of a few functions a prompt means, and with which arguments."""

from collections.abc import Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from attrs import frozen

from service_client.models import Function
from service_server.predict.reading import read
from service_server.predict.values import ArgumentPrediction
from service_server.predict_llm.answer import Unusable, tool_call
from service_server.predict_llm.endpoint import Endpoint
from service_server.predict_llm.proposed_arguments import kept_arguments
from service_server.predict_llm.question import MOST_FUNCTIONS, question
from service_server.predict_llm.tools import tool_names
from service_server.settings import LanguageModel


@frozen(kw_only=True)
class Choice:
    """
    What a language model chose: the function's name, or None where no offered one fits.

    `arguments` are set if they were asked for and a function was chosen.
    """

    name: str | None
    arguments: ArgumentPrediction | None = None


class LanguageModelChooser:
    """Chooses among ranked functions with a language model; one per process, used as an async context manager."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._endpoint = Endpoint(model)

    async def __aenter__(self) -> Self:
        await self._endpoint.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._endpoint.__aexit__(kind, error, traceback)

    async def choose(
        self,
        prompt: str,
        functions: Sequence[Function],
        *,
        now: datetime | None = None,
        with_arguments: bool = True,
    ) -> Choice | None:
        """
        Return what the model chooses among the functions, given best first; only the first five count.

        None where the model can't be asked, fails, or gives no usable answer: go on without it. `now`, which has a time
        zone, is what "tomorrow" counts from; the default is the present in UTC.
        """
        now = now or datetime.now(UTC)
        named = tool_names(functions[:MOST_FUNCTIONS])
        asked = question(
            self._model.model,
            prompt,
            named,
            now,
            with_arguments=with_arguments,
            max_bytes=self._model.max_request_bytes,
        )
        if asked is None:
            return None
        offered = {each["function"]["name"] for each in asked["tools"]}
        try:
            call = tool_call(await self._endpoint.ask(asked))
            if call is not None and call.name not in offered:
                raise Unusable("it chose a function that it was not offered")
        except Unusable as unusable:
            self._endpoint.note(unusable.reason)
            return None
        self._endpoint.note("")
        if call is None:
            return Choice(name=None)
        function = named[call.name]
        if not with_arguments:
            return Choice(name=function.name)
        return Choice(name=function.name, arguments=kept_arguments(function, call.arguments, read(prompt, now), now))
