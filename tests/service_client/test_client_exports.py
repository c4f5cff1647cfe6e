import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

import service_client


@pytest.mark.parametrize("name", ["", ".admin", ".models", ".plans", ".resources", ".testing"])
def test_all_names_what_is_public(name: str) -> None:
    """`__all__` names exactly the public names that are not submodules."""
    package = import_module(f"service_client{name}")
    public = {
        name for name, value in vars(package).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    # A submodule and what it defines may share a name; then the latter is meant.
    listed = [name for name in package.__all__ if name != "__version__"]

    assert public == set(listed)


def test_importing_the_client_needs_no_httpx() -> None:
    """In Pyodide there is no HTTPX; importing must not miss it."""
    code = (
        "import sys; sys.modules['httpx'] = None; "
        "import service_client, service_client.testing, service_client.tools, service_client.transports.fetch; "
        "print(service_client.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, service_client.__version__) == (done.returncode, done.stdout.strip()), done.stderr
