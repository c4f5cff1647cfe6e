"""The shipped alert rules and dashboard, tried with Debian's Prometheus on a running service."""

import contextlib
import json
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.real_apps.running import end
from tests.service_server.connecting import connect_by_key
from tests.service_server.telemetry.prometheus import (
    ALERTS,
    DASHBOARD,
    DEPLOY,
    MISSING,
    PROMETHEUS,
    PROMTOOL,
    WINDOW,
    prometheus,
)
from tests.service_server.telemetry.watched_service import watched_service

pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROMETHEUS is None or PROMTOOL is None, reason=MISSING)]
USER = "somebody"
SERIES = {
    "FunctionsServiceDown": ["up{job='functions', instance='i'} 0x60"],
    "FunctionsDatabaseAway": [
        "db_client_operation_duration_seconds_count{instance='i', error_type='DatabaseAway'} 0+60x60"
    ],
    "FunctionsCallsFailing": ["functions_calls_total{outcome='failed', app='a'} 0+60x60"],
    "FunctionsRequestsFailing": [
        "http_server_request_duration_seconds_count{http_response_status_code='503'} 0+3x60",
        "http_server_request_duration_seconds_count{http_response_status_code='200'} 0+60x60",
    ],
    "FunctionsAppUnreachable": ["functions_refusals_total{app='a', code='app_unreachable'} 0+60x60"],
    "FunctionsAppFailing": [
        "functions_calls_total{outcome='executed', app='a', code_class='5xx'} 0+30x60",
        "functions_calls_total{outcome='executed', app='a', code_class='2xx'} 0+60x60",
    ],
    "FunctionsRenewalsFailing": [
        "functions_renewals_total{app='a', outcome='failed'} 0+30x60",
        "functions_renewals_total{app='a', outcome='renewed'} 0+60x60",
    ],
    "FunctionsAccountsLost": ["functions_renewals_total{app='a', outcome='reconnect_required'} 0+1x60"],
    "FunctionsConnectsFailing": [
        "functions_connects_total{app='a', outcome='failed'} 0+2x60",
        "functions_connects_total{app='a', outcome='connected'} 0+1x60",
    ],
    "FunctionsSlow": [
        "functions_call_service_duration_seconds_bucket{le='0.5'} 0+30x60",
        "functions_call_service_duration_seconds_bucket{le='1.0'} 0+60x60",
        "functions_call_service_duration_seconds_bucket{le='+Inf'} 0+60x60",
    ],
    "FunctionsEventLoopLate": [
        "functions_event_loop_lag_seconds_bucket{instance='i', process='7', le='0.25'} 0+30x60",
        "functions_event_loop_lag_seconds_bucket{instance='i', process='7', le='0.5'} 0+60x60",
        "functions_event_loop_lag_seconds_bucket{instance='i', process='7', le='+Inf'} 0+60x60",
    ],
    "FunctionsWritesWaiting": [
        "functions_queue_length{instance='i', queue='database_writes', process='7'} 300x60",
        "functions_queue_length{instance='i', queue='database_writes', process='8'} 300x60",
    ],
    "FunctionsEndsNotWritten": ["functions_queue_length{instance='i', queue='ends_of_calls', process='7'} 1x60"],
}
"""Figures, minute by minute, of a fault that lasts for an hour: each alert that must fire then."""


def promtool(*arguments: str | Path) -> str:
    """What promtool says; it must find nothing wrong."""
    done = subprocess.run([PROMTOOL or "", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_promtool_finds_nothing_wrong() -> None:
    """The rules, and the configuration that names them, are what Prometheus takes."""
    assert f"{len(SERIES)} rules found" in promtool("check", "rules", ALERTS)
    assert "SUCCESS" in promtool("check", "config", DEPLOY / "prometheus" / "prometheus.yaml")


def test_each_alert_fires_at_its_fault_and_not_before(tmp_path: Path) -> None:
    """In its first minute nothing is told, after an hour of the fault the alert is; and each says what to do."""
    rules = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    tests = [
        {
            "interval": "1m",
            "input_series": [dict(zip(("series", "values"), each.rsplit(" ", 1), strict=True)) for each in series],
            "promql_expr_test": [
                {
                    # One alert, whatever its labels are.
                    "expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})',
                    "eval_time": moment,
                    "exp_samples": samples,
                }
                for moment, samples in (("0m", []), ("60m", [{"labels": "{}", "value": 1}]))
            ],
        }
        for alert, series in SERIES.items()
    ]
    test = {"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": tests}
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(test))

    assert "SUCCESS" in promtool("test", "rules", tmp_path / "test.yaml")
    assert SERIES.keys() == {rule["alert"] for rule in rules}
    assert all({"summary", "action"} == rule["annotations"].keys() for rule in rules)


def test_panels_and_alerts_on_a_running_service(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each panel asks what there is and nothing fires; then the alerts name the app that is gone, and the service."""
    panels = [each for each in json.loads(DASHBOARD.read_text())["panels"] if each["type"] != "row"]
    asked = {panel["title"]: [target["expr"] for target in panel["targets"]] for panel in panels}
    rare = {
        "Renewals of tokens",
        "Accounts that have to be reconnected, in an hour",
        "Failures of the database",
        "Share of calls answered with 5xx, or not at all",
    }
    with contextlib.ExitStack() as stack:
        watched = stack.enter_context(watched_service(tmp_path))
        target = watched.metrics_url.removeprefix("http://").removesuffix("/metrics")
        looking = stack.enter_context(prometheus(tmp_path_factory.mktemp("prometheus"), target))
        connect_by_key(watched.service, USER, watched.sandbox.api_keys["alice"])
        api = stack.enter_context(watched.service.api(USER))

        def empty() -> set[str]:
            api.post("/functions/sandbox-list-projects")
            api.post("/functions/sandbox-create-ticket", json={})
            return {title for title, asking in asked.items() if not all(looking.query(filled(each)) for each in asking)}

        def filled(expression: str) -> str:
            return expression.replace("$__rate_interval", WINDOW).replace("$app", ".*")

        def called() -> set[tuple[str, str]]:
            api.post("/functions/sandbox-list-projects")
            return looking.firing()

        looking.program.wait_until(lambda: (empty() <= rare) or None)
        assert set() == called()
        end(watched.sandbox.program.process)
        looking.program.wait_until(lambda: (("FunctionsAppUnreachable", "sandbox") in called()) or None)
        end(watched.service.program.process)
        looking.program.wait_until(lambda: (("FunctionsServiceDown", "") in looking.firing()) or None)
