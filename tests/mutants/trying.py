"""
Tries changes one after another: each in a fork of one process of pytest, which has run all tests without a change.

The first argument names a file with the names of the changes, the second says for how many minutes to try, the others
go to pytest. For each change standard output gets `{"mutant", "state"}` as a line of JSON. It runs in the copy that
mutmut made.

What the whole session shares, such as an empty database, is made once. mutmut's own command begins pytest again for
each change, which takes several times as long.
"""

import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

import pytest
from attrs import define, field

SECONDS = 20.0
"""What each test may take beyond some times as long as it took without a change."""


@define(eq=False)
class Trying:
    """A plugin of pytest, in whose place of running the tests it runs those that meet a change, for each change."""

    mutants: Sequence[str]
    minutes: float
    answers: TextIO
    _failed: bool = False
    _met: dict[str, list[pytest.Item]] = field(factory=lambda: defaultdict(list))
    _seconds: dict[pytest.Item, float] = field(factory=dict)
    _noticed: Counter[pytest.Item] = field(factory=Counter)

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
        self._try_nothing()
        end = time.monotonic() + self.minutes * 60
        for mutant in self.mutants:
            if time.monotonic() > end:
                break
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

    def _try_nothing(self) -> None:
        """Try a change that isn't there, on what most tests meet: a fork by itself must not make them fail."""
        name = max(self._met, key=lambda each: len(self._met[each]))
        state = self._tried(f"{name}__mutmut_0", self._in_order(self._met[name]))
        if state != "survived":
            raise pytest.UsageError(f"The tests of {name} fail in a fork without any change: {state}.")

    def _in_order(self, tests: Sequence[pytest.Item]) -> list[pytest.Item]:
        """First those that noticed most so far; then module by module, which share fixtures, the fast ones first."""
        noticing = sorted((test for test in tests if self._noticed[test]), key=lambda test: -self._noticed[test])
        others = groupby((test for test in tests if not self._noticed[test]), key=lambda test: test.path)
        modules = sorted((list(each) for _, each in others), key=self._taken)
        return [*noticing, *(test for module in modules for test in module)]

    def _taken(self, tests: Sequence[pytest.Item]) -> float:
        return sum(self._seconds[test] for test in tests)

    def _tried(self, mutant: str, tests: Sequence[pytest.Item]) -> str:
        noticing, tell = os.pipe()
        child = os.fork()
        if child == 0:
            self._try_here(mutant, tests, tell)
        os.close(tell)
        _, status = os.waitpid(child, 0)
        told = os.read(noticing, 10)
        os.close(noticing)
        self._noticed.update([tests[int(told)]] if told else [])
        return {0: "survived", -signal.SIGALRM: "timeout"}.get(os.waitstatus_to_exitcode(status), "killed")

    def _try_here(self, mutant: str, tests: Sequence[pytest.Item], tell: int) -> None:
        """In the fork: run the tests until one fails, tell its place, and end."""
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process, whatever it is doing
        os.environ["MUTANT_UNDER_TEST"] = mutant
        try:
            for at, (test, following) in enumerate(zip(tests, [*tests[1:], None], strict=True)):
                signal.setitimer(signal.ITIMER_REAL, SECONDS + 5 * self._seconds[test])
                _run(test, following)
                if self._failed:
                    os.write(tell, str(at).encode())
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
    options = ["-q", "-p", "no:cacheprovider", "--tb=native", *sys.argv[3:]]
    return int(pytest.main(options, plugins=[Trying(mutants, float(sys.argv[2]), answers)]))


if __name__ == "__main__":
    sys.exit(main())
