"""The notebook of the examples, run cell by cell by IPython, as Jupyter does."""

import json
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from service_client.testing import AsyncMemoryTransport, FakeService

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "functions.ipynb"
PROMPT = 'create an urgent ticket titled "Renew the certificate" in the documentation project'


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell; an app, a function and a result are shown as HTML, and no output is kept in the file."""
    service = FakeService()
    service.add_app("sandbox", title="Tickets", accounts=["Alice"])
    service.function("sandbox-list-tickets")(lambda arguments: [{"id": 7, "title": "Ice on the <road>"}])
    service.function(
        "sandbox-create-ticket",
        type="mutation",
        properties={"title": {"type": "string"}, "project_id": {"type": "string"}},
    )(lambda arguments: {"id": 8, **arguments})
    service.predict(PROMPT, "sandbox-create-ticket", arguments={"title": "Renew the certificate"})
    monkeypatch.setattr("service_client.client.default_async_transport", lambda: AsyncMemoryTransport(service.handle))
    demo = {"base_url": "http://service.test", "app_key": "key", "app_secret": "secret", "user_id": "alice"}
    (tmp_path / "demo.json").write_text(json.dumps(demo))
    monkeypatch.setenv("DEMO_FILE", str(tmp_path / "demo.json"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))

    notebook = json.loads(NOTEBOOK.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shell = InteractiveShell()
    shown: list[dict[str, Any]] = []
    for cell in cells:
        ran = shell.run_cell("".join(cell["source"]))
        ran.raise_error()
        shown.append(shell.display_formatter.format(ran.result)[0])

    assert all([] == cell["outputs"] and cell["execution_count"] is None for cell in cells)
    _, app, function, tickets, made = (each.get("text/html", "") for each in shown)
    assert "<strong>Tickets</strong>" in app
    assert "sandbox-create-ticket" in function
    assert "Renew the certificate" in function
    assert "Ice on the &lt;road&gt;" in tickets
    assert "documentation" in made
    assert ["sandbox-list-tickets", "sandbox-create-ticket"] == [each.function for each in service.calls]
