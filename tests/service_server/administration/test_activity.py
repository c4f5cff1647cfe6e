"""What has changed since yesterday."""

import pytest

from service_server.administration.activity import changed
from service_server.store import Sums

QUIET = Sums(100, 1, 0, 10_000.0, 100.0)
FUNCTION = ("sandbox", "sandbox-list-tickets")


@pytest.mark.parametrize(
    ("today", "yesterday", "kinds"),
    [
        (QUIET, QUIET, []),
        (Sums(100, 10, 0, 10_000.0, 100.0), QUIET, ["failing"]),
        (Sums(100, 10, 0, 10_000.0, 100.0), Sums(100, 8, 0, 10_000.0, 100.0), []),
        (Sums(1000, 20, 0, 100_000.0, 100.0), QUIET, []),  # two in a hundred are not many
        (Sums(10, 5, 0, 1_000.0, 10.0), QUIET, []),  # of ten calls nothing can be said
        (Sums(100, 1, 30, 10_000.0, 100.0), QUIET, ["refused"]),
        (Sums(100, 1, 0, 25_000.0, 100.0), QUIET, ["slower"]),
        (Sums(100, 1, 0, 14_000.0, 100.0), QUIET, []),
        (Sums(100, 1, 0, 10.0, 10.0), Sums(100, 1, 0, 1.0, 1.0), []),  # many times slower, which nobody notices
        (Sums(), QUIET, ["silent"]),
        (Sums(), Sums(3, 0, 0, 1.0, 1.0), []),
        (QUIET, Sums(), []),
    ],
)
def test_what_stands_out_is_told(today: Sums, yesterday: Sums, kinds: list[str]) -> None:
    """Only what is much and was not so before: more errors or refusals, much slower, silent."""
    assert kinds == [each.kind for each in changed({FUNCTION: today}, {FUNCTION: yesterday})]


def test_errors_are_told_of_apps_and_slowness_of_functions() -> None:
    """Failures of all functions of an app count together; of those that got slower the worst come first."""
    slow, slower = Sums(50, 0, 0, 20_000.0, 0.0), Sums(50, 0, 0, 90_000.0, 0.0)
    today = {("x", "x-a"): slow, ("x", "x-b"): slower, ("y", "y-a"): Sums(15, 5), ("y", "y-b"): Sums(15, 5)}
    before = {key: Sums(50, 0, 0, 5_000.0, 0.0) for key in today}
    found = [(each.kind, each.app_name, each.function_name, each.now) for each in changed(today, before)]

    assert [("failing", "y", "", 1 / 3), ("slower", "x", "x-b", 1800.0), ("slower", "x", "x-a", 400.0)] == found
