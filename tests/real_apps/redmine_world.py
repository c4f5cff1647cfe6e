"""A Redmine of its own in a temporary folder, and the whole service in front of it."""

import contextlib
import re
import secrets
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from attrs import field, frozen

from tests.real_apps.debian import needs, processes_of
from tests.real_apps.running import ROOT, Running, free_port, running
from tests.real_apps.typed_credentials import Front
from tests.service_server.processes import service

PACKAGES = "puma ruby-sqlite3"
# Debian's package unpacked, not installed: what configures it makes an instance for the whole machine, and fails where
# Ruby's own bundler is newer than Debian's.
PROGRAM = ROOT / ".cache" / "debian" / "redmine" / "usr" / "share" / "redmine"
_PUMA = "/usr/bin/puma"
_SEED = Path(__file__).parent / "redmine" / "seed.rb"
_DATABASE = "production: {{adapter: sqlite3, database: '{path}', encoding: utf8}}\n"


@frozen
class Redmine:
    """A running Redmine: the API keys of its people by login, their one password, and its custom fields by name."""

    url: str
    keys: dict[str, str] = field(repr=False)
    password: str = field(repr=False)
    custom_fields: dict[str, int]
    program: Running

    def fields(self, login: str, api_key: str | None = None) -> dict[str, str]:
        """What a person types into the service's connect page."""
        return {"variable.server_url": self.url, "field.api_key": api_key or self.keys[login]}

    def api(self, login: str) -> httpx.Client:
        """Redmine's own API, for a person."""
        headers = {"X-Redmine-API-Key": self.keys[login]}
        return httpx.Client(base_url=self.url, headers=headers, trust_env=False)

    def replace_key(self, login: str) -> None:
        """Make a new API key as the person does, on their page in Redmine; the old one is void."""
        with httpx.Client(base_url=self.url, trust_env=False, follow_redirects=True) as browser:
            page = browser.get("/login")
            browser.post("/login", data={**_token(page), "username": login, "password": self.password})
            page = browser.post("/my/api_key", data=_token(browser.get("/my/account")))
            assert "reset" in page.text, page.text
            found = re.search(r'<pre class="autoscroll">(\w+)</pre>|<pre>(\w+)</pre>', browser.get("/my/api_key").text)
        assert found is not None
        self.keys[login] = found[1] or found[2]


@frozen
class RedmineWorld:
    """Redmine, and the service that users reach it by."""

    redmine: Redmine
    front: Front


def need_redmine() -> None:
    """Skip where Redmine is not unpacked, or what runs it is not installed."""
    needs(PACKAGES)
    if not (PROGRAM / "config.ru").exists():
        pytest.skip("Redmine is not unpacked: run ./dev setup")


@contextlib.contextmanager
def redmine() -> Iterator[Redmine]:
    """Run Redmine with everything it writes in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="redmine-") as folder:
        environment = _prepare(Path(folder))
        seed: list[str | Path] = ["ruby", PROGRAM / "bin" / "rails", "runner", _SEED]
        with running(seed, env=environment, cwd=PROGRAM) as program:
            seeded: dict[str, Any] = program.first_json_line()
        url = f"http://127.0.0.1:{free_port()}"
        puma = [_PUMA, "--threads", "1:4", "--bind", url.replace("http:", "tcp:"), "--config", "-", "config.ru"]
        with running(puma, env=environment, cwd=PROGRAM) as program:
            program.answers(f"{url}/login")
            yield Redmine(url, seeded["keys"], seeded["password"], seeded["custom_fields"], program)
        assert [] == processes_of(Path(folder))


@contextlib.contextmanager
def redmine_world(folder: Path) -> Iterator[RedmineWorld]:
    """Start both; the operator has nothing to set up for Redmine but that the service may reach it."""
    with redmine() as app, service(folder, "--allow-host", urlsplit(app.url).netloc) as started:
        yield RedmineWorld(app, Front(started, "redmine"))


def _prepare(folder: Path) -> dict[str, str]:
    """Lay out the folder of a Redmine instance; the environment that makes Debian's Redmine use it."""
    for name in ("config", "files", "log", "public", "tmp"):
        (folder / name).mkdir()
    (folder / "config" / "database.yml").write_text(_DATABASE.format(path=folder / "redmine.db"))
    (folder / "config" / "secret_key.txt").write_text(secrets.token_hex(32))
    # Debian's list of gems looks for the database's among the instances of the machine, and its lock lies there.
    (folder / "Gemfile").write_text((PROGRAM / "Gemfile").read_text() + 'gem "sqlite3"\n')
    # Debian's Redmine looks for an instance below its own folder, but takes a path that leads out of there as well.
    instance = "../" * 16 + str(folder).lstrip("/")
    return {
        "X_DEBIAN_SITEID": instance,
        "BUNDLE_GEMFILE": str(folder / "Gemfile"),
        "RAILS_ENV": "production",
        "HOME": str(folder),
        "WEB_CONCURRENCY": "0",
    }


def _token(page: httpx.Response) -> dict[str, str]:
    """The proof that a form comes from Redmine's own page."""
    found = re.search(r'name="authenticity_token" value="([^"]+)"', page.text)
    assert found is not None, page.text
    return {"authenticity_token": unescape(found[1])}
