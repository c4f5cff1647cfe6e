"""What a push of a tag starts: a release is made by our own script, and published without any secret."""

from typing import Any

import pytest
import yaml

from releasing.artefacts import ROOT

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
