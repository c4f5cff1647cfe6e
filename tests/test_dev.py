"""The `dev` script: what it installs on a machine, and what it says of what is missing."""

import contextlib
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
BROKEN_APT = """#!/bin/sh
echo "$@" >> "$STATE/apt.log"
case "$*" in
    *install*redmine*) echo "iF redmine" > "$STATE/packages"; exit 100 ;;
esac
"""
DPKG_QUERY = """#!/bin/sh
echo "iF older"
cat "$STATE/packages" 2>/dev/null
"""
DPKG = """#!/bin/sh
echo "$@" >> "$STATE/dpkg.log"
"""


@pytest.fixture(scope="module")
def dev() -> Iterator[ModuleType]:
    """The script as a module."""
    loader = importlib.machinery.SourceFileLoader("dev", str(ROOT / "dev"))
    specification = importlib.util.spec_from_loader("dev", loader)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    loader.exec_module(module)
    sys.modules["dev"] = module  # where the processes that it starts look for their function
    yield module
    del sys.modules["dev"]


def test_a_package_that_cannot_be_configured_is_taken_out_again(dev: ModuleType, tmp_path: Path) -> None:
    """Only what this run left half installed goes, it is named, and daemons may start again afterwards."""
    for name, text in {"apt-get": BROKEN_APT, "dpkg-query": DPKG_QUERY, "dpkg": DPKG}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "STATE": str(tmp_path), "POLICY": f"{tmp_path}/policy"}
    command = ["sh", "-c", dev.INSTALL_WITHOUT_STARTING, "sh", "chromium", "redmine puma", "postgresql"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert "redmine\n" == done.stdout
    assert "--purge --force-depends redmine\n" == (tmp_path / "dpkg.log").read_text()
    asked = (tmp_path / "apt.log").read_text().splitlines()
    assert ["chromium", "redmine puma", "--fix-broken --yes -qq", "postgresql"] == [
        each.split("-recommends -qq ")[-1].removeprefix("install ") for each in asked[1:]
    ]
    assert not (tmp_path / "policy").exists()


def test_the_last_lines_name_what_is_missing(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without root nothing is installed; the one line that does it stands before the result, too."""
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(dev.shutil, "which", lambda name: None)
    monkeypatch.setattr(dev, "SAID_AGAIN", [])
    wanted = [dev.DebianPackage(("/nowhere/*",), "chromium", "the browser tests")]

    dev.debian_packages(wanted)

    assert dev.SAID_AGAIN == capsys.readouterr().out.splitlines()
    assert "apt-get install --yes --no-install-recommends chromium" in dev.SAID_AGAIN[-1]
    assert "! No chromium: the browser tests will be SKIPPED." == dev.SAID_AGAIN[0]


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_nothing_is_skipped_in_continuous_integration(ci: str, status: int, tmp_path: Path) -> None:
    """A test that is skipped for missing software, or a missing model, fails where everything must be there."""
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.skipif(True, reason='no such program')\ndef test_it():\n    pass\n"
        "\n@pytest.fixture\ndef model():\n    pytest.skip('no model')\n\ndef test_with(model):\n    pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", tmp_path]

    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False)

    assert (status, ci == "true") == (done.returncode, "nothing may be left out" in done.stdout), done.stdout


@pytest.mark.parametrize("mark", ["browser", "real_apps"])
def test_a_stage_reads_every_file_that_its_mark_stands_in(dev: ModuleType, mark: str) -> None:
    """Where it stood elsewhere than in a file of tests or a conftest.py, no stage would run what gets it from there."""
    stands_in = [path for path in (ROOT / "tests").rglob("*.py") if f"mark.{mark}" in path.read_text()]

    given = dev.files_marked(mark)

    assert {str(path) for path in stands_in if path.name != "conftest.py"} <= set(given)
    assert all(Path(path).name.startswith("test_") for path in given)
    assert str(ROOT / "tests" / "test_dev.py") not in given


STEPS = (
    *("debian_packages", "node_packages", "real_apps", "agent_libraries", "python_environment"),
    *("install_model", "vendor_descriptions", "incumbent_client", "inspector", "bundle"),
)


@pytest.mark.parametrize("failing", ["", *STEPS])
def test_all_is_set_up_each_after_what_it_needs(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    """Though side by side: the bundle needs packages of both languages. What fails is told, whichever it is."""
    done = []

    def step(name: str) -> None:
        if name == failing:
            raise dev.Failed(name)
        done.append(name)

    for name in STEPS:
        monkeypatch.setattr(dev, name, lambda *_, name=name: step(name))

    with pytest.raises(dev.Failed, match=failing) if failing else contextlib.nullcontext():
        dev.set_up_everything()

    assert failing or {*STEPS} == {*done}
    for first, then in (
        ("python_environment", "bundle"),
        ("node_packages", "bundle"),
        ("node_packages", "inspector"),
        *(("python_environment", each) for each in ("install_model", "vendor_descriptions", "incumbent_client")),
    ):
        assert then not in done or done.index(first) < done.index(then)


def test_a_stage_beside_the_others_fails_the_run_and_hides_nothing(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It runs less urgently than they do; what its programs print is told, and what the last lines say once more."""

    def check() -> None:
        dev.run([sys.executable, "-c", "import os; print('nice', os.nice(0))"], "")
        dev.say_again("! No such thing.")
        raise dev.Failed("no good")

    for each in ("set_up_development", "install_model", "vendor_descriptions"):
        monkeypatch.setattr(dev, each, lambda: None)
    monkeypatch.setattr(dev, "pytest", lambda options: dev.say("tested"))
    monkeypatch.setattr(dev, "ASIDE", {"check": check, "left out": check})
    monkeypatch.setattr(dev, "SAID_AGAIN", [])

    with pytest.raises(dev.Failed, match="check "):
        dev.test(["quick"])

    nice = os.nice(0) + dev.POLITELY
    assert [
        *("▸ unit and service tests", "tested"),
        *("▸ check", f"nice {min(nice, 19)}", "! No such thing.", "✗ check: no good"),
        "! No such thing.",
    ] == capfd.readouterr().out.splitlines()


def test_the_client_is_tested_on_every_python_also_where_it_fails_on_one(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the failure is told."""
    ran = []

    def run(version: str) -> None:
        ran.append(version)
        if version == dev.CLIENT_PYTHONS[0]:
            raise dev.Failed(version)

    monkeypatch.setattr(dev, "client_on_python", run)

    with pytest.raises(dev.Failed, match=dev.CLIENT_PYTHONS[0]):
        dev.client_on_every_python()
    assert [*dev.CLIENT_PYTHONS] == sorted(ran)


def test_what_python_compiles_is_kept(tmp_path: Path) -> None:
    """In a folder of its own, where nothing may be written beside the sources."""
    script = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    done = subprocess.run(
        [sys.executable, ROOT / "dev", "exec", "python", "-c", script],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"False {tmp_path}\n" == done.stdout
