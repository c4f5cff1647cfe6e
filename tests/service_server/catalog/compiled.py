"""Reads parts of connector files that tests write as plain values."""

from typing import Any

from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.read import read
from service_server.catalog.pagination import Pagination
from service_server.catalog.requests import Request
from tests.service_server.catalog.connector_folder import minimal_function


def read_request(declared: dict[str, Any]) -> Request:
    """Return what a `request` comes to."""
    return read(Request, declared)


def read_paging(declared: dict[str, Any]) -> Pagination:
    """Return what a `paginate` comes to."""
    paging = read(DeclaredFunction, {**minimal_function(), "paginate": declared}).paginate
    assert isinstance(paging, Pagination)
    return paging
