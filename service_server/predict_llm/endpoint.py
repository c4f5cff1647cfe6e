"""Ask the operator's language model: one request, limited in time and size, and never sent anywhere else."""

import asyncio
import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import structlog

from service_server.json_texts.foreign import read_json
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.onward.target import parse_target
from service_server.onward.values import HostNotAllowed, HostRules, Interrupted, NotSent, OnwardRequest
from service_server.predict_llm.answer import Unusable
from service_server.settings import LanguageModel

_CONNECT_SECONDS = 5.0
_HTTP_OK = 200

_LOG = structlog.get_logger(__name__)


class Endpoint:
    """
    The connection to one language model, used as an async context manager.

    It has a sender of its own, which reaches the model's host wherever that is, and no other, not even by a redirect.
    Failures are logged when they begin and when they are over, not with every request.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        target = parse_target(model.url)
        host = f"[{target.host}]" if ":" in target.host else target.host
        self._place = f"{host}:{target.port}"
        self._sender = Sender(
            OnwardSettings(
                timeout_seconds=model.timeout_seconds,
                connect_timeout_seconds=min(_CONNECT_SECONDS, model.timeout_seconds),
                max_response_bytes=model.max_response_bytes,
                max_redirects=0,
                allow_hosts=(self._place,),
            )
        )
        self._places = asyncio.Semaphore(model.most_at_once)
        self._failing = ""

    async def __aenter__(self) -> Self:
        await self._sender.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._sender.__aexit__(kind, error, traceback)

    async def ask(self, question: Mapping[str, Any]) -> Any:
        """
        Return what the model answers to the body of a chat completion.

        Raises:
            Unusable: no whole answer came in time, or it is not usable. The reason holds nothing of question,
                answer or key.
        """
        body = json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")
        headers = [("accept", "application/json"), ("content-type", "application/json")]
        if self._model.key:
            headers.append(("authorization", f"Bearer {self._model.key}"))
        request = OnwardRequest("POST", f"{self._model.url}/chat/completions", tuple(headers), body)
        try:
            async with asyncio.timeout(self._model.timeout_seconds), self._places:
                response = await self._sender.fetch(
                    request, HostRules((self._place,)), secret_headers=frozenset({"authorization"})
                )
        except TimeoutError:
            raise Unusable("it did not answer in time") from None
        except (HostNotAllowed, Interrupted, NotSent) as failure:
            raise Unusable(failure.reason.replace("the app's", "its").replace("the app", "it")) from None
        if response.status != _HTTP_OK:
            raise Unusable(f"it answered with the status {response.status}")
        try:
            return read_json(response.body, as_unicode=True)
        except ValueError:
            raise Unusable("its answer is not JSON") from None

    def note(self, failing: str) -> None:
        """Log that the model began to fail or, with an empty reason, that it answers again."""
        if failing and not self._failing:
            _LOG.warning("language_model.unavailable", host=self._place, reason=failing)
        elif self._failing and not failing:
            _LOG.info("language_model.available", host=self._place)
        self._failing = failing
