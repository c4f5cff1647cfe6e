"""
Starts the third-party software that the real-app tests talk to.

`oidc-provider` comes from the repository's `node_modules`. What is written in Python has a virtual environment apart:
`IFS_REAL_APPS` names its folder, or else it is `.venv-real-apps`.
"""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from attrs import frozen

from tests.real_apps.running import ROOT, Running, free_port, running

FOLDER = Path(__file__).parent
CLIENT_ID = "functions-service"
CLIENT_SECRET = "oidc-client-secret"


@frozen
class OidcProvider:
    """A running OpenID provider and its one client; any login name with any password signs in."""

    url: str
    client_id: str
    client_secret: str
    redirect_uri: str
    program: Running


@frozen
class Kinto:
    """A running Kinto that takes the provider's access tokens; `url` ends in `/v1`."""

    url: str
    program: Running


def executable(name: str) -> Path:
    """Where a program of the third-party software in Python is, or should be."""
    return Path(os.environ.get("IFS_REAL_APPS") or ROOT / ".venv-real-apps") / "bin" / name


def find_missing_program(name: str) -> str | None:
    """How to get a program of the third-party software in Python, in one sentence; None when it is there."""
    if executable(name).is_file():
        return None
    return f"{executable(name)} is missing: run ./dev setup, or install the group real-apps and set IFS_REAL_APPS"


def find_missing_provider() -> str | None:
    """What is not installed for the OpenID provider and how to get it, in one sentence; None when it is there."""
    if shutil.which("node") is None:
        return "Node is not installed (needed by oidc-provider)"
    if not (ROOT / "node_modules" / "oidc-provider").is_dir():
        return "oidc-provider is not installed: run npm ci"
    return None


def find_missing() -> str | None:
    """What is not installed and how to get it, in one sentence; None when everything is there."""
    missing = find_missing_provider()
    if missing is not None:
        return missing
    return find_missing_program("kinto")


@contextlib.contextmanager
def oidc_provider(
    redirect_uri: str, *, access_token_seconds: int = 5, resource_server: Mapping[str, str] | None = None
) -> Iterator[OidcProvider]:
    """
    Run the OpenID provider: code + PKCE S256, rotating refresh tokens, revocation; access tokens end soon.

    With the `audience` and `scope` of a resource server it also gives JWTs for that by client_credentials, to clients
    that have registered themselves.
    """
    env = {
        "CLIENT_ID": CLIENT_ID,
        "CLIENT_SECRET": CLIENT_SECRET,
        "REDIRECT_URI": redirect_uri,
        "ACCESS_TOKEN_SECONDS": str(access_token_seconds),
        "RESOURCE_SERVER": json.dumps(dict(resource_server)) if resource_server else "",
    }
    with running(["node", FOLDER / "oidc_provider" / "provider.mjs"], env=env) as program:
        url = program.first_json_line()["url"]
        yield OidcProvider(url, CLIENT_ID, CLIENT_SECRET, redirect_uri, program)


@contextlib.contextmanager
def kinto(provider: OidcProvider, *, page_size: int = 2) -> Iterator[Kinto]:
    """Run Kinto with empty storage; lists give `page_size` objects a page."""
    with tempfile.TemporaryDirectory(prefix="kinto-") as folder:
        port = free_port()
        configuration = Path(folder, "kinto.ini")
        text = Template((FOLDER / "kinto" / "kinto.ini").read_text()).substitute(
            port=port,
            page_size=page_size,
            issuer=provider.url,
            client_id=provider.client_id,
            client_secret=provider.client_secret,
        )
        configuration.write_text(text)
        command: list[str | Path] = [executable("kinto"), "start", "--ini", configuration, "--port", str(port)]
        # Kinto asks the provider by `requests`, which would ask a proxy of the environment first.
        with running(command, env={"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}) as program:
            url = f"http://127.0.0.1:{port}/v1"
            program.answers(f"{url}/__heartbeat__")
            yield Kinto(url, program)
