"""An attempt to connect that failed, in words for the user."""

from typing import Literal, TypeAlias

About: TypeAlias = Literal["credentials", "address", "everything"]


class Setback(Exception):
    """
    What went wrong and what to do; `final` when trying again in this session can't help.

    `about` tells which of the fields that the user filled in can be at fault: the credentials, where the account is
    (the connector's variables), or any of them; None when it has nothing to do with them. `reason` says more than the
    user needs to know; it is for whoever writes the connector.
    """

    def __init__(
        self, text: str, *steps: str, final: bool = False, about: About | None = None, reason: str | None = None
    ) -> None:
        super().__init__(text)
        self.text = text
        self.steps = steps
        self.final = final
        self.about = about
        self.reason = reason
