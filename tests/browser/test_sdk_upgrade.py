"""Pages that meet two builds: opened before the service was upgraded, or with two services on them."""

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from servicejs.bundle.build import DIST
from tests.real_apps.running import ROOT, free_port
from tests.service_server.processes import SERVICE_SERVER, create_application, service

from .conftest import OpenPage, Troubles, error_of
from .product import Demo
from .test_sdk_boot import ARCHIVE

ORIGIN = "http://host.test"
HASHED = re.compile(r"(.+)\.([0-9a-f]{16})(\.\w+)")


def former_hash(name: str) -> str:
    """The name that a file of this build has in the former one."""
    return HASHED.sub(lambda found: f"{found[1]}.{hashlib.sha256(found[2].encode()).hexdigest()[:16]}{found[3]}", name)


def make_former_build(folder: Path) -> None:
    """Make a copy of the package with the SDK's files, as if built from something else: every hash differs."""
    package = folder / "web_assets"
    (package / "dist" / "servicejs").mkdir(parents=True)
    for path in (ROOT / "web_assets").iterdir():
        if path.name != "dist":
            (package / path.name).symlink_to(path)
    renamed = {path.name: former_hash(path.name) for path in DIST.iterdir() if HASHED.fullmatch(path.name)}
    for path in DIST.iterdir():
        if path.suffix in (".br", ".gz"):
            continue
        content = path.read_bytes()
        if path.suffix in (".js", ".mjs"):
            for name, former in renamed.items():
                content = content.replace(name.encode(), former.encode())
        (package / "dist" / "servicejs" / renamed.get(path.name, path.name)).write_bytes(content)


@pytest.fixture(scope="module")
def former(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Python finds the package with a former build."""
    assert demo  # this build is there to be changed
    folder = tmp_path_factory.mktemp("former")
    make_former_build(folder)
    return folder


def test_an_upgrade_leaves_open_pages_alone(former: Path, profile: BrowserContext, tmp_path: Path) -> None:
    """After a restart with another build, an old tab starts its own worker, and what comes late comes, too."""
    data, port = tmp_path / "data", free_port()
    builds = {"SERVICE_BUILDS_DIR": ""}  # in the data directory, which no other test shares
    application = create_application(data, "Host", ORIGIN)
    profile.route(f"{ORIGIN}/**", lambda route: route.fulfill(body="<!doctype html><body>", content_type="text/html"))
    requested: list[str] = []
    profile.on("request", lambda request: requested.append(request.url.rpartition("/")[2]))

    def open_page(url: str, headers: dict[str, str]) -> Page:
        page = profile.new_page()
        page.goto(ORIGIN)
        page.add_script_tag(url=f"{url}/servicejs/v1/servicejs.js")
        options = {"appKey": headers["App-Key"], "userId": headers["User-ID"], "hash": headers["Hash"]}
        page.evaluate("values => { window.options = values }", options)
        return page

    old = {**builds, "PYTHONPATH": str(former)}
    with service(data, port=port, application=application, env=old, program=[SERVICE_SERVER]) as running:
        page = open_page(running.url, running.headers("ann"))

    with service(data, port=port, application=application, env=builds) as running:
        assert page.evaluate("new ServiceJS(options).getApps().then((apps) => apps.length > 1)")
        page.workers[0].evaluate(ARCHIVE)
        page.workers[0].evaluate("started.python.runPython('import quopri')")
        hashed = [name for name in requested if HASHED.fullmatch(name)]
        current = {path.name for path in DIST.iterdir()}
        assert ([], 6) == ([name for name in hashed if name in current], len(set(hashed)))
        requested.clear()
        fresh = open_page(running.url, running.headers("ann"))
        assert fresh.evaluate("new ServiceJS(options).getApps().then((apps) => apps.length > 1)")
        fresh.workers[0].evaluate(ARCHIVE)
        assert [] == [name for name in requested if HASHED.fullmatch(name) and name not in current]


def test_each_service_of_a_page_has_its_own_files(
    former: Path, demo: Demo, profile: BrowserContext, tmp_path: Path
) -> None:
    """An instance of another service than the script's is made and run by that service's own build."""
    files: list[str] = []
    profile.on("request", lambda request: files.append(request.url) if "/servicejs/v1/" in request.url else None)
    application = create_application(tmp_path / "data", "Host", demo.host_url)
    old = {"PYTHONPATH": str(former)}
    with service(tmp_path / "data", application=application, env=old, program=[SERVICE_SERVER]) as other:
        page = profile.new_page()
        profile.route(
            f"{demo.host_url}/two", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
        )
        page.goto(f"{demo.host_url}/two")
        page.add_script_tag(url=f"{demo.base_url}/servicejs/v1/servicejs.js")
        headers = other.headers("ann")
        theirs = {"appKey": headers["App-Key"], "userId": "ann", "hash": headers["Hash"], "baseUrl": f"{other.url}/"}
        users = page.evaluate(
            """async ([mine, theirs]) => {
              const made = [new ServiceJS(mine), ServiceJS(theirs)];
              const ready = made.map((sdk) => new Promise((resolve) => sdk.eventEmitter.on("ready", resolve)));
              window.theirs = made[1];
              await Promise.all(made.map((sdk) => sdk.getApps()));
              return (await Promise.all(ready)).map(({ user_id }) => user_id);
            }""",
            [demo.credentials(), theirs],
        )

        assert [demo.user_id, "ann"] == users
        assert 2 == len(page.workers)
        current = {path.name for path in DIST.iterdir()}
        hashed = [url.rpartition("/") for url in files if HASHED.fullmatch(url.rpartition("/")[2])]
        assert {True, False} == {name in current for *_, name in hashed}
        assert [] == [base for base, _, name in hashed if base.startswith(demo.base_url) != (name in current)]

        page.evaluate("() => { theirs.showApps().catch(() => {}) }")  # on a slow machine it is destroyed meanwhile
        expect(page.get_by_role("dialog").get_by_role("heading", name="GitHub")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate("theirs.destroy()")
        assert "destroyed" == page.evaluate("theirs.getApps().catch(({ code }) => code)")
        page.close()  # while the other service is there, which it may still ask for icons


def test_another_service_that_is_away_is_told(open_page: OpenPage, troubles: Troubles) -> None:
    """When the other service's script can't be had, calls reject and say so."""
    troubles.expect("net::ERR", "Failed to load resource")
    page = open_page(baseUrl=f"http://127.0.0.1:{free_port()}")

    error = error_of(page, "new ServiceJS(options).getApps()")

    assert ("unreachable", True) == (error["code"], "script-src" in error["message"])
