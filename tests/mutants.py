"""
How many faults put into the code on purpose the tests notice.

    ./dev exec python -m tests.mutants vault|cursors|acceptance [--keep FOLDER]

mutmut changes one thing at a time (a comparison, a number, an argument) in a copy of the tree, and runs the tests of
that part. It is installed for this alone, into .cache. The last line is JSON.
"""

import argparse
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from attrs import frozen

from tests.packaging.trees import ROOT, copy_tree

MUTMUT = "mutmut==3.8.1"
TOOLS = ROOT / ".cache" / MUTMUT
# What only says something in other words: the text of an error, a line of the log, a step that is told to who watches.
_WORDS = re.compile(r'^-\s*(raise \w+\(|_LOG\.|self\.watch\(|failure = |message = |Code\.\w+, "|f?")')
_STATES = ("killed", "survived", "timeout", "suspicious", "no tests", "skipped", "segfault")


@frozen
class Part:
    """What is changed, and the tests that should notice."""

    changed: tuple[str, ...]
    tests: tuple[str, ...]


_HERE = "tests/service_server"
PARTS = {
    "vault": Part(
        ("service_server/vault/*.py",),
        tuple(
            f"{_HERE}/vault/test_{name}.py"
            for name in ("vault_keys", "sealing", "following_the_key_file", "opening_the_vault", "rotation")
        ),
    ),
    "cursors": Part(
        ("service_server/rest/cursors.py", "service_server/invoke/next_page.py", "service_server/rest/admin/paging.py"),
        (
            f"{_HERE}/rest/test_cursors.py",
            f"{_HERE}/rest/admin/test_paging.py",
            f"{_HERE}/calls/test_next_page.py",
        ),
    ),
    "acceptance": Part(
        tuple(f"service_server/predict/{name}.py" for name in ("acceptance", "confidence", "fitness", "mood")),
        (f"{_HERE}/predict",),
    ),
}


def main() -> int:
    """Run a part, and tell what came of its mutants; 0 if nine in ten that matter were noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--keep", type=Path, help="a folder for the copy, to look at mutants there with mutmut show")
    options = parser.parse_args()
    install()
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        folder: Path = options.keep or Path(temporary)
        copy_tree(folder)
        configure(folder, PARTS[options.part])
        mutmut(folder, "run")
        found = states(folder)
        survivors = [name for name, state in found.items() if state == "survived"]
        words = [name for name in survivors if only_words(folder, name)]
    counts = Counter(found.values())
    noticed, missed = counts["killed"] + counts["timeout"], len(survivors) - len(words)
    for name in sorted(set(survivors) - set(words)):
        print(name)
    share = noticed / max(1, noticed + missed)
    figures = {"part": options.part, "mutants": len(found), "noticed": noticed, "missed": missed}
    figures |= {"only_words": len(words), "without_tests": counts["no tests"], "share": round(share, 3)}
    print(json.dumps({"name": "mutants", "figures": figures, "goals": {"share": 0.9}, "met": share >= 0.9}))
    return 0 if share >= 0.9 else 1


def install() -> None:
    """Install mutmut and what it needs, in the versions of our lock where that names them."""
    if (TOOLS / "done").exists():
        return
    shutil.rmtree(TOOLS, ignore_errors=True)
    dev = runpy.run_path(str(ROOT / "dev"))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write(dev["subset_of_lock"]((ROOT / "requirements-dev.lock").read_text()))
        constraints.flush()
        pip = [sys.executable, *dev["PIP_INSTALL"], "--constraint", constraints.name, "--target", str(TOOLS)]
        subprocess.run([*pip, MUTMUT], check=True)
    (TOOLS / "done").touch()


def configure(folder: Path, part: Part) -> None:
    """Tell mutmut what to change, and by which tests."""
    own = ("service_server", "tests", "pyproject.toml")
    beside = sorted(each.name for each in folder.iterdir() if each.name not in own and not each.name.startswith("."))
    settings = {
        "source_paths": ["service_server"],
        "only_mutate": list(part.changed),
        "also_copy": beside,
        "pytest_add_cli_args": ["-m", "not postgresql and not browser and not real_apps", "-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": list(part.tests),
        "process_isolation": "forkserver",
        "timeout_multiplier": 5.0,
        "timeout_constant": 20.0,
        "use_git_change_detection": False,
        "track_dependencies": False,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    with (folder / "pyproject.toml").open("a") as file:
        file.write("\n".join(["", "[tool.mutmut]", *lines, ""]))
    (folder / "mutants").mkdir()


def mutmut(folder: Path, *arguments: str) -> str:
    """Run mutmut in the copy, so that the copy's code is imported, and return what it prints."""
    kept = {name: str(folder / ".kept" / name) for name in ("SERVICE_CACHE_DIR", "SERVICE_BUILDS_DIR")}
    for each in kept.values():
        Path(each).mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([str(folder / "mutants"), str(TOOLS)])
    environment = {**os.environ, **kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    shown = None if arguments == ("run",) else subprocess.PIPE
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, stdout=shown, text=True, check=True).stdout or ""


def states(folder: Path) -> dict[str, str]:
    """What became of each mutant, by its name."""
    lines = [line.strip().rpartition(": ") for line in mutmut(folder, "results", "--all", "true").splitlines()]
    return {name: state for name, _, state in lines if state in _STATES}


def only_words(folder: Path, name: str) -> bool:
    """Whether a mutant changes nothing but what is said."""
    return any(_WORDS.match(line) for line in mutmut(folder, "show", name).splitlines() if line[:2] != "--")


if __name__ == "__main__":
    sys.exit(main())
