"""A connector that nobody knew when the service started: Helpline, which is the sandbox app by another name."""

from pathlib import Path
from typing import Any

from tests.service_server.catalog.connector_folder import BY_API_KEY, ConnectorFolder, known_at, parameter
from tests.service_server.function_files import mutation, query


def helpline(address: str) -> ConnectorFolder:
    """Return a connector that lists projects and opens cases in the app at an address."""
    return ConnectorFolder(
        connector=known_at(
            f"{address}/api/v1",
            BY_API_KEY,
            name="helpline",
            title="Helpline",
            description="Cases of customers who need help.",
        ),
        functions={"list-projects": list_projects(), "open-case": open_case()},
    )


def list_projects() -> dict[str, Any]:
    """Return the function that lists projects."""
    return query({"get": "/projects"}, output="items", title="List projects", description="List all projects.")


def open_case() -> dict[str, Any]:
    """Return the function that opens a case."""
    example = {
        "prompt": 'open a helpline case "Lost password"',
        "arguments": {"subject": "Lost password", "project": "x"},
    }
    project = parameter(title="Project", description="Where the case belongs.")
    project["x-source"] = {"function": "list-projects", "value": "id", "label": "name"}
    return mutation(
        {"post": "/tickets", "body": {"title": "${args.subject}", "project_id": "${args.project}"}},
        takes={"subject": parameter(title="Subject", description="What it is about."), "project": project},
        required=["subject", "project"],
        title="Open a case",
        description="Open a case for a customer who needs help.",
        examples=[example],
    )


def replace_text(file: Path, old: str, new: str) -> None:
    """Change a text in a file, at once as an editor does."""
    text = file.read_text()
    assert old in text
    written = file.with_name(f".{file.name}.new")
    written.write_text(text.replace(old, new))
    written.replace(file)
