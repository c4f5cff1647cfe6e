"""Every benchmark runs, in its smallest form; what it measures then is not judged."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.real_apps.running import ROOT

SMALL = {
    "agent_context": "--limit 1 --prompts 1 --model-dir NONE",
    "call_overhead": "--rounds 1 --only nginx --only uvicorn_uvloop+sender",
    "catalogue": "--sizes 1 --rounds 1 --no-eager --requests 1 --copied 3 --cache CACHE",
    "client_users": "--rounds 2",
    "crash_safety": "--kills 1 --database sqlite",
    "fairness": "--calls 3",
    "growth": "--accounts 2000 --functions 0 --log-rows 20000 --rounds 1 --database sqlite --cache CACHE",
    "languages": "--without-model --language ja",
    "list": "--rounds 1 --seconds 1 --connections 1",
    "predict": "--data DATA --suites saas --without-model",
    "predict_cost": "--data DATA --functions 20",
    "predict_stages": "--data DATA --suites saas toolalpaca",
    "refresh_race": "--expiries 1 --calls 4 --lifetime 5",
    "reliability": "--requests 20 --seed 1 --database sqlite --fault killed app_lies"
    " --seconds 0.5 --minutes 0.05 --measured-seconds 0.5",
    "sdk_boot": "--runs 1 --settle 0.2 --quick",
    "sdk_interaction": "--rounds 1 --speed 12",
    "sdk_network": "--quick",
    "startup": "--rounds 1 --workers 1 --no-further",
    "telemetry": "--rounds 1 --seconds 1 --connections 1 --watched by_default",
    "workers": "--rounds 1 --seconds 1 --connections 1",
    "waiting_sessions": "--sessions 4 --seconds 0.2 --database sqlite",
}
MARKS = {
    "refresh_race": [pytest.mark.real_apps],
    "sdk_boot": [pytest.mark.browser],
    "sdk_interaction": [pytest.mark.browser],
    "sdk_network": [pytest.mark.browser],
}
NEED_THE_MODEL = {"predict_cost", "predict_stages", "startup"}
# What others start, or what the others share.
PARTS = {
    *("bare_proxy", "boot_subjects", "disturbed_service", "faults", "faults_under_load", "filling", "generated"),
    *("load", "processes", "soak", "usage", "users_at_work", "watched_app", "whole_service"),
}
SEND = ("chat-send-message", "Send a message to a channel", "send the message hello to the channel")
SUITES = {
    **dict.fromkeys(("saas", "bfcl", "seal", "metatool"), SEND),
    "toolalpaca": ("weather-get-forecast", "Get the weather of a city", "get the weather of the city Oslo"),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of suites with one prompt each."""
    folder = tmp_path_factory.mktemp("data")
    shutil.copy(Path(__file__).with_name("predeval.py"), folder)
    (folder / "train").mkdir()
    parameters = {"type": "object", "properties": {"text": {"type": "string", "description": "Text."}}, "required": []}
    for suite, (name, description, prompt) in SUITES.items():
        (folder / "dev" / suite).mkdir(parents=True)
        files: dict[str, dict[str, Any]] = {
            "catalogue": {"name": name, "description": description, "parameters": parameters},
            "cases": {"id": "1", "suite": suite, "prompt": prompt, "candidates": None, "now": None},
            "gold": {"id": "1", "suite": suite, "functions": [name], "arguments": None},
        }
        for file, content in files.items():
            (folder / "dev" / suite / f"{file}.jsonl").write_text(json.dumps(content) + "\n")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A copy of what the services of other tests have read of the shipped connectors."""
    folder = tmp_path / "cache"
    folder.mkdir()
    for pack in Path(os.environ.get("SERVICE_CACHE_DIR", folder)).glob("*.pack"):
        shutil.copy(pack, folder)
    return folder


def test_every_benchmark_has_a_small_form() -> None:
    """A benchmark that is not run here would rot unseen."""
    assert {path.stem for path in (ROOT / "benchmarks").glob("*.py")} == {*SMALL, *PARTS}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, [])) for name in SMALL])
def test_a_benchmark_runs(name: str, data: Path, cache: Path) -> None:
    """Its last line is one JSON object: its name, what it measured, what was wanted, and whether that was met."""
    folders = {"DATA": str(data), "CACHE": str(cache), "NONE": str(cache / "none")}
    options = [folders.get(option, option) for option in SMALL[name].split()]
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    without = {} if name in NEED_THE_MODEL else {"SERVICE_MODEL_DIR": folders["NONE"]}

    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **without}, capture_output=True, text=True, check=False, timeout=600
    )

    if done.returncode == 2 and "is not installed" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert done.stdout, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])
    assert {"name", "figures", "goals", "met"} <= set(report)
    assert name == report["name"]
    assert report["figures"]
    assert report["met"] in (True, False)
