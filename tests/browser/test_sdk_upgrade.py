"""Pages that meet two builds: opened before the service was upgraded, or with two services on them."""

import hashlib
import re
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from servicejs.bundle.build import DIST
from tests.real_apps.running import ROOT, free_port
from tests.service_server.processes import SERVICE_SERVER, create_application, service

from .conftest import OpenPage, Troubles, error_of
from .product import Demo
from .test_sdk_boot import ARCHIVE

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


def test_pages_that_meet_two_builds(demo: Demo, open_page: OpenPage, profile: BrowserContext, tmp_path: Path) -> None:
    """Another service's instance runs that one's build; an old tab keeps its own after a restart with another."""
    make_former_build(tmp_path)
    data, port = tmp_path / "data", free_port()
    builds = {"SERVICE_BUILDS_DIR": ""}  # in the data directory, which no other test shares
    application = create_application(data, "Host", demo.host_url)
    requested: list[str] = []
    profile.on("request", lambda request: requested.append(request.url) if "/servicejs/v1/" in request.url else None)
    empty = "<!doctype html><body>"
    profile.route(f"{demo.host_url}/tab", lambda route: route.fulfill(body=empty, content_type="text/html"))
    current = {path.name for path in DIST.iterdir()}

    def hashed(base_url: str) -> list[str]:
        """The files of a build that were asked for at a service."""
        names = [url.rpartition("/")[2] for url in requested if url.startswith(base_url)]
        return [name for name in names if HASHED.fullmatch(name)]

    old = {**builds, "PYTHONPATH": str(tmp_path)}
    with service(data, port=port, application=application, env=old, program=[SERVICE_SERVER]) as other:
        headers = other.headers("ann")
        theirs = {"appKey": headers["App-Key"], "userId": "ann", "hash": headers["Hash"]}
        page = open_page(path="/two")
        users = page.evaluate(
            """async ([mine, theirs]) => {
              const made = [new ServiceJS(mine), ServiceJS(theirs)];
              const ready = made.map((sdk) => new Promise((resolve) => sdk.eventEmitter.on("ready", resolve)));
              window.theirs = made[1];
              await Promise.all(made.map((sdk) => sdk.getApps()));
              return (await Promise.all(ready)).map(({ user_id }) => user_id);
            }""",
            [demo.credentials(), {**theirs, "baseUrl": f"{other.url}/"}],
        )
        assert [demo.user_id, "ann"] == users
        assert 2 == len(page.workers)
        assert hashed(demo.base_url)
        assert current >= set(hashed(demo.base_url))
        assert hashed(other.url)
        assert current.isdisjoint(hashed(other.url))
        page.evaluate("() => { theirs.showApps().catch(() => {}) }")  # on a slow machine it is destroyed meanwhile
        expect(page.get_by_role("dialog").get_by_role("heading", name="GitHub")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate("theirs.destroy()")
        assert "destroyed" == page.evaluate("theirs.getApps().catch(({ code }) => code)")
        page.close()  # while the other service is there, which it may still ask for icons

        def open_theirs() -> Page:
            page = profile.new_page()
            page.goto(f"{demo.host_url}/tab")
            page.add_script_tag(url=f"{other.url}/servicejs/v1/servicejs.js")
            page.evaluate("values => { window.options = values }", theirs)
            return page

        old_tab = open_theirs()

    requested.clear()
    listed = "new ServiceJS(options).getApps().then((apps) => apps.length > 1)"
    with service(data, port=port, application=application, env=builds):
        assert old_tab.evaluate(listed)
        old_tab.workers[0].evaluate(ARCHIVE)
        old_tab.workers[0].evaluate("started.python.runPython('import quopri')")
        assert current.isdisjoint(hashed(other.url))
        assert 6 == len(set(hashed(other.url)))
        requested.clear()
        fresh = open_theirs()
        assert fresh.evaluate(listed)
        fresh.workers[0].evaluate(ARCHIVE)
        assert current >= set(hashed(other.url))


def test_another_service_that_is_away_is_told(open_page: OpenPage, troubles: Troubles) -> None:
    """When the other service's script can't be had, calls reject and say so."""
    troubles.expect("net::ERR", "Failed to load resource")
    page = open_page(baseUrl=f"http://127.0.0.1:{free_port()}")

    error = error_of(page, "new ServiceJS(options).getApps()")

    assert ("unreachable", True) == (error["code"], "script-src" in error["message"])
