"""What pages with a Pyodide of their own fetch: a lock file, an index, and wheels, from whatever page."""

import hashlib
import re
from urllib.parse import urljoin

import httpx
import pytest

FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture
def lock(anonymous: httpx.Client) -> httpx.Response:
    """The lock file."""
    return anonymous.get("/pyodide/pyodide-lock.json")


def test_the_lock_file_leads_to_wheels(lock: httpx.Response, anonymous: httpx.Client) -> None:
    """
    A page of any origin may read it, and asks for it again, since its name stays the same.

    Each wheel is found where its relative name leads, is what its digest says, and may be kept for ever; under another
    digest, and for what is no wheel, nothing is found.
    """
    packages, headers = lock.json()["packages"], ("access-control-allow-origin", "cache-control")
    assert (200, ["*", "no-cache"]) == (lock.status_code, [lock.headers[name] for name in headers])
    assert {"service-client", "attrs", "cattrs", "typing-extensions"} == packages.keys()
    for package in packages.values():
        wheel = anonymous.get(urljoin(str(lock.url), package["file_name"]))
        assert package["sha256"] == hashlib.sha256(wheel.content).hexdigest()
        assert ["*", FOR_EVER] == [wheel.headers[name] for name in headers]
    file_name = packages["service-client"]["file_name"].rpartition("/")[2]
    for path in (f"0000000000000000/{file_name}", f"simple/service-client/{file_name}", "x/servicejs.js"):
        assert 404 == anonymous.get(f"/pyodide/{path}").status_code


def test_the_index_leads_to_the_same_wheels(lock: httpx.Response, anonymous: httpx.Client) -> None:
    """Every project's page, under any spelling of its name, links to its wheel with its hash."""
    index = anonymous.get("/pyodide/simple/")
    found = {}
    for address, name in re.findall(r'<a href="([^"]+)">([^<]+)</a>', index.text):
        listed = anonymous.get(urljoin(str(index.url), address))
        (link,) = re.findall(r'<a href="([^"]+)">', listed.text)
        found[name] = urljoin(str(listed.url), link)

    assert {
        name: f"{urljoin(str(lock.url), each['file_name'])}#sha256={each['sha256']}"
        for name, each in lock.json()["packages"].items()
    } == found
    assert 200 == anonymous.get("/pyodide/simple/Service_Client/").status_code
    assert 404 == anonymous.get("/pyodide/simple/numpy/").status_code
