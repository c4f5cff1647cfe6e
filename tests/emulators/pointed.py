"""
Copies of shipped connectors that talk to emulators.

A connector names its vendor's real addresses, and the service sends its requests nowhere else. So the tests serve a
copy of its folder, under another name, in which these addresses are replaced, without the vendor's budget of requests,
which a fast machine's tests would use up; all else is as it ships.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from service_server.catalog.load import SHIPPED

PREFIX = "emulated_"


def point(name: str, directory: Path, replaced: Mapping[str, str]) -> None:
    """Copy a connector to `directory`, as `emulated_<name>`; each text of `replaced` must occur in its files."""
    folder = directory / f"{PREFIX}{name}"
    shutil.copytree(SHIPPED / name, folder)
    missing = set(replaced)
    for file in folder.rglob("*.yaml"):
        # What is said of an outcome leads to the vendor's pages, not to its API.
        text, outcome, rest = file.read_text(encoding="utf-8").partition("\noutcome:\n")
        for old, new in replaced.items():
            if old in text:
                missing.discard(old)
                text = text.replace(old, new)
        if file.name == "connector.yaml":
            text = text.replace(f"\nname: {name}\n", f"\nname: {PREFIX}{name}\n", 1)
            text = re.sub(r"^budget: .*\n", "", text, flags=re.MULTILINE)
        file.write_text(text + outcome + rest, encoding="utf-8")
    assert not missing, f"{name} has none of {missing}: look what it calls now"
