"""What a connector's file among the vendors says: which description there is of the app, and how it is compared."""

from collections.abc import Iterable
from typing import Protocol

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
