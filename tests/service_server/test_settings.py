"""The limits that an operator sets by environment variables."""

from pathlib import Path

import click
import pytest

from service_server.cli.main import cli
from service_server.cli.options import kept_connectors, settings_for
from service_server.cli.serve import serve_cli
from service_server.cli.setting_names import UnknownSetting, unknown_settings
from service_server.settings import LIMITS, MAY_BE_OFF, InvalidSetting, limits_from


def test_limits_are_read() -> None:
    """Unset ones keep their defaults; zero sets off those that a user or an application meets, and no other."""
    environment = {"SERVICE_MAX_BODY_BYTES": "2048", "SERVICE_ONWARD_TIMEOUT_SECONDS": "2.5", "OTHER": "x"}

    assert {"max_body_bytes": 2048, "onward_timeout_seconds": 2.5} == limits_from(environment)
    for name in LIMITS:
        if name in MAY_BE_OFF:
            assert {name: 0} == limits_from({f"SERVICE_{name.upper()}": "0"})
        else:
            with pytest.raises(InvalidSetting):
                limits_from({f"SERVICE_{name.upper()}": "0"})


@pytest.mark.parametrize("text", ["", "planted", "1.5", "0", "-1", "nan", "1e9"])
def test_a_limit_that_is_none_is_refused_by_name(text: str) -> None:
    """A typing mistake stops the start with the variable's name; what was typed may have been meant for a secret's."""
    with pytest.raises(InvalidSetting, match="SERVICE_MAX_BODY_BYTES must be") as refused:
        limits_from({"SERVICE_MAX_BODY_BYTES": text})

    assert "planted" not in str(refused.value)


def test_days_go_back_to_a_date_that_there_is() -> None:
    """Else nothing would be deleted, and an error said so again and again."""
    assert {"call_retention_days": 36_500} == limits_from({"SERVICE_CALL_RETENTION_DAYS": "36500"})
    with pytest.raises(InvalidSetting, match="SERVICE_CALL_RETENTION_DAYS must be from 1 to 36500"):
        limits_from({"SERVICE_CALL_RETENTION_DAYS": "99999999"})
    with pytest.raises(InvalidSetting, match=r"must be a whole number\."):
        limits_from({"SERVICE_RATE_LIMIT_PER_MINUTE": "1.5"})


def test_where_the_cache_and_former_builds_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the data directory unless another place is named; a command makes none, which might not be the service's."""
    named, kept = tmp_path / "named", tmp_path / "cache"
    for given, places in (("", (kept, tmp_path / "builds")), (str(named), (named, named))):
        for name in ("CACHE", "BUILDS"):
            monkeypatch.setenv(f"SERVICE_{name}_DIR", given)
        settings = settings_for(tmp_path, None)
        assert places == (settings.cache_directory, settings.builds_directory)

    assert kept_connectors(tmp_path) is None
    named.mkdir()
    assert (named, named) == (kept_connectors(tmp_path), kept_connectors())
    monkeypatch.delenv("SERVICE_CACHE_DIR")
    assert (None, None) == (kept_connectors(), kept_connectors(tmp_path))
    kept.mkdir()
    assert kept == kept_connectors(tmp_path)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("SERVICE_PUBLIC_ADDRESS", "SERVICE_PUBLIC_URL"),
        ("SERVICE_ADMINPORT", "SERVICE_ADMIN_PORT"),
        ("SERVICE_MAX_BODY_BYTE", "SERVICE_MAX_BODY_BYTES"),
        ("SERVICE_OIDC_CLIENTID", "SERVICE_OIDC_CLIENT_ID"),
        ("SERVICE_PREDICT_LLM_MODLE", "SERVICE_PREDICT_LLM_MODEL"),
        ("SERVICE_VAULTKEY", "SERVICE_VAULT_KEY"),
        ("service_public_url", "SERVICE_PUBLIC_URL"),
        ("SERVICE_QQQ", None),
    ],
)
def test_a_name_that_is_no_setting_is_found(name: str, nearest: str | None) -> None:
    """With the setting that may be meant."""
    environment = {name: "x", "SERVICE_HOST": "::1", "SERVICE_CALLS_AT_ONCE": "1", "services": "", "service_name": "x"}

    assert [UnknownSetting(name, nearest)] == unknown_settings(environment, serve_cli.params)


def test_no_variable_of_a_command_is_called_unknown() -> None:
    """Those of all commands may stand in one file."""
    environment = dict.fromkeys(_variables_of(cli), "x")

    assert {"SERVICE_USER_ID", "SERVICE_METRICS_PORT"} <= environment.keys()
    assert [] == unknown_settings(environment, serve_cli.params)


def _variables_of(command: click.Command) -> set[str]:
    found = {each.envvar for each in command.params if isinstance(each.envvar, str)}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found |= _variables_of(inner)
    return found
