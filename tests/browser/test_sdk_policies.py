"""What a host page's Content Security Policy allows and forbids, and what the SDK says about it."""

import pytest
from playwright.sync_api import expect

from .conftest import OpenPage, Troubles, error_of, policy_of
from .product import Demo

REPORTED = (
    "Content Security Policy",
    "Content Security policy",
    "TrustedScriptURL",
    "TrustedHTML",
    "Failed to fetch",
    "net::ERR",
    "wasm instantiation failed",
    "Refused to connect",
)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"script_src": "{service}"}, "'wasm-unsafe-eval' to script-src"),
        ({"worker_src": "'none'"}, "blob: to worker-src"),
        ({"connect_src": "'none'"}, "to connect-src"),
        ({"trusted_types": "'none'"}, "servicejs to trusted-types"),
    ],
)
def test_what_is_forbidden_is_named(
    change: dict[str, str], named: str, open_page: OpenPage, demo: Demo, troubles: Troubles
) -> None:
    """Where the policy forbids what the SDK needs, calls reject and `error` says what to add; nothing stays shown."""
    troubles.expect(*REPORTED)
    changes = {name: value.format(service=demo.base_url) for name, value in change.items()}
    page = open_page(policy=policy_of(demo, **changes))
    nothing = {"status": 204, "headers": {"Access-Control-Allow-Origin": "*"}}
    page.route("**/first_screens", lambda route: route.fulfill(**nothing))  # a list that is drawn is shown by then
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")

    told = page.evaluate("new Promise((resolve) => sdk.eventEmitter.on('error', ({ message }) => resolve(message)))")
    assert named in told
    error = error_of(page, "sdk.getApps()")
    assert ("blocked_by_policy", True) == (error["code"], named in error["message"])
    if "worker_src" in change:  # what the call had opened before the start failed is taken away
        assert "blocked_by_policy" == error_of(page, "sdk.showApps()")["code"]
    expect(page.locator("[data-servicejs]")).to_have_count(0)
