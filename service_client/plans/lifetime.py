"""Whether a client is still open."""

from service_client.errors import ClientClosedError


class Lifetime:
    """Ends when it is told to, or when its parent ends."""

    def __init__(self, parent: "Lifetime | None" = None) -> None:
        self._parent = parent
        self._ended = False

    def end(self) -> None:
        """End it for good."""
        self._ended = True

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._ended or (self._parent is not None and self._parent.ended)

    def check(self) -> None:
        """Refuse to go on after the end."""
        if self.ended:
            raise ClientClosedError(
                "This client is closed. Make a new one, or close it only when nothing needs it any more."
            )
