"""
Runs tests of a service as a process of its own against one changed place after another, all in one process of pytest.

A service is forked with the environment of the tests, which names the change. The first argument names a file with
lines of JSON, `{"mutant", "tests"}`, and standard output gets `{"mutant", "state"}`. It runs in the copy that mutmut
made.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.parts import MARKS

SECONDS = 300
_STATES = {0: "survived", 1: "killed"}


def main() -> None:
    """Run what the file says; what pytest prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    signal.signal(signal.SIGALRM, _too_long)
    for line in Path(sys.argv[1]).read_text().splitlines():
        asked: dict[str, Any] = json.loads(line)
        os.environ["MUTANT_UNDER_TEST"] = asked["mutant"]
        signal.alarm(SECONDS)
        status = int(pytest.main(["-x", "-q", "--tb=line", "-p", "no:cacheprovider", *MARKS, *asked["tests"]]))
        signal.alarm(0)
        print(
            json.dumps({"mutant": asked["mutant"], "state": _STATES.get(status, "timeout")}), file=answers, flush=True
        )


def _too_long(*_: object) -> None:
    pytest.exit("The tests took too long.", returncode=9)


if __name__ == "__main__":
    main()
