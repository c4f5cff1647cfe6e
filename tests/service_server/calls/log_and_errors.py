"""The log of a service, and its errors, as tests read them."""

from pathlib import Path
from typing import Any

import httpx

from tests.service_server.databases import dictionaries


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
