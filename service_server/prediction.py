"""The prediction of a running service: its index over the catalogue is made when it is first asked for."""

import asyncio
from collections.abc import Iterator

from service_server.catalog.catalog import Catalog
from service_server.predict import Candidate, Predictor


class Prediction:
    """Gives the predictor of a catalogue; all who ask while its index is made wait for the same one."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._making: asyncio.Task[Predictor] | None = None

    async def predictor(self) -> Predictor:
        """Return the predictor; the first time this takes some 0.3 ms for each function of the catalogue."""
        while True:
            if self._making is None:
                # Beside the event loop, which goes on with the other requests.
                self._making = asyncio.create_task(asyncio.to_thread(predictor_of, self._catalog), name="prediction")
            making = self._making
            try:
                predictor = await asyncio.shield(making)
            except Exception:
                if self._making is making:
                    self._making = None  # the next one to ask tries again
                raise
            if self._making is making:
                return predictor

    def forget(self) -> None:
        """Make the index anew when it is next asked for, because the catalogue is another one."""
        self._making = None


def predictor_of(catalog: Catalog) -> Predictor:
    """Return a predictor over everything a catalogue holds."""
    return Predictor(list(_candidates(catalog)))


def _candidates(catalog: Catalog) -> Iterator[Candidate]:
    """Every function of the catalogue, as prediction sees it."""
    for connector in catalog.connectors.values():
        for function in connector.functions.values():
            yield Candidate(
                function=function.public("", connector.title, include_meta=True),
                title=function.title,
                app_title=connector.title,
                examples=function.examples,
            )
