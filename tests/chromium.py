"""Debian's Chromium, and how tests (`ARGUMENTS`) and benchmarks (`AS_USERS_RUN_IT`) start it."""

from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
# Of several lists of features the last one counts, so that what Playwright leaves out has to be left out here, too.
_LEFT_OUT = (
    # Pages that a test makes up come from no address at all, which Chromium keeps from reaching the loopback.
    "LocalNetworkAccessChecks",
    # Two pages of the browser's own for every window, which nobody sees, take a fifth of the processor time.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
)
AS_USERS_RUN_IT = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_LEFT_OUT)}",
]
# Each page starts Python in WebAssembly: to optimise what runs for seconds takes half of a page's processor time.
ARGUMENTS = [*AS_USERS_RUN_IT, "--js-flags=--liftoff-only"]
