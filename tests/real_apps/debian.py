"""Says which of Debian's packages for the tests are missing here, and how to get them."""

from pathlib import Path

import pytest


def needs(packages: str, *files: str | Path) -> None:
    """Skip unless all these files of the packages are there, with the line that installs them."""
    missing = [str(file) for file in files if not Path(file).exists()]
    if missing:
        pytest.skip(
            f"there is no {' and no '.join(missing)}; as root: apt-get install --no-install-recommends {packages}"
        )
