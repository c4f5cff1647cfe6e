"""The limits that an operator sets by environment variables."""

from pathlib import Path

import pytest

from service_server.cli.options import settings_for
from service_server.settings import LIMITS, InvalidSetting, limits_from


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
    """Zero is the default of the rate limit, and of nothing else."""
    assert {"rate_limit_per_minute": 0} == limits_from({"SERVICE_RATE_LIMIT_PER_MINUTE": "0"})
    for name in LIMITS:
        if name != "rate_limit_per_minute":
            with pytest.raises(InvalidSetting):
                limits_from({f"SERVICE_{name.upper()}": "0"})


@pytest.mark.parametrize("given", ["", "/var/cache/functions"])
def test_where_the_cache_is(tmp_path: Path, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What only makes starts faster is kept in the data directory unless another place is named."""
    monkeypatch.setenv("SERVICE_CACHE_DIR", given)

    assert Path(given or tmp_path / "cache") == settings_for(tmp_path, None).cache_directory
