"""Where events may be sent, as far as the URL alone can tell."""

import pytest

from service_server.webhooks.destination import problem_with


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/hook",
        "https://app.LOCALHOST:8443/hook",
        "https://127.0.0.1/hook",
        "https://10.1.2.3:8443/hook",
        "https://169.254.169.254/latest",
        "https://[::1]/hook",
        "https://[fd00::1]/hook",
    ],
)
def test_what_is_plainly_not_public_has_to_be_opened(url: str) -> None:
    """As for what functions send; an endpoint is not made first, to fail for three days then."""
    host = url.removeprefix("https://").split("/")[0].lower()

    assert "is not public" in str(problem_with(url, ["webhooks=other.internal", f"sandbox={host}"]))
    assert problem_with(url, [f"webhooks={host}"]) is None
    assert problem_with(url, [host]) is None


@pytest.mark.parametrize("url", ["https://93.184.215.14/", "https://[2606:4700::1111]/", "https://localhost.example/"])
def test_public_hosts_are_open(url: str) -> None:
    """What a name leads to is looked at whenever something is sent there."""
    assert problem_with(url, []) is None
