"""A file that the user has chosen for a field."""

import json

from attrs import frozen

from servicejs.forms.texts import shown_number
from servicejs.language import gettext as _


@frozen(kw_only=True)
class ChosenFile:
    """
    A file of the user's device.

    The page keeps it under `key`; `size` is in bytes. `uploaded` says whether the service has it.
    """

    key: str
    name: str
    size: int
    uploaded: bool = False

    @property
    def shown_size(self) -> str:
        """The size in the unit that people use for it."""
        return shown_size(self.size)


def read_chosen_file(text: str) -> ChosenFile | None:
    """Read what the page says of a file, `{"key", "name", "size"}`; None if that is something else."""
    try:
        said = json.loads(text)
        return ChosenFile(key=str(said["key"]), name=str(said["name"]), size=int(said["size"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def is_address(text: str) -> bool:
    """Whether a file is given by its address in the web; else it is by the id under which the service keeps it."""
    return text.startswith(("https://", "http://"))


def shown_size(size: int) -> str:
    """Write a number of bytes in the unit that people use for it."""
    if size < 1000:
        return _("%(size)s bytes", size=size)
    if size < 999_500:
        return _("%(size)s KB", size=round(size / 1000))
    return _("%(size)s MB", size=shown_number(round(size / 1_000_000, 1)))
