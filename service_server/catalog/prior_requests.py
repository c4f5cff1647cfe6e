"""Requests that are sent before the one of a function, for what that has to know or what has to be there."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from service_server.catalog.expressions import ABSENT, Reference
from service_server.catalog.requests import RequestTemplate


@frozen
class PriorRequest:
    """A request that is sent before another one, and where the values that it `gives` stand in its answer's body."""

    request: RequestTemplate = field(repr=False)
    gives: Mapping[str, Reference]

    def read(self, body: Any) -> dict[str, Any]:
        """Return the values, by their names; LookupError with the name of one that the answer lacks."""
        values = {name: reference.find({"body": body}) for name, reference in self.gives.items()}
        for name, value in values.items():
            if value is ABSENT or isinstance(value, dict | list):
                raise LookupError(name)
        return values


@frozen
class LookUp(PriorRequest):
    """
    A request that a query sends first, for what that has to know: a ticket's queue before the fields of the queue.

    `declared` is what the connector's file says, and `arguments` names the arguments in it: look-ups in which both are
    the same give the same.
    """

    declared: str = field(repr=False)
    arguments: tuple[str, ...]
