"""What users granted the sandbox app outlives a restart, when it is told to keep it."""

import stat
from pathlib import Path

import httpx
import pytest

from tests.examples.processes import CLIENT_ID, CLIENT_SECRET, sandbox_app
from tests.examples.sign_in import allowed_code, authorization_request
from tests.real_apps.sign_in import VERIFIER

pytestmark = pytest.mark.slow

REDIRECT_URI = "http://127.0.0.1:9/oauth/callback"


def _ask(url: str, **form: str) -> httpx.Response:
    return httpx.post(f"{url}/oauth/token", data=form, auth=(CLIENT_ID, CLIENT_SECRET), trust_env=False)


def test_grants_outlive_a_restart(tmp_path: Path) -> None:
    """Access and refresh tokens go on working, and a refresh token used before the restart stays used."""
    kept = tmp_path / "grants.json"
    with sandbox_app(REDIRECT_URI, "--grants-file", str(kept)) as app:
        with httpx.Client(base_url=app.url, trust_env=False) as visitor:
            request = authorization_request(CLIENT_ID, REDIRECT_URI)
            code = allowed_code(visitor, "alice", request)
        given = {"code": code, "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER}
        first = _ask(app.url, grant_type="authorization_code", **given).json()
        second = _ask(app.url, grant_type="refresh_token", refresh_token=first["refresh_token"]).json()

    with sandbox_app(REDIRECT_URI, "--grants-file", str(kept)) as app:
        headers = {"Authorization": f"Bearer {second['access_token']}"}
        me = httpx.get(f"{app.url}/api/v1/me", headers=headers, trust_env=False)
        third = _ask(app.url, grant_type="refresh_token", refresh_token=second["refresh_token"])
        reused = _ask(app.url, grant_type="refresh_token", refresh_token=first["refresh_token"])

    assert 0o600 == stat.S_IMODE(kept.stat().st_mode)
    assert "alice" == me.json()["username"]
    assert 200 == third.status_code
    assert "invalid_grant" == reused.json()["error"]


def test_a_damaged_file_holds_nothing(tmp_path: Path) -> None:
    """The app starts with whatever lies there."""
    kept = tmp_path / "grants.json"
    kept.write_text('{"grants": [{"user": "nobody"')
    with sandbox_app(REDIRECT_URI, "--grants-file", str(kept)) as app:
        assert 200 == httpx.get(f"{app.url}/login", trust_env=False).status_code
