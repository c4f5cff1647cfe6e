"""A copy of the tree in which mutmut changes things, and what is run there."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from tests.mutants.parts import MARKS, Part
from tests.packaging.trees import ROOT, copy_tree

MUTMUT = "mutmut==3.8.1"
TOOLS = ROOT / ".cache" / MUTMUT
# What only says something in other words: the text of an error, a line of the log, a step that is told to who watches.
_WORDS = re.compile(r'^-\s*(raise \w+\(|_LOG\.|self\.watch\(|failure = |message = |Code\.\w+, "|f?")')


@frozen
class Copied:
    """The copy, with a part of it to be changed."""

    folder: Path
    part: Part

    @classmethod
    def of_the_tree(cls, folder: Path, part: Part) -> "Copied":
        """Copy the tree into a folder, and tell mutmut what to change."""
        install()
        copy_tree(folder)
        own = ("service_server", "tests", "pyproject.toml")
        beside = sorted(each.name for each in folder.iterdir() if each.name not in own and each.name[0] != ".")
        settings = {
            "source_paths": ["service_server"],
            "only_mutate": list(part.changed),
            "also_copy": beside,
            "use_git_change_detection": False,
            "track_dependencies": False,
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        with (folder / "pyproject.toml").open("a") as file:
            file.write("\n".join(["", "[tool.mutmut]", *lines, ""]))
        (folder / "mutants").mkdir()
        return cls(folder, part)

    def make(self) -> list[str]:
        """Make all changes, and return their names, file by file."""
        made: list[str] = json.loads(self._output("tests.mutants.changing", "make"))
        return made

    def run(self, mutants: Iterable[str], minutes: float) -> dict[str, str]:
        """Run the tests of the same process on changes for so long, and return what became of each that was tried."""
        listed = self.folder / "tried.txt"
        listed.write_text("\n".join(mutants))
        return self._states("tests.mutants.trying", str(listed), str(minutes), *MARKS, *self.part.tests)

    def shown(self, mutants: Iterable[str]) -> dict[str, str]:
        """What each of these changes, as a difference."""
        found: dict[str, str] = json.loads(self._output("tests.mutants.changing", "show", *mutants))
        return found

    def run_served(self, mutants: Iterable[str]) -> dict[str, str]:
        """Run the tests of a served process on some changes, after they passed without one."""
        asked = {name: self.part.served.get(name.split(".")[2], ()) for name in mutants}
        every = sorted({test for tests in asked.values() for test in tests})
        if not every:
            return {}
        lines = [{"mutant": "", "tests": every}] + [
            {"mutant": name, "tests": asked[name]} for name in asked if asked[name]
        ]
        listed = self.folder / "served.jsonl"
        listed.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        states = self._states("tests.mutants.served", str(listed))
        if states.pop("") != "survived":
            raise SystemExit("The tests of a served process fail without any change.")
        return states

    def _output(self, module: str, *arguments: str) -> str:
        command = [sys.executable, "-m", module, *arguments]
        environment = self._environment()
        ended = subprocess.run(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return ended.stdout

    def _states(self, module: str, *arguments: str) -> dict[str, str]:
        """Run a program beside the changed code, and take what it says of each change as soon as it says it."""
        states: dict[str, str] = {}
        command = [sys.executable, "-m", module, *arguments]
        with subprocess.Popen(
            command, cwd=self.folder / "mutants", env=self._environment(), stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout is not None
            for line in program.stdout:
                said = json.loads(line)
                states[said["mutant"]] = said["state"]
                print(len(states), said["mutant"], said["state"], file=sys.stderr, flush=True)
        if program.returncode:
            raise SystemExit(f"{module} ended with {program.returncode}.")
        return states

    def _environment(self) -> dict[str, str]:
        """The environment in which the copy's code is imported."""
        kept = {name: str(self.folder / ".kept" / name) for name in ("SERVICE_CACHE_DIR", "SERVICE_BUILDS_DIR")}
        for each in kept.values():
            Path(each).mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join([str(self.folder / "mutants"), str(TOOLS)])
        return {**os.environ, **kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def only_words(difference: str) -> bool:
    """Whether a change is of nothing but what is said."""
    return any(_WORDS.match(line) for line in difference.splitlines() if line[:2] != "--")


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
