"""What pages with a Pyodide of their own fetch: a lock file, an index, and wheels, from whatever page."""

import hashlib
import re
from urllib.parse import urljoin

import httpx
import pytest

from tests.service_server.processes import RunningService, http

LOCK_FILE = "/pyodide/pyodide-lock.json"
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture(scope="module")
def lock(rest_service: RunningService) -> httpx.Response:
    """The lock file, as a page without any credential gets it."""
    with http(rest_service.url) as page:
        return page.get(LOCK_FILE)


def test_the_lock_file_is_open_to_every_page_and_always_fresh(lock: httpx.Response) -> None:
    """A page of any origin may read it; it is asked for again, since its name stays the same."""
    assert (200, "*", "no-cache") == (
        lock.status_code,
        lock.headers["access-control-allow-origin"],
        lock.headers["cache-control"],
    )
    assert {"service-client", "attrs", "cattrs", "typing-extensions"} == lock.json()["packages"].keys()


def test_wheels_lie_beside_the_lock_file_for_ever(lock: httpx.Response, rest_service: RunningService) -> None:
    """Each is found where its relative name leads, is what its digest says, and may be kept for ever."""
    with http(rest_service.url) as page:
        for package in lock.json()["packages"].values():
            wheel = page.get(urljoin(str(lock.url), package["file_name"]))

            assert package["sha256"] == hashlib.sha256(wheel.content).hexdigest()
            assert ("*", FOR_EVER) == (wheel.headers["access-control-allow-origin"], wheel.headers["cache-control"])


def test_another_digest_leads_nowhere(lock: httpx.Response, rest_service: RunningService) -> None:
    """What is kept for ever under an address is never another file, and nothing but wheels is found there."""
    file_name = lock.json()["packages"]["service-client"]["file_name"].rpartition("/")[2]

    with http(rest_service.url) as page:
        for path in (f"0000000000000000/{file_name}", f"simple/service-client/{file_name}", "x/servicejs.js"):
            assert 404 == page.get(f"/pyodide/{path}").status_code


def test_the_index_leads_to_the_same_wheels(lock: httpx.Response, rest_service: RunningService) -> None:
    """Every project's page, under any spelling of its name, links to its wheel with its hash."""
    packages = lock.json()["packages"]
    with http(rest_service.url) as page:
        index = page.get("/pyodide/simple/")
        projects = re.findall(r'<a href="([^"]+)">([^<]+)</a>', index.text)
        found = {}
        for address, name in projects:
            listed = page.get(urljoin(str(index.url), address))
            ((link,),) = [re.findall(r'<a href="([^"]+)">', listed.text)]
            url, _, fragment = urljoin(str(listed.url), link).partition("#sha256=")
            found[name] = (url, fragment)

        assert {
            name: (urljoin(str(lock.url), each["file_name"]), each["sha256"]) for name, each in packages.items()
        } == found
        assert 200 == page.get("/pyodide/simple/Service_Client/").status_code
        assert 404 == page.get("/pyodide/simple/numpy/").status_code
