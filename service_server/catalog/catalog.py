"""The catalogue as the rest of the server asks it: apps and functions by name, compiled when they are first used."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import evolve

from service_client.models import FunctionType
from service_server.catalog.connector_file import ConnectorFile, define_connector
from service_server.catalog.document import Document
from service_server.catalog.folders import CONNECTOR_FILE
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.read import read
from service_server.catalog.function_file import define_function
from service_server.catalog.hooks import FILE as HOOKS_FILE
from service_server.catalog.hooks import compile_hooks
from service_server.catalog.icons import icon_of
from service_server.catalog.pack import Entry, Pack
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import Problem, Report
from service_server.catalog.values import Connector, FunctionDefinition

# What is kept compiled at most; what else is asked for is compiled again, in a millisecond or less.
MOST_CONNECTORS = 512
MOST_FUNCTIONS = 2048


class Catalog:
    """
    All connectors and, by name, all their functions.

    What it holds is replaced as a whole by `replace`. Connectors and functions that are in use then stay as they were.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        self._contents = _Contents(packs)

    @property
    def connectors(self) -> Mapping[str, Connector]:
        """All apps by their names, in their order; reading a value compiles it."""
        return self._contents.connectors

    @property
    def app_names(self) -> Sequence[str]:
        """The names of all apps, sorted."""
        return self._contents.app_names

    @property
    def function_names(self) -> Sequence[str]:
        """The names of all functions, sorted."""
        return self._contents.names(None)

    def connector(self, name: str) -> Connector | None:
        """Return an app by its name."""
        return self._contents.connectors.get(name)

    def function(self, name: str) -> FunctionDefinition | None:
        """Return a function by its full name, such as `sandbox-create-ticket`."""
        return self._contents.function(name)

    def names(self, kind: FunctionType | None = None, apps: Iterable[str] | None = None) -> Sequence[str]:
        """Return the names of the functions of a type, and of these apps if they are given, sorted."""
        return self._contents.names(kind) if apps is None else self._contents.names_of(kind, apps)

    def files(self) -> Iterator[tuple[ConnectorFile, Iterator[tuple[str, dict[str, Any]]]]]:
        """Yield what is written in the files of each app: its connector's, and by short names its functions'."""
        return self._contents.files()

    def replace(self, other: "Catalog") -> None:
        """Hold from now on what another catalogue holds."""
        self._contents = other._contents


class _Contents:
    """What a catalogue holds at one time."""

    def __init__(self, packs: Sequence[Pack]) -> None:
        # Of two apps with one name, which is a problem that is told elsewhere, the first is the one.
        found = {name: (pack, entry) for pack in reversed(packs) for name, entry in pack.entries.items()}
        self._entries = dict(sorted(found.items()))
        self.connectors = _Connectors(self._entries)
        self.app_names = tuple(self._entries)
        self._names: dict[FunctionType | None, tuple[str, ...]] = {}

    def function(self, name: str) -> FunctionDefinition | None:
        app_name, _, _ = name.partition("-")  # which no app's name holds
        connector = self.connectors.get(app_name)
        return None if connector is None else connector.functions.get(name)

    def names(self, kind: FunctionType | None) -> tuple[str, ...]:
        names = self._names.get(kind)
        if names is None:
            names = self._names[kind] = tuple(sorted(self._of(kind, self._entries)))
        return names

    def names_of(self, kind: FunctionType | None, apps: Iterable[str]) -> list[str]:
        return sorted(self._of(kind, set(apps)))

    def files(self) -> Iterator[tuple[ConnectorFile, Iterator[tuple[str, dict[str, Any]]]]]:
        for name, (pack, entry) in self._entries.items():
            yield _file(pack, name), _functions_in(pack, name, entry)

    def _of(self, kind: FunctionType | None, apps: Iterable[str]) -> Iterator[str]:
        for app_name in apps:
            if app_name not in self._entries:
                continue
            if kind in (None, "passthrough"):
                yield f"{app_name}-{PASSTHROUGH}"
            for stem, type_ in self._entries[app_name][1].functions.items():
                if kind in (None, type_):
                    yield f"{app_name}-{stem}"


def _functions_in(pack: Pack, name: str, entry: Entry) -> Iterator[tuple[str, dict[str, Any]]]:
    for stem in entry.functions:
        yield stem, pack.function(name, stem)


class _Connectors(Mapping[str, Connector]):
    """Connectors that are compiled when they are asked for."""

    def __init__(self, entries: Mapping[str, tuple[Pack, Entry]]) -> None:
        self._entries = entries
        self._compiled = lru_cache(MOST_CONNECTORS)(self._compile)
        # One bound for all: an app's own dictionary of all that was ever used would grow without one.
        self._defined = lru_cache(MOST_FUNCTIONS)(_App.define)

    def __getitem__(self, name: str) -> Connector:
        if name not in self._entries:
            raise KeyError(name)
        return self._compiled(name)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def _compile(self, name: str) -> Connector:
        pack, entry = self._entries[name]
        file, text = _file(pack, name), pack.hooks(name)
        if text is not None:
            problems: list[Problem] = []
            file = evolve(file, hooks=compile_hooks(Path(name, HOOKS_FILE), text, problems))
            if problems:
                raise ValueError(f"the hooks of {name} are not what was checked: {problems}")
        functions = _Functions(_App(pack, name, entry.functions, file), self._defined)
        return define_connector(file, icon_of(pack.icon(name)), functions)


class _App:
    """Where the functions of an app come from."""

    def __init__(self, pack: Pack, name: str, functions: Iterable[str], file: ConnectorFile) -> None:
        self._pack = pack
        self._name = name
        self._parts = file.parts
        self._passthrough = passthrough_function(self._parts.name, file.declared.title, file.passthrough_methods)
        stems = sorted((PASSTHROUGH, *functions))
        self.stems = {f"{self._parts.name}-{stem}": stem for stem in stems}

    def define(self, stem: str) -> FunctionDefinition:
        """Compile a function's file, which has been checked."""
        if stem == PASSTHROUGH:
            return self._passthrough
        function = read(DeclaredFunction, self._pack.function(self._name, stem))
        return define_function(stem, function, self._parts)


class _Functions(Mapping[str, FunctionDefinition]):
    """The functions of an app by their full names, compiled when they are asked for."""

    def __init__(self, app: _App, defined: Callable[[_App, str], FunctionDefinition]) -> None:
        self._app = app
        self._defined = defined

    def __getitem__(self, name: str) -> FunctionDefinition:
        return self._defined(self._app, self._app.stems[name])

    def __contains__(self, name: object) -> bool:
        return name in self._app.stems

    def __iter__(self) -> Iterator[str]:
        return iter(self._app.stems)

    def __len__(self) -> int:
        return len(self._app.stems)


def _file(pack: Pack, name: str) -> ConnectorFile:
    """What an app's file says, without its lines and hooks: nothing is wrong with it."""
    value = pack.connector(name)
    return ConnectorFile(Report(Document(Path(name, CONNECTOR_FILE), value, {})), read(DeclaredConnector, value))
