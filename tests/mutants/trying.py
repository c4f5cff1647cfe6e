"""
Tries changes one after another: each in a fork of one process of pytest, which has run all tests without a change.

The first argument names a file with the names of the changes, the others go to pytest. For each change standard output
gets `{"mutant", "state"}` as a line of JSON. It runs in the copy that mutmut made.

What the whole session shares, such as an empty database, is made once. mutmut's own command begins pytest anew for each
change, which takes several times as long.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

import pytest
from attrs import define, field

SECONDS = 30.0
"""What each try may take beyond some times as long as its tests took without a change."""


@define(eq=False)
class Trying:
    """A plugin of pytest, in whose place of running the tests it runs those that meet a change, for each change."""

    mutants: Sequence[str]
    answers: TextIO
    _failed: bool = False
    _met: dict[str, list[pytest.Item]] = field(factory=lambda: defaultdict(list))
    _seconds: dict[pytest.Item, float] = field(factory=dict)

    def pytest_sessionstart(self) -> None:
        """Have Hypothesis find the same examples each time, however slow the machine is: only the change may fail."""
        from hypothesis import HealthCheck, settings  # not before pytest, which rewrites it

        settings.register_profile("mutants", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run them."""
        if session.testsfailed:
            raise session.Interrupted("The tests can't be collected.")
        self._run_all(session.items)
        for mutant in self.mutants:
            tests = self._met[mutant.partition("__mutmut_")[0]]
            state = self._tried(mutant, self._in_order(tests)) if tests else "no tests"
            print(json.dumps({"mutant": mutant, "state": state}), file=self.answers, flush=True)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep in mind that a test has failed."""
        self._failed |= report.failed

    def _run_all(self, tests: Sequence[pytest.Item]) -> None:
        """Run all without a change: what of the code they meet, and how long they take."""
        met: set[str] = import_module("mutmut.state").state()._stats
        os.environ["MUTANT_UNDER_TEST"] = "stats"
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            began = time.monotonic()
            _run(test, following)
            self._seconds[test] = time.monotonic() - began
            if self._failed:
                raise pytest.UsageError(f"{test.nodeid} fails without any change.")
            for name in met:
                self._met[name].append(test)
            met.clear()

    def _in_order(self, tests: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Module by module, since these share fixtures; the fast ones first."""
        modules = [list(each) for _, each in groupby(tests, key=lambda test: test.path)]
        return [test for module in sorted(modules, key=self._taken) for test in module]

    def _taken(self, tests: Sequence[pytest.Item]) -> float:
        return sum(self._seconds[test] for test in tests)

    def _tried(self, mutant: str, tests: Sequence[pytest.Item]) -> str:
        child = os.fork()
        if child == 0:
            self._try_here(mutant, tests)
        deadline = time.monotonic() + SECONDS + 5 * self._taken(tests)
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                return {0: "survived", -signal.SIGXCPU: "timeout"}.get(code, "killed")
            time.sleep(0.02)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "timeout"

    def _try_here(self, mutant: str, tests: Sequence[pytest.Item]) -> None:
        """In the fork: run the tests until one fails, and end."""
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        limit = int(SECONDS + 2 * self._taken(tests))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        os.environ["MUTANT_UNDER_TEST"] = mutant
        try:
            for test, following in zip(tests, [*tests[1:], None], strict=True):
                _run(test, following)
                if self._failed:
                    break
        except BaseException:
            self._failed = True
        os._exit(int(self._failed))


def _run(test: Any, following: Any) -> None:
    """Run a test, and leave what the session shares, also where none is following."""
    test.config.hook.pytest_runtest_protocol(item=test, nextitem=following or test.session)


def main() -> int:
    """Try what the arguments say; what pytest prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    mutants = Path(sys.argv[1]).read_text().split()
    options = ["-q", "-p", "no:cacheprovider", "--tb=native", *sys.argv[2:]]
    return int(pytest.main(options, plugins=[Trying(mutants, answers)]))


if __name__ == "__main__":
    sys.exit(main())
