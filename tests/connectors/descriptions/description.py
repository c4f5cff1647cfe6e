"""What a connector's file among the vendors says: which description there is of the app, and how it is compared."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from attrs import frozen

from tests.connectors.descriptions.packages import Members
from tests.connectors.descriptions.sent import Sent


class Judge(Protocol):
    """A description that was read, ready to compare requests with."""

    def faults(self, request: Sent) -> Iterable[str]:
        """Say what is wrong with a request, each fault in one sentence; nothing for one that is as described."""
        ...


@frozen(eq=False)
class Description:
    """
    A description of an app's API that somebody else keeps: the vendor, or whoever publishes a client.

    `members` have to be fetched, `way` says what is compared in a few words for the list of connectors, and `read`
    reads what was fetched; it raises FileNotFoundError where it wasn't. `untyped` are places that a client doesn't type
    and that our functions send, such as `body.fields.*`; None where there are no types. `parts` are several
    descriptions, of which one has to agree.
    """

    members: tuple[Members, ...]
    way: str
    read: Callable[[], Judge]
    untyped: frozenset[str] | None = None
    parts: tuple["Description", ...] = ()


def but_for(text: str, *left_out: str) -> str:
    """Say what is compared, and what isn't."""
    left = [each for each in left_out if each]
    return f"{text}, but for {'; '.join(left)}" if left else text


def any_of(*parts: Description) -> Description:
    """Describe different parts or versions of an app's API."""
    return Description(
        tuple(members for each in parts for members in each.members),
        "; ".join(dict.fromkeys(each.way for each in parts)),
        lambda: AnyJudge(tuple(each.read() for each in parts)),
        parts=parts,
    )


@frozen
class AnyJudge:
    """Several descriptions that were read."""

    judges: tuple[Judge, ...]

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`; where none agrees, what each has against the request."""
        found = [list(judge.faults(request)) for judge in self.judges]
        if all(found):
            yield from (fault for each in found for fault in each)
