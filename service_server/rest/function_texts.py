"""
Functions as the API tells them, and as the JSON of lists.

To write a page of them again would take longer than all else that a list takes.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from service_client.models import CONVERTER, Function, FunctionList
from service_server.catalog.catalog import MOST_FUNCTIONS
from service_server.errors import unknown_function
from service_server.rest.wire import encode
from service_server.service import Service

_NONE = b'"functions":[]'


def public_function(service: Service, name: str, *, include_meta: bool) -> Function:
    """Return a function of the catalogue as the API tells it, or a 404."""
    function = service.catalog.function(name)
    if function is None:
        raise unknown_function(name)
    connector = service.catalog.connectors[function.app_name]
    return function.public(service.icon_url(connector), connector.title, include_meta=include_meta)


class FunctionTexts:
    """Writes pages of a service's functions, of which each is written once while the catalogue stays the same."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._catalogue: object = None
        self._text: Callable[[str, bool], bytes] = self._write

    def page(self, names: Iterable[str], cursor: str, *, include_meta: bool) -> bytes:
        """Return a `FunctionList` as JSON; a 404 where one of the names is no function's."""
        connectors = self._service.catalog.connectors
        if connectors is not self._catalogue:
            self._catalogue, self._text = connectors, lru_cache(2 * MOST_FUNCTIONS)(self._write)
        functions = b",".join([self._text(name, include_meta) for name in names])
        before, _, after = encode(CONVERTER.unstructure(FunctionList(functions=(), cursor=cursor))).partition(_NONE)
        return b"".join((before, _NONE[:-1], functions, b"]", after))

    def _write(self, name: str, include_meta: bool) -> bytes:
        return encode(CONVERTER.unstructure(public_function(self._service, name, include_meta=include_meta)))
