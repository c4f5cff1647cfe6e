"""The catalogue as the rest of the server asks it: apps and functions by name, compiled when they are first used."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from service_client.models import FunctionType
from service_server.catalog.connector_file import App, define_connector
from service_server.catalog.folders import CONNECTOR_FILE, HOOKS_FILE, ICON_FILE, file_of_function
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.read import read
from service_server.catalog.function_file import define_function
from service_server.catalog.hooks import Hooks, compile_hooks
from service_server.catalog.icons import icon_of
from service_server.catalog.pack import Pack
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import Problem
from service_server.catalog.values import Connector, FunctionDefinition

# What is kept compiled at most; what else is asked for is compiled again, in a millisecond or less.
MOST_CONNECTORS = 512
MOST_FUNCTIONS = 2048


T = TypeVar("T")


class Catalog:
    """
    All connectors and, by name, all their functions.

    What it holds is replaced as a whole by `replace`. Connectors and functions that are in use then stay as they were.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        # Of two apps with one name, which is a problem that is told elsewhere, the first is the one.
        found = {name: pack for pack in reversed(packs) for name in pack.entries}
        self._packs: Mapping[str, Pack] = dict(sorted(found.items()))
        # One bound for all: an app's own dictionary of all that was ever used would grow without one.
        defined = lru_cache(MOST_FUNCTIONS)(_defined)
        # Of these packs for good: whoever goes through them while they are replaced finds all of them.
        compiled = lru_cache(MOST_CONNECTORS)(partial(_compiled, self._packs, defined))
        self.connectors: Mapping[str, Connector] = _Lazy(self._packs, compiled)
        """All apps by their names, in their order; reading a value compiles it."""
        self.app_names: Sequence[str] = tuple(self._packs)
        """The names of all apps, sorted."""
        self._names = cache(partial(_names_in, self._packs, self._packs))

    def connector(self, name: str) -> Connector | None:
        """Return an app by its name."""
        return self.connectors.get(name)

    def function(self, name: str) -> FunctionDefinition | None:
        """Return a function by its full name, such as `sandbox-create-ticket`."""
        connector = self.connectors.get(name.partition("-")[0])  # a hyphen, which no app's name holds
        return None if connector is None else connector.functions.get(name)

    def names(self, kind: FunctionType | None = None, apps: Iterable[str] | None = None) -> Sequence[str]:
        """Return the names of the functions of a type, and of these apps if they are given, sorted."""
        return self._names(kind) if apps is None else _names_in(self._packs, set(apps), kind)

    def files(self) -> Iterator[tuple[DeclaredConnector, Iterator[tuple[str, dict[str, Any]]]]]:
        """Yield what is written in the files of each app: its connector's, and by short names its functions'."""
        for name, pack in self._packs.items():
            yield read(DeclaredConnector, pack.value(name, CONNECTOR_FILE)), pack.functions(name)

    def replace(self, other: "Catalog") -> None:
        """Hold from now on what another catalogue holds."""
        self.__dict__ = other.__dict__  # in one step, for whoever reads meanwhile


def _names_in(packs: Mapping[str, Pack], apps: Iterable[str], kind: FunctionType | None) -> tuple[str, ...]:
    functions = {app: packs[app].entries[app].functions for app in apps if app in packs}
    names = [f"{app}-{PASSTHROUGH}" for app in functions if kind in (None, "passthrough")]
    names += [f"{app}-{stem}" for app, kinds in functions.items() for stem in kinds if kind in (None, kinds[stem])]
    return tuple(sorted(names))


def _compiled(
    packs: Mapping[str, Pack], defined: Callable[[Pack, App, str], FunctionDefinition], name: str
) -> Connector:
    pack = packs[name]
    text = pack.file(name, HOOKS_FILE)
    problems: list[Problem] = []
    hooks = Hooks() if text is None else compile_hooks(Path(name, HOOKS_FILE), text, problems)
    if problems:
        raise ValueError(f"the hooks of {name} are not what was checked: {problems}")
    app = App(read(DeclaredConnector, pack.value(name, CONNECTOR_FILE)), hooks)
    stems = {f"{name}-{stem}": stem for stem in sorted((PASSTHROUGH, *pack.entries[name].functions))}
    functions = _Lazy(stems, lambda function: defined(pack, app, stems[function]))
    return define_connector(app.declared, icon_of(pack.file(name, ICON_FILE) or b""), functions)


class _Lazy(Mapping[str, T]):
    """Values of known names that are made when they are asked for."""

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], T]) -> None:
        self._names = names
        self._make = make

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _defined(pack: Pack, app: App, stem: str) -> FunctionDefinition:
    if stem == PASSTHROUGH:
        return passthrough_function(app.declared)
    return define_function(stem, read(DeclaredFunction, pack.value(app.declared.name, file_of_function(stem))), app)
