"""What a form asks of whoever shows it."""

from typing import Any, Protocol

from service_client.models import CallResult, ConnectedAccount, File
from servicejs.forms.chosen_file import ChosenFile


class FormHost(Protocol):
    """What a form needs from whoever shows it."""

    async def call(self, name: str, arguments: dict[str, Any], account_id: int | None) -> CallResult:
        """Call a source function."""
        ...

    async def upload(self, chosen: ChosenFile) -> File:
        """Have the service keep a file that the user has chosen; raises if it can't."""
        ...

    async def connect(
        self, account_id: int | None, functions: tuple[str, ...], popup: str | None
    ) -> tuple[int, tuple[ConnectedAccount, ...]]:
        """
        Let the user reconnect an account for what some functions need, or with None connect one, in a window.

        Returns its id and the accounts that there are afterwards; raises if nothing was connected.
        """
        ...

    async def look_up_accounts(self) -> tuple[ConnectedAccount, ...]:
        """Return the accounts that there are now."""
        ...

    def refresh(self) -> None:
        """Paint the form again soon."""
        ...

    def finish(self, arguments: dict[str, Any], account_id: int | None) -> None:
        """Take what was filled in, and for which account."""
        ...

    def cancel(self) -> None:
        """Take note that the user has given up."""
        ...
