"""The list of figures in the documentation."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define, field

from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.instruments import Read

DOCUMENT = Path(__file__).parents[3] / "docs" / "observability.md"


@define
class Noted:
    """Instruments that only note what is made, under the names that Prometheus sees."""

    made: dict[str, set[str]] = field(factory=dict)

    def counter(self, name: str, _description: str, labels: Sequence[str]) -> Callable[..., None]:
        """What happens."""
        return self._note(f"{name}_total", labels)

    def seconds(self, name: str, _description: str, labels: Sequence[str]) -> Callable[..., None]:
        """How long something takes."""
        return self._note(f"{name}_seconds", labels)

    def gauge(self, name: str, _description: str, label: str, _read: Read) -> None:
        """What there is at a moment."""
        self._note(name, [label])

    def count(self, name: str, _description: str, label: str, _read: Read) -> None:
        """What happens, counted elsewhere."""
        self._note(f"{name}_total", [label])

    def _note(self, name: str, labels: Sequence[str]) -> Callable[..., None]:
        self.made[name.replace(".", "_")] = {label.replace(".", "_") for label in labels}
        return lambda *_: None


def test_the_documentation_lists_each_figure_with_its_labels() -> None:
    """What is measured and what docs/observability.md says are the same."""
    table = DOCUMENT.read_text().partition("## Metrics")[2].partition("## Traces")[0]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    noted = Noted()
    Figures(noted)
    Gauges(noted)

    assert {name: set(re.findall(r"\w+", labels)) for name, labels in rows} == noted.made
