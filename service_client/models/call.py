"""The result of an executed function call."""

from typing import Any

from attrs import frozen


@frozen(kw_only=True)
class CallResult:
    """
    What the third-party app answered.

    `network_code` is the onward HTTP status as text; a call counts as executed whatever it says.
    `next_page` is None for functions that do not paginate and empty on the last page.
    """

    network_code: str
    output: Any = None
    next_page: str | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the third-party app answered with a 2xx status."""
        return self.network_code.startswith("2")
