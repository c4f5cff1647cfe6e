"""The limits that an operator sets by environment variables."""

from pathlib import Path

import pytest

from service_server.cli.options import kept_connectors, settings_for
from service_server.settings import LIMITS, MAY_BE_OFF, InvalidSetting, limits_from


def test_only_what_is_set_is_given() -> None:
    """Unset limits keep their defaults; numbers are read as such."""
    environment = {"SERVICE_MAX_BODY_BYTES": "2048", "SERVICE_ONWARD_TIMEOUT_SECONDS": "2.5", "OTHER": "x"}

    assert {"max_body_bytes": 2048, "onward_timeout_seconds": 2.5} == limits_from(environment)


@pytest.mark.parametrize("text", ["", "x", "1.5", "0", "-1", "nan", "1e9"])
def test_a_limit_that_is_none_is_refused_by_name(text: str) -> None:
    """A typing mistake stops the start with the variable's name, instead of meaning something else."""
    with pytest.raises(InvalidSetting, match="SERVICE_MAX_BODY_BYTES"):
        limits_from({"SERVICE_MAX_BODY_BYTES": text})


def test_rate_limits_may_be_off() -> None:
    """Zero sets off the limits that a user or an application meets, and no other."""
    for name in MAY_BE_OFF:
        assert {name: 0} == limits_from({f"SERVICE_{name.upper()}": "0"})
    for name in LIMITS:
        if name not in MAY_BE_OFF:
            with pytest.raises(InvalidSetting):
                limits_from({f"SERVICE_{name.upper()}": "0"})


@pytest.mark.parametrize("given", ["", "/mnt/shared"])
def test_where_the_cache_and_former_builds_are(tmp_path: Path, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the data directory unless another place is named."""
    for name in ("CACHE", "BUILDS"):
        monkeypatch.setenv(f"SERVICE_{name}_DIR", given)
    settings = settings_for(tmp_path, None)

    assert Path(given or tmp_path / "cache") == settings.cache_directory
    assert Path(given or tmp_path / "builds") == settings.builds_directory


def test_commands_use_the_cache_of_services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is there: one that a command makes might belong to another user than the service's."""
    named = tmp_path / "named"
    monkeypatch.delenv("SERVICE_CACHE_DIR", raising=False)

    assert kept_connectors() is None
    assert kept_connectors(tmp_path) is None
    (tmp_path / "cache").mkdir()
    assert tmp_path / "cache" == kept_connectors(tmp_path)
    monkeypatch.setenv("SERVICE_CACHE_DIR", str(named))
    assert kept_connectors(tmp_path) is None
    named.mkdir()
    assert (named, named) == (kept_connectors(tmp_path), kept_connectors())
