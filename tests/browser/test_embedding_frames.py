"""The SDK inside a frame of the host page that is sandboxed, with and without an origin of its own."""

import json
import subprocess
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Frame, expect

from service_client import sign
from tests.comboboxes import choose
from tests.real_apps.running import ROOT
from tests.service_server.processes import SERVICE_SERVER

from .conftest import Troubles
from .product import Demo, allow_access

NEEDED = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
"""What a sandboxed frame has to be allowed."""


@pytest.fixture(scope="module")
def framed(demo: Demo) -> dict[str, Any]:
    """The options of a user of an application that lists the origin `null`, which frames without an origin have."""
    command = [SERVICE_SERVER, "application", "create", "Framed", "--json"]
    options = ["--origin", "null", "--data-dir", demo.data_directory]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True, cwd=ROOT)
    made = json.loads(done.stdout)
    return {"appKey": made["app_key"], "userId": "framed", "hash": sign("framed", made["app_secret"])}


def open_frame(profile: BrowserContext, demo: Demo, sandbox: str, options: dict[str, Any]) -> Frame:
    """Open a page of the host's origin with a sandboxed frame in it that makes an instance, `sdk`."""
    script = f"{demo.base_url}/servicejs/v1/servicejs.js"
    inner = f"""<!doctype html><html lang="en"><title>Framed</title><script src="{script}"></script>
      <button id="connect">Connect</button><script>
        const sdk = new ServiceJS({json.dumps(options)});
        document.querySelector("#connect").onclick = () => {{ window.connecting = sdk.connectApp("sandbox"); }};
      </script>"""
    outer = f'<!doctype html><html lang="en"><title>Outer</title><iframe sandbox="{sandbox}" src="/framed"></iframe>'
    outer += "<style>iframe { width: 700px; height: 600px }</style>"
    profile.route(f"{demo.host_url}/framed", lambda route: route.fulfill(body=inner, content_type="text/html"))
    profile.route(f"{demo.host_url}/outer", lambda route: route.fulfill(body=outer, content_type="text/html"))
    page = profile.new_page()
    page.goto(f"{demo.host_url}/outer")
    (frame,) = page.main_frame.child_frames
    frame.wait_for_load_state()
    return frame


def test_a_sandboxed_frame_is_enough(profile: BrowserContext, demo: Demo, framed: dict[str, Any]) -> None:
    """Accounts are connected and functions called from a sandboxed frame, whose origin is `null`."""
    frame = open_frame(profile, demo, NEEDED, framed)
    assert "null" == frame.evaluate("self.origin")

    with profile.expect_page() as opened:
        frame.get_by_role("button", name="Connect").click()
    allow_access(opened.value)
    account = frame.evaluate("window.connecting")
    frame.evaluate("() => { window.filled = sdk.showFunctionUI('sandbox-create-ticket', { title: 'From a frame' }) }")
    choose(frame, "Project (required)", "Documentation")
    expect(frame.get_by_text("There are no fields to fill in.")).to_be_visible()
    frame.get_by_role("button", name="Create a ticket").click()

    assert frame.evaluate("filled.then((values) => sdk.invokeFunction('sandbox-create-ticket', values))")
    assert account
    frame.evaluate("sdk.disconnectApp('sandbox')")


def test_a_frame_may_have_an_origin(profile: BrowserContext, demo: Demo, troubles: Troubles) -> None:
    """That of its page then."""
    troubles.expect("can escape its sandboxing")  # such a frame guards against mistakes, not against its own page
    frame = open_frame(profile, demo, f"{NEEDED} allow-same-origin", demo.credentials())

    assert demo.host_url == frame.evaluate("self.origin")
    assert isinstance(frame.evaluate("sdk.getApps()"), list)
