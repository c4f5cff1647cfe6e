import subprocess
import sys
from types import ModuleType

import pytest

import service_client
import service_client.admin
import service_client.models
import service_client.plans
import service_client.resources
import service_client.testing


@pytest.mark.parametrize(
    "package",
    [
        service_client,
        service_client.admin,
        service_client.models,
        service_client.plans,
        service_client.resources,
        service_client.testing,
    ],
    ids=lambda package: package.__name__,
)
def test_all_names_what_is_public(package: ModuleType) -> None:
    """`__all__` is sorted and names exactly the public names that are not submodules."""
    public = {
        name for name, value in vars(package).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    # A submodule and what it defines may share a name; then the latter is meant.
    listed = [name for name in package.__all__ if name != "__version__"]

    assert public == set(listed)
    assert len(listed) == len(set(listed))
    # Upper-case constants first, then classes, then functions: as the linter sorts.
    assert sorted(listed, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == listed


def test_importing_the_client_needs_no_httpx() -> None:
    """In Pyodide there is no HTTPX; importing must not miss it."""
    code = (
        "import sys; sys.modules['httpx'] = None; "
        "import service_client, service_client.testing, service_client.transports.fetch; "
        "print(service_client.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, service_client.__version__) == (done.returncode, done.stdout.strip()), done.stderr
