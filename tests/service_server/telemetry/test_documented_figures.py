"""The list of figures in the documentation."""

import re
from pathlib import Path

from service_server.telemetry.figures import Figures, Gauges
from service_server.telemetry.instruments import Instruments

DOCUMENT = Path(__file__).parents[3] / "docs" / "observability.md"


def test_the_documentation_lists_each_figure_with_its_labels() -> None:
    """What is measured and what docs/observability.md says are the same."""
    table = DOCUMENT.read_text().partition("## Metrics")[2].partition("## Traces")[0]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    instruments = Instruments.on_a_new_registry()
    Figures(instruments)
    Gauges(instruments)
    kinds = {each.name: next(iter(each.collector.collect())).type for each in instruments.made}
    endings = {"counter": "_total", "histogram": "_seconds", "gauge": ""}

    assert {name: set(re.findall(r"\w+", labels)) for name, labels in rows} == {
        f"{each.name.replace('.', '_')}{endings[kinds[each.name]]}": set(each.labels) for each in instruments.made
    }
