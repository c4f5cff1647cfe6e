"""How the database fails the service."""


class DatabaseAway(Exception):
    """
    The database does not answer or takes no writes (locked, full, gone): the request was not carried out.

    `passing`: it was a lost connection or a conflict, so trying once more right away may well succeed.
    """

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


class DatabaseBusy(DatabaseAway):
    """Someone else holds, for now, what is needed; says who, if the database tells."""


class RowRefused(Exception):
    """A row breaks a rule of its table, for example a unique key; says which rule, and quotes no values."""


class DatabaseUnusable(Exception):
    """The database can't be opened or does not belong to this service; says why, and never the password."""
