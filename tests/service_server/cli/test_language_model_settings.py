"""The optional language model, as an operator sets it."""

from pathlib import Path

import pytest

from service_server.cli.language_model import language_model_from
from service_server.cli.options import settings_for
from service_server.settings import InvalidSetting, LanguageModel

URL, MODEL, KEY = "SERVICE_PREDICT_LLM_URL", "SERVICE_PREDICT_LLM_MODEL", "SERVICE_PREDICT_LLM_KEY"
SECRET = "secret-llm-key-0123456789"
ADDRESS = "https://llm.example.com/v1"
GIVEN = {URL: ADDRESS, MODEL: "small"}


def test_what_is_set_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address, model and key, with limits that have defaults; nobody sees a prompt unless an operator says so."""
    monkeypatch.delenv(URL, raising=False)
    assert settings_for(tmp_path, None).language_model is None
    for name, text in {**GIVEN, KEY: SECRET, "SERVICE_PREDICT_LLM_TIMEOUT_SECONDS": "2.5"}.items():
        monkeypatch.setenv(name, text)
    taken = settings_for(tmp_path, None).language_model

    assert LanguageModel(url=ADDRESS, model="small", key=SECRET, timeout_seconds=2.5) == taken
    assert SECRET not in repr(taken)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        *(({URL: url}, ADDRESS) for url in (f"{ADDRESS}/", f"{ADDRESS}/chat/completions", f" {ADDRESS} ")),
        *(
            ({URL: url}, url)
            for url in ("http://127.0.0.1:8080/v1", "http://localhost:8080/v1", "http://[::1]:8080/v1")
        ),
        ({URL: "http://gpu.internal/v1", "SERVICE_PREDICT_LLM_ALLOW_HTTP": "true"}, "http://gpu.internal/v1"),
    ],
)
def test_the_address_in_its_spellings(given: dict[str, str], read: str) -> None:
    """It is what stands before /chat/completions; what doesn't leave the machine needs no TLS."""
    model = language_model_from({**GIVEN, **given})

    assert read == model.url


def test_the_key_may_stand_in_a_file(tmp_path: Path) -> None:
    """Blanks around it are not part of it; without a key in it, or as no text, the file is a mistake."""
    file = tmp_path / "key"
    given = {**GIVEN, f"{KEY}_FILE": str(file)}
    with pytest.raises(OSError, match="key"):
        language_model_from(given)
    file.write_text(f"  {SECRET}\n")
    model = language_model_from(given)
    assert SECRET == model.key
    for content in (b"\n", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(InvalidSetting, match="KEY_FILE"):
            language_model_from(given)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({URL: "", KEY: ""}, "URL is missing"),
        ({URL: "", MODEL: "", KEY: SECRET}, "URL is missing"),
        ({MODEL: ""}, "MODEL must name"),
        ({URL: f"https://user:{SECRET}@llm.example.com/v1"}, "URL cannot be used"),
        ({URL: f"{ADDRESS}?key={SECRET}"}, "without query"),
        ({URL: "llm.example.com"}, "URL cannot be used"),
        ({URL: "http://gpu.internal:8080/v1", KEY: SECRET}, "ALLOW_HTTP"),
        *(({KEY: f"{SECRET}{more}"}, "printable ASCII") for more in ("\r\nX: y", f" {SECRET}", "é")),
        ({KEY: SECRET, f"{KEY}_FILE": "key"}, "not both"),
        *(({"SERVICE_PREDICT_LLM_TIMEOUT_SECONDS": text}, "TIMEOUT_SECONDS must be") for text in ("nan", "0")),
        ({"SERVICE_PREDICT_LLM_MOST_AT_ONCE": "1.5"}, "MOST_AT_ONCE must be"),
        ({"SERVICE_PREDICT_LLM_MAX_RESPONSE_BYTES": "x"}, "MAX_RESPONSE_BYTES must be"),
    ],
)
def test_what_can_not_be_used_is_named(given: dict[str, str], reason: str) -> None:
    """A mistake stops the start with the variable's name, and shows nothing of key or address."""
    with pytest.raises(InvalidSetting, match=reason) as raised:
        language_model_from({**GIVEN, **given})

    assert SECRET not in str(raised.value)
