"""
The connectors' files in `tests/connectors/vendors/`: presence is registration.

A file `<app>.py` has at least one of these: `CHECK`, a description that every function's request is compared with, and
`RUN`, software in which tests call the functions. `UNDESCRIBED` names the functions (without the app's name, and `test`
for the call that tests a connection) that the description lacks, each with what it rests on instead.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from attrs import frozen

from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.packages import fetch_missing
from tests.connectors.descriptions.running_software import RunningSoftware

VENDORS = Path(__file__).parents[1] / "vendors"


@frozen
class Registered:
    """What a connector's requests are checked by."""

    app: str
    check: Description | None
    run: RunningSoftware | None
    undescribed: Mapping[str, str]


def registered() -> dict[str, Registered]:
    """Read all files, by the name of the app."""
    return {file.stem: _read(file.stem) for file in sorted(VENDORS.glob("[a-z]*.py"))}


def fetch_all() -> None:
    """Fetch what is missing of all descriptions."""
    checks = [each.check for each in registered().values() if each.check is not None]
    fetch_missing(members for check in checks for members in check.members)


def _read(app: str) -> Registered:
    module = import_module(f"tests.connectors.vendors.{app}")
    found = Registered(
        app, getattr(module, "CHECK", None), getattr(module, "RUN", None), getattr(module, "UNDESCRIBED", {})
    )
    if found.check is None and found.run is None:
        raise ValueError(f"{app}.py has neither CHECK nor RUN")
    return found
