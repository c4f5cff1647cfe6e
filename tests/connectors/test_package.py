"""What is released carries the connectors whole."""

from hatchling.builders.wheel import WheelBuilder

from service_server.catalog.load import SHIPPED
from tests.real_apps.running import ROOT


def test_wheels_carry_every_file_of_the_connectors() -> None:
    """Data, icons and hooks are all in the wheel: presence is registration there too."""
    wheel = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    files = {
        str(file.relative_to(ROOT))
        for file in SHIPPED.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
    }

    assert any(file.endswith("/hooks.py") for file in files)
    assert set() == files - wheel
