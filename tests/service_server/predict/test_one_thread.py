"""Predictions multiply vectors in one thread."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

THREADS = "import {module}, numpy, os; print(len(os.listdir('/proc/self/task')))"


def threads_with(module: str) -> int:
    """How many threads a new process has that imports a module, then numpy."""
    command = [sys.executable, "-c", THREADS.format(module=module)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_numpy_starts_no_threads() -> None:
    """On a busy machine they would wait for each other; nor do they where a service first loads its predictions."""
    assert 1 == threads_with("service_server.predict")
    assert 1 == threads_with("service_server.prediction.prediction")
