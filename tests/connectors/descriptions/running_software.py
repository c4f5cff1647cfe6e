"""Software that tests run, as what a connector rests on: stronger than any description, where a test calls it."""

from pathlib import Path

from attrs import frozen

from service_server.catalog.values import Connector

ROOT = Path(__file__).parents[3]


@frozen
class RunningSoftware:
    """Named software, and the tests that call the connector's functions in it (patterns below the root)."""

    name: str
    tests: tuple[str, ...]

    def called(self, connector: Connector) -> set[str]:
        """Return the functions whose names the tests mention, in full or without the app's."""
        files = [file for pattern in self.tests for file in sorted(ROOT.glob(pattern))]
        text = "\n".join(file.read_text() for file in files)
        prefix = f"{connector.name}-"
        return {name for name in connector.functions if f'"{name}"' in text or f'"{name.removeprefix(prefix)}"' in text}
