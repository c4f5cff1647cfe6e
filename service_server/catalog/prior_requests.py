"""Requests that are sent before the one of a function, for what that has to know or what has to be there."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from attrs import frozen

from service_server.catalog.expressions import ABSENT, names_in, parse_path
from service_server.catalog.format.keys import AnyName, Keywords, key
from service_server.catalog.requests import Request

InBody = Annotated[str, Keywords(pattern=r"^body\.[^{}?]+$", format="dotted-path")]
PerhapsInBody = Annotated[str, Keywords(pattern=r"^body\.[^{}?]+\??$", format="dotted-path")]
Few = Keywords(minProperties=1, maxProperties=5)


@frozen(kw_only=True)
class PriorRequest:
    """A request that is sent before another one."""

    _refused: ClassVar[tuple[type, ...]] = (dict,)

    request: Request = key()
    gives: Annotated[Mapping[AnyName, PerhapsInBody], Few] = key(
        "What the requests after it find as ${before.NAME}, and where it stands in the answer: body.path.to.it, with a "
        "? behind it where the answer may lack it. Lists may be given, too.",
        {},
    )

    def read(self, body: Any) -> dict[str, Any]:
        """Return the values that it gives, by their names; LookupError with the name of one that the answer lacks."""
        values: dict[str, Any] = {}
        for name, path in self.gives.items():
            place = parse_path(path)
            value = place.find({"body": body})
            if value is ABSENT and place.optional:
                continue
            if value is ABSENT or isinstance(value, self._refused):
                raise LookupError(name)
            values[name] = value
        return values


@frozen(kw_only=True)
class PriorStep(PriorRequest):
    """A request that a mutation sends before its own one."""

    given: Annotated[tuple[str, ...], Keywords(minItems=1, uniqueItems=True)] = key(
        "It is only sent where one of these parameters is given, such as a list to add to those there; what it "
        "gives is then for the hook of `prepare`.",
        (),
    )

    def is_sent(self, arguments: Mapping[str, Any]) -> bool:
        """Whether these arguments need it."""
        return not self.given or any(name in arguments for name in self.given)


@frozen(kw_only=True)
class LookUp(PriorRequest):
    """
    A request that is sent before `request`, for what that has to know: the queue of a ticket, before the fields of the
    queue (queries only). What it gives is kept for a minute.
    """

    _refused: ClassVar[tuple[type, ...]] = (dict, list)

    gives: Annotated[Mapping[AnyName, InBody], Few] = key(
        "What `request` finds as ${lookup.NAME}, and where it stands in the answer: body.path.to.it."
    )

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments in it: the same look-ups in which these are the same give the same."""
        return tuple(dict.fromkeys(names_in(self.request.templates, "args")))
