"""How the database lets the service down."""


class DatabaseAway(Exception):
    """
    The database does not answer or takes no writes (locked, full, gone): what was asked for was not done.

    `passing`: it was a lost connection or a conflict, so that asking once more at once may well succeed.
    """

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


class DatabaseBusy(DatabaseAway):
    """Someone else holds, for now, what is needed; says who, as far as the database tells."""


class RowRefused(Exception):
    """A row breaks a rule of its table, such as that no other has its key; says which, and quotes no values."""


class DatabaseUnusable(Exception):
    """The database cannot be opened or is not one of this service; says why, and never the password."""
