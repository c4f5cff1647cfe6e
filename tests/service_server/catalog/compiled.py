"""Compiles parts of connector files that tests write as plain values."""

from typing import Any

from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.read import read
from service_server.catalog.format.requests import DeclaredRequest
from service_server.catalog.pagination import Pagination
from service_server.catalog.pagination_file import compile_pagination
from service_server.catalog.request_file import compile_request
from service_server.catalog.requests import RequestTemplate
from tests.service_server.catalog.connector_folder import minimal_function


def compiled_request(declared: dict[str, Any]) -> RequestTemplate:
    """Return what a `request` comes to."""
    return compile_request(read(DeclaredRequest, declared), {})


def compiled_paging(declared: dict[str, Any]) -> Pagination:
    """Return what a `paginate` comes to."""
    paging = read(DeclaredFunction, {**minimal_function(), "paginate": declared}).paginate
    assert paging is not None
    assert not isinstance(paging, str)
    return compile_pagination(paging)
