"""What shipped code imports is declared by the distribution that ships it, and nothing else is."""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from attrs import frozen
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from service_client import __version__

from .trees import NOT_SHIPPED, ROOT, own_files

pytestmark = pytest.mark.slow

EXAMPLES = ("browser", "gallery", "python", "sandbox_app")
"""What a released server carries for its demo."""

EXTRAS = {
    extra: f"service_client/tools/{extra.replace('-', '_')}.py"
    for extra in ("langchain", "llama-index", "openai-agents", "pydantic-ai")
}
"""The module that needs what an extra of the client brings."""
TELEMETRY = "service_server/telemetry/"
"""The modules that need what the server's one extra brings."""
MODEL_BUILDERS = tuple(f"service_server/predict/encoder/{name}.py" for name in ("base", "graph"))
"""What runs before a package is made, which then carries the model."""


@frozen
class Distribution:
    """
    One of the project's distributions: where its pyproject.toml is, and what it ships.

    Some libraries are `used_by_name` without an import of ours; some imported ones are always `brought_along`.
    """

    folder: Path
    packages: tuple[str, ...]
    used_by_name: frozenset[str] = frozenset()
    brought_along: frozenset[str] = frozenset()

    def declared(self) -> set[str]:
        """The distributions that an installation brings along."""
        core = ProjectMetadata(str(self.folder), PluginManager()).core
        return {canonicalize_name(Requirement(text).name) for text in core.dependencies}

    def imported(self) -> set[str]:
        """The distributions that its modules import, at the top or within a function."""
        owners = {**packages_distributions(), "service_client": ["service-client"]}
        foreign = {name for name in self._imported_modules() if name not in {*self.packages, "examples"}}
        unknown = foreign - owners.keys() - sys.stdlib_module_names
        assert set() == unknown, "imported, and installed nowhere"
        return {canonicalize_name(owners[name][0]) for name in foreign - sys.stdlib_module_names}

    def _imported_modules(self) -> Iterator[str]:
        packages = tuple(f"{package}/" for package in self.packages)
        for name in own_files():
            is_optional = name in (*EXTRAS.values(), *MODEL_BUILDERS) or name.startswith(TELEMETRY)
            if (
                name.startswith(packages)
                and name.endswith(".py")
                and not name.startswith(NOT_SHIPPED)
                and not is_optional
            ):
                yield from _imports(ast.parse((ROOT / name).read_text()))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


CLIENT = Distribution(
    ROOT / "service_client",
    ("service_client",),
    brought_along=frozenset({"httpcore"}),  # what HTTPX is made of
)
SERVER = Distribution(
    ROOT,
    ("service_server", "servicejs", "web_assets", *(f"examples/{name}" for name in EXAMPLES)),
    frozenset({"aiosqlite", "httptools"}),  # SQLAlchemy's driver for SQLite, uvicorn's parser of HTTP
)


@pytest.mark.parametrize("distribution", [CLIENT, SERVER], ids=["client", "server"])
def test_what_is_imported_is_declared(distribution: Distribution) -> None:
    """An installation brings every library that its code uses, and none besides."""
    imported = distribution.imported() - distribution.brought_along

    assert imported | distribution.used_by_name == distribution.declared()


def test_the_server_needs_the_client_of_its_own_version() -> None:
    """Both are released together and fit together only then; the version stands in one place."""
    core = ProjectMetadata(str(ROOT), PluginManager()).core
    client = ProjectMetadata(str(ROOT / "service_client"), PluginManager())

    assert [f"service-client=={__version__}"] == [text for text in core.dependencies if text.startswith("service-")]
    assert __version__ == client.version


def test_an_extra_is_for_a_module_of_its_own() -> None:
    """Whoever doesn't ask for it gets no framework; its module, which no other imports, is named as it is."""
    extras = ProjectMetadata(str(ROOT / "service_client"), PluginManager()).core.optional_dependencies

    assert EXTRAS.keys() == extras.keys()
    for extra, module in EXTRAS.items():
        (library,) = (Requirement(text).name for text in extras[extra])
        known = {"llama-index-core": "llama_index", "openai-agents": "agents", "pydantic-ai-slim": "pydantic_ai"}
        imported = set(_imports(ast.parse((ROOT / module).read_text()))) - sys.stdlib_module_names
        assert {known.get(library, library.replace("-", "_")), "service_client"} == imported


def test_the_servers_extra_is_for_metrics_and_traces() -> None:
    """Whoever doesn't watch the service gets no OpenTelemetry; only its own modules need it."""
    extras = ProjectMetadata(str(ROOT), PluginManager()).core.optional_dependencies
    modules = [ROOT / name for name in own_files() if name.startswith(TELEMETRY) and name.endswith(".py")]
    imported = {name for module in modules for name in _imports(ast.parse(module.read_text()))}
    bound = {"attrs", "service_client", "service_server", "structlog"}

    assert {"telemetry"} == extras.keys()
    assert {"opentelemetry", "prometheus_client"} == imported - sys.stdlib_module_names - {"attr", *bound}
    assert {"opentelemetry", "prometheus"} == {Requirement(text).name.partition("-")[0] for text in extras["telemetry"]}


def test_the_client_needs_three_libraries() -> None:
    """A backend that only calls a service installs no server."""
    assert {"attrs", "cattrs", "httpx"} == CLIENT.declared()


def test_both_carry_the_same_licence() -> None:
    """A licence file has to lie in the folder that a distribution is made of."""
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "service_client" / "LICENSE").read_bytes()
