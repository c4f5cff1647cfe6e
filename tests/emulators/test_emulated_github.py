"""GitHub's connector against an emulator of GitHub; it takes any token and doesn't compare the code's proof."""

import pytest

from service_client import CallRefused
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps

ENGINE = {"owner": "ada", "repo": "engine"}


def test_x(emulators: Emulated) -> None:
    account = emulators.sign_in("one", "github", "ada")
    front = emulators.front("github")
    print(front.accounts("one"))
    with front.client("one") as client:
        for n in range(3):
            print(
                client.functions.call("emulated_github-create-issue", {**ENGINE, "title": f"Fix {n}"}).output["number"]
            )
        print([r["title"] for r in client.functions.items("emulated_github-list-issues", ENGINE)])
