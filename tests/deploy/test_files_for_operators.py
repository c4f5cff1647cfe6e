"""What operators start the service with fits the service: its settings, ports, user, and the time it takes to end."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from service_client import __version__
from service_server.settings import Settings

from .known_settings import DEPLOY, known_settings, named_settings

USER = 10001
PORT = 8000
LONGEST_END = Settings(data_directory=Path(), public_url="", database_url="").shutdown_seconds + 2  # docs/operate.md
FILES = sorted(
    each for folder in ("container", "systemd", "compose", "kubernetes") for each in (DEPLOY / folder).iterdir()
)


def manifest(kind: str) -> dict[str, Any]:
    """The one Kubernetes object of a kind."""
    files = (DEPLOY / "kubernetes").glob("*.yaml")
    [found] = [each for file in files for each in yaml.safe_load_all(file.read_text()) if each["kind"] == kind]
    return dict(found)


def pod() -> dict[str, Any]:
    """What the deployment's pods are made of."""
    return dict(manifest("Deployment")["spec"]["template"]["spec"])


def container() -> dict[str, Any]:
    """The only container of a pod."""
    [only] = pod()["containers"]
    return dict(only)


def composed() -> dict[str, Any]:
    """The compose file."""
    return dict(yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text()))


@pytest.fixture(scope="module")
def containerfile() -> str:
    """The Containerfile."""
    return (DEPLOY / "container" / "Containerfile").read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_only_settings_that_exist_are_named(file: Path) -> None:
    """A setting by another name would be ignored in silence."""
    assert set() == named_settings(file.read_text()) - known_settings()


def test_the_image_serves_as_nobody_in_particular(containerfile: str) -> None:
    """The last stage runs by number, keeps everything in its one volume, listens for others, and has no build in it."""
    last = containerfile.rpartition("\nFROM ")[2]

    assert f"USER {USER}:{USER}\n" in last
    assert ["/data"] == re.findall(r"^VOLUME (\S+)$", last, re.MULTILINE)
    assert {"SERVICE_DATA_DIR=/data", "SERVICE_HOST=0.0.0.0", f"SERVICE_PORT={PORT}"} <= set(last.split())
    assert f"EXPOSE {PORT}\n" in last
    assert ["--from=installed /opt/functions /opt/functions"] == re.findall(r"^COPY (.*)$", last, re.MULTILINE)
    assert not re.search(r"\b(node|npm|pip|gcc)\b", last)


def test_compose_closes_what_the_service_does_not_need() -> None:
    """A read-only root without capabilities; only the proxy can be reached, and the database only by the service."""
    services = composed()["services"]
    service = services["service"]

    assert service["read_only"]
    assert ["ALL"] == service["cap_drop"]
    assert ["data:/data"] == service["volumes"]
    assert {"proxy"} == {name for name, each in services.items() if "ports" in each}
    assert {"service", "database"} == {name for name, each in services.items() if "back" in each["networks"]}
    assert composed()["networks"]["back"] == {"internal": True}


