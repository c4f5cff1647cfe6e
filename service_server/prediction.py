"""The prediction of a running service: its index over the catalogue is made when it is first asked for."""

import asyncio
from collections.abc import Iterator

from service_client.models import Function, FunctionApp, FunctionMeta, Parameters
from service_server.catalog.catalog import Catalog
from service_server.catalog.passthrough import passthrough_function
from service_server.predict import Candidate, Predictor

LONGEST_PROMPT = 4000
"""Characters of a prompt that are read."""


class Prediction:
    """Gives the predictor of a catalogue; all who ask while its index is made wait for the same one."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._making: asyncio.Task[Predictor] | None = None

    async def predictor(self) -> Predictor:
        """Return the predictor; the first time this takes some 0.15 ms for each function of the catalogue."""
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

    def function(name: str) -> Function:
        definition = catalog.function(name)
        if definition is None:
            raise KeyError(name)
        return definition.public("", "", include_meta=True)

    return Predictor(candidates(catalog), function)


def candidates(catalog: Catalog) -> Iterator[Candidate]:
    """Yield every function of the catalogue as prediction sees it: by its texts, none of which is compiled for that."""
    for file, functions in catalog.files():
        app_name, title = file.value["name"], file.value["title"]
        app = FunctionApp(name=app_name, title=title, icon_url="")
        passthrough = passthrough_function(app_name, title, file.passthrough_methods)
        yield Candidate(
            function=passthrough.public("", title, include_meta=True),
            title=passthrough.title,
            app_name=app_name,
            app_title=title,
        )
        for stem, value in functions:
            parameters = Parameters(
                properties=value["parameters"].get("properties", {}),
                required=tuple(value["parameters"].get("required", ())),
            )
            meta = FunctionMeta(
                app=app, title=value["title"], type=value["type"], destructive=value.get("destructive", False)
            )
            function = Function(
                name=f"{app_name}-{stem}",
                description=value["description"],
                parameters=parameters,
                type=value["type"],
                meta=meta,
            )
            examples = tuple((each["prompt"], each["arguments"]) for each in value.get("examples", ()))
            yield Candidate(
                function=function, title=value["title"], app_name=app_name, app_title=title, examples=examples
            )
