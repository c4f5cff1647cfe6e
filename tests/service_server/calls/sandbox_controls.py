"""The sandbox app's controls for testers, and the service's log, as tests use them."""

from pathlib import Path
from typing import Any

import httpx

from tests.examples.processes import SandboxApp
from tests.service_server.databases import dictionaries


def make_fault(sandbox: SandboxApp, path: str, fault: str, **options: Any) -> None:
    """Have the next request to a path go wrong."""
    body = {"path": path, "fault": fault, **options}
    httpx.post(f"{sandbox.url}/_faults", json=body, trust_env=False).raise_for_status()


def expire_tokens(sandbox: SandboxApp, user: str | None = None) -> None:
    """End every access token now, or those of one of its users; refresh tokens live."""
    body = {} if user is None else {"user": user}
    httpx.post(f"{sandbox.url}/_expire", json=body, trust_env=False).raise_for_status()


def received(sandbox: SandboxApp, path: str) -> list[dict[str, Any]]:
    """The requests the sandbox got at a path."""
    answer = httpx.get(f"{sandbox.url}/_log", params={"path": path}, trust_env=False)
    requests: list[dict[str, Any]] = answer.json()["requests"]
    return requests


def logged(data_directory: Path, request_id: str) -> list[dict[str, Any]]:
    """The rows of the Function Calls log for one request."""
    return dictionaries(data_directory, f"SELECT * FROM calls WHERE request_id = '{request_id}'")


def refused(data_directory: Path, request_id: str) -> list[dict[str, Any]]:
    """The rows of the refused calls for one request."""
    return dictionaries(data_directory, f"SELECT * FROM refusals WHERE request_id = '{request_id}'")


def code_of(response: httpx.Response) -> tuple[int, str, str | None]:
    """Status, code and field of an error."""
    detail = response.json()["error_details"][0]
    return response.status_code, detail["code"], detail["field"]
