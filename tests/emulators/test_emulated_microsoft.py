"""
Signing in to Microsoft 365 against an emulator of Microsoft.

The emulator has no mail and no calendar: of Microsoft Graph it knows who somebody is, and nothing more.
"""

import pytest

from tests.emulators.seeds import ADA
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps


def test_an_account_is_connected_and_named(emulators: Emulated) -> None:
    """Signing in by the code's proof gives an account, named by the person, that calls are made with."""
    emulators.sign_in("clerk", "microsoft_365", ADA)
    front = emulators.front("microsoft_365")
    with front.client("clerk") as client:
        me = client.functions.passthrough(front.app, "GET", "/me").output

    assert [f"Ada Lovelace ({ADA})"] == [each.display_name for each in front.accounts("clerk")]
    assert ADA == me["mail"]
