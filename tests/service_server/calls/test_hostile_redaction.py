"""What the log keeps: no credential, in whatever spelling an app repeats it."""

import pytest

from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.redaction.spellings import Spellings

KEY = "a key/with+odd=signs"
SECRETS = Spellings.of([KEY])


@pytest.mark.parametrize("spelling", [KEY, "a%20key%2Fwith%2Bodd%3Dsigns", "a+key%2Fwith%2Bodd%3Dsigns"])
def test_a_credential_is_left_out_in_every_spelling_of_a_url(spelling: str) -> None:
    """Apps repeat the address they were asked at, in which the credential is percent-encoded."""
    assert {"error": "no access with [redacted]."} == redacted(
        {"error": f"no access with {spelling}."}, SECRETS, 10_000
    )


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("/items?api_key=mine&page=2", "/items?api_key=[redacted]&page=2"),
        ("https://x.example/?page=2&access_token=mine#top", "https://x.example/?page=2&access_token=[redacted]#top"),
        ("/items?token=mine", "/items?token=[redacted]"),
        ("/items?X-Amz-Credential=mine", "/items?X-Amz-Credential=[redacted]"),
        ("/items?page=2&query=secret", "/items?page=2&query=secret"),
        ("secret=is no query", "secret=is no query"),
    ],
)
def test_a_credential_that_a_caller_puts_into_a_url_is_left_out(url: str, kept: str) -> None:
    """A free-form request may carry a secret of the caller's own in its query."""
    assert {"url": kept} == redacted({"url": url}, SECRETS, 10_000)


def test_a_long_text_is_redacted_in_one_pass() -> None:
    """Megabytes that look like the beginning of many queries take no time to speak of."""
    text = "?=" + ("&" + "a" * 60) * 20_000 + "&" * 1_000_000 + "?" + "a" * 1_000_000

    assert text == redacted(text, SECRETS, 10_000_000)


def test_what_the_caller_gave_as_secret_is_left_out_of_the_answer() -> None:
    """An app that repeats a sensitive argument under a harmless name, or one from a query, does not get it logged."""
    arguments = {"pin": "four words are long", "deep": [{"pass_word": "kept", "password": "not kept"}]}
    arguments["url"] = "/x?api_key=typed%20into%20it"
    secrets = secrets_of_call(Spellings.of([]), arguments, {"pin"})
    output = {"note": "four words are long, not kept", "more": "typed into it; typed%20into%20it", "pass_word": "kept"}

    assert {"note": "[redacted], [redacted]", "more": "[redacted]; [redacted]", "pass_word": "kept"} == redacted(
        output, secrets, 10_000
    )
