"""Which account a form is filled in for."""

from service_client.models import ConnectedAccount
from servicejs.language import gettext as _


class AccountChoice:
    """
    The accounts there are, and the one in use: the only one, or the one that was named or picked.

    The user is `asked` if the caller left it open, or named one that doesn't exist (any more). `problem` says what is
    wrong with the choice, and is empty when nothing is.
    """

    def __init__(self, accounts: tuple[ConnectedAccount, ...], named: int | None) -> None:
        gone = named is not None and all(each.id != named for each in accounts)
        self.accounts = accounts
        self.id = None if gone else named
        self.asked = bool(accounts) and (gone or (named is None and len(accounts) > 1))
        self.problem = _("The requested account isn’t connected. Choose another one.") if gone else ""

    @property
    def account(self) -> ConnectedAccount | None:
        """The account in use; None while it has to be chosen."""
        if self.id is None and len(self.accounts) == 1 and not self.asked:
            return self.accounts[0]
        return next((account for account in self.accounts if account.id == self.id), None)

    @property
    def is_open(self) -> bool:
        """Whether the user has yet to choose."""
        return self.asked and self.account is None

    def pick(self, account_id: int | None) -> bool:
        """Use an account, or none yet; returns False if there is no such account."""
        if account_id is not None and all(account.id != account_id for account in self.accounts):
            return False
        self.id, self.problem = account_id, ""
        return True

    def ask(self, accounts: tuple[ConnectedAccount, ...]) -> None:
        """Have the user choose among the accounts that there are now."""
        self.accounts, self.id, self.asked = accounts, None, True
        self.complain()

    def complain(self) -> None:
        """Say that the choice is open, if it is."""
        if self.is_open:
            self.problem = _("Choose which account to use.")

    def connected(self, account_id: int, accounts: tuple[ConnectedAccount, ...]) -> None:
        """Use an account that was just connected."""
        self.accounts, self.id, self.problem = accounts, account_id, ""
        self.asked = self.asked or len(accounts) > 1
