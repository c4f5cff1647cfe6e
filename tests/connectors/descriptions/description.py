"""What a connector's file among the vendors says: which description there is of the app, and how it is compared."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from attrs import frozen

from tests.connectors.descriptions.packages import Members
from tests.connectors.descriptions.sent import Sent


class Description(Protocol):
    """A description of an app's API that somebody else keeps: the vendor, or whoever publishes a client."""

    @property
    def members(self) -> tuple[Members, ...]:
        """What has to be fetched."""
        ...

    @property
    def way(self) -> str:
        """What is compared, in a few words for the list of connectors."""
        ...

    def read(self) -> "Judge":
        """Read what was fetched; raise FileNotFoundError where it wasn't."""
        ...


class Judge(Protocol):
    """A description that was read, ready to compare requests with."""

    def faults(self, request: Sent) -> Iterable[str]:
        """Say what is wrong with a request, each fault in one sentence; nothing for one that is as described."""
        ...


@frozen(init=False)
class AnyOf:
    """Several descriptions of one app, for different parts or versions of its API; one of them has to agree."""

    descriptions: tuple[Description, ...]

    def __init__(self, *descriptions: Description) -> None:
        self.__attrs_init__(descriptions)

    @property
    def members(self) -> tuple[Members, ...]:
        """See `Description`."""
        return tuple(members for each in self.descriptions for members in each.members)

    @property
    def way(self) -> str:
        """See `Description`."""
        return "; ".join(dict.fromkeys(each.way for each in self.descriptions))

    def read(self) -> "AnyJudge":
        """See `Description`."""
        return AnyJudge(tuple(each.read() for each in self.descriptions))


@frozen
class AnyJudge:
    """Several descriptions that were read."""

    judges: tuple[Judge, ...]

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`; where none agrees, what each has against the request."""
        found = [list(judge.faults(request)) for judge in self.judges]
        if all(found):
            yield from (fault for each in found for fault in each)
