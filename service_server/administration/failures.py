"""What can't be done, and why."""

from collections.abc import Mapping

LONGEST_NAME = 200


class AdministrationError(Exception):
    """
    What was asked for cannot be done; says why and what to do.

    `problems` says so by setting (`client_id`, `client_secret`, `variable.<name>`) where settings are wrong.
    """

    def __init__(self, message: str, problems: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.problems = dict(problems or {})


class NotThere(AdministrationError):
    """What is to be changed is not there, or no longer."""


def no_operator(name: str) -> NotThere:
    """The failure of whatever was asked of an operator who is not there."""
    return NotThere(f"There is no operator {name[:80]}; `operator list` shows them.")


def check_name(name: str) -> None:
    """Refuse a name that can't be told from others or shown on one line."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise AdministrationError(f"A name is 1 to {LONGEST_NAME} printable characters.")