def test_compose_names_the_database_and_the_proxy_as_they_are() -> None:
    """The service finds the database by its name and user, and believes the network that the proxy is in."""
    services = composed()["services"]
    settings, database = services["service"]["environment"], services["database"]["environment"]
    address = f"postgresql://{database['POSTGRES_USER']}@database/{database['POSTGRES_DB']}"
    subnets = [each["subnet"] for each in composed()["networks"]["front"]["ipam"]["config"]]

    assert address == settings["SERVICE_DATABASE"]
    assert subnets == [settings["SERVICE_TRUSTED_PROXIES"]]
    assert settings["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert "${POSTGRES_PASSWORD}" == database["POSTGRES_PASSWORD"]


def test_the_proxy_lets_go_of_connections_before_the_service_does() -> None:
    """Else it sends a request into a connection that was just closed, and answers 502."""
    proxy = (DEPLOY / "compose" / "Caddyfile").read_text()
    (seconds,) = re.findall(r"^\s*keepalive (\d+)s$", proxy, re.MULTILINE)

    assert int(seconds) < Settings(data_directory=Path(), public_url="", database_url="").keep_alive_seconds
    assert f"reverse_proxy service:{PORT} " in proxy


def test_nobody_is_killed_before_calls_have_ended() -> None:
    """Whoever stops the service waits for as long as it may take, and Kubernetes for what comes before it as well."""
    unit = (DEPLOY / "systemd" / "integration-functions.service").read_text()
    (unit_seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    grace = composed()["services"]["service"]["stop_grace_period"]
    command, pause = container()["lifecycle"]["preStop"]["exec"]["command"]

    assert LONGEST_END < int(unit_seconds)
    assert LONGEST_END < int(grace.removesuffix("s"))
    assert "sleep" == command
    assert LONGEST_END + int(pause) < pod()["terminationGracePeriodSeconds"]


def test_a_rolling_update_takes_no_pod_before_the_next_one_is_ready() -> None:
    """Requests go where /ready says so; a process that only waits for its database is not killed for it."""
    spec = manifest("Deployment")["spec"]
    probes = {name: container()[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}

    assert {"maxUnavailable": 0, "maxSurge": 1} == spec["strategy"]["rollingUpdate"]
    assert {"startup": "/health", "liveness": "/health", "readiness": "/ready"} == probes
    assert manifest("PodDisruptionBudget")["spec"]["minAvailable"] < spec["replicas"]


def test_a_start_may_wait_for_the_schema() -> None:
    """Kubernetes gives a pod longer for its start than the service waits for others at an upgrade."""
    probe = container()["startupProbe"]
    waits = Settings(data_directory=Path(), public_url="", database_url="").migration_wait_seconds

    assert waits < probe["periodSeconds"] * probe["failureThreshold"]


def test_pods_have_what_the_restricted_standard_asks_for() -> None:
    """The namespace refuses any other; and nothing but the mounted folders can be written to."""
    security = container()["securityContext"]

    assert "restricted" == manifest("Namespace")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
    assert pod()["securityContext"]["runAsNonRoot"]
    assert USER == pod()["securityContext"]["runAsUser"]
    assert {"type": "RuntimeDefault"} == pod()["securityContext"]["seccompProfile"]
    assert {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    } == security


def test_the_manifests_name_each_other() -> None:
    """Selectors find the pods, ports, volumes and maps are there by name, and each file is applied."""
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    backend = manifest("Ingress")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    applied = set(manifest("Kustomization")["resources"])
    [image] = manifest("Kustomization")["images"]

    assert labels == manifest("Deployment")["spec"]["selector"]["matchLabels"]
    assert labels == manifest("Service")["spec"]["selector"]
    assert labels == manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"]
    assert [{"name": "http", "containerPort": PORT}] == container()["ports"]
    assert "http" == manifest("Service")["spec"]["ports"][0]["targetPort"]
    assert {"name": "functions", "port": {"name": "http"}} == backend
    assert {each["name"] for each in pod()["volumes"]} == {each["name"] for each in container()["volumeMounts"]}
    assert manifest("ConfigMap")["metadata"]["name"] == container()["envFrom"][0]["configMapRef"]["name"]
    assert applied == {each.name for each in (DEPLOY / "kubernetes").iterdir()} - {"kustomization.yaml"}
    assert (container()["image"], __version__) == (image["name"], image["newTag"])


def test_secrets_come_from_secrets() -> None:
    """Neither the vault's key nor the database's address, which may hold a password, stands in a manifest."""
    given = {each["name"]: each for each in container()["env"]}

    for name in ("SERVICE_VAULT_KEY", "SERVICE_DATABASE"):
        assert "secretKeyRef" in given[name]["valueFrom"]
    assert {"SERVICE_PUBLIC_URL", "SERVICE_TRUSTED_PROXIES"} == manifest("ConfigMap")["data"].keys()


def test_the_unit_reloads_only_what_has_workers() -> None:
    """SIGHUP relieves workers, and ends a process that has none; so their number is in the unit itself."""
    unit = (DEPLOY / "systemd" / "integration-functions.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    words = shlex.split(command)

    assert "ExecReload=kill -HUP $MAINPID\n" in unit
    assert 2 <= int(words[words.index("--workers") + 1])
    assert "StateDirectory=functions\n" in unit
    assert "/var/lib/functions" == words[words.index("--data-dir") + 1]


@pytest.mark.slow
def test_systemd_takes_the_unit_and_finds_it_closed(tmp_path: Path) -> None:
    """Every line is understood, and systemd judges that little is left open: 2 of 10 at most, by its own measure."""
    unit = tmp_path / "integration-functions.service"
    text = (DEPLOY / "systemd" / unit.name).read_text()
    unit.write_text(
        text.replace("/opt/functions/bin/service-server", str(Path(sys.executable).with_name("service-server")))
    )
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", unit],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (verified.returncode, verified.stderr)
    assert 0 == judged.returncode, judged.stdout
