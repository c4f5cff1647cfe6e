"""The workers of a running service, as the system tells of them."""

from collections.abc import Collection
from pathlib import Path

from tests.service_server.processes import RunningService


def workers_of(served: RunningService) -> set[int]:
    """The processes that serve."""
    pid = served.program.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    # Of one that has ended and is still to be noted nothing is told; the tracker is there beside spawned ones.
    return {child for child, command in commands.items() if command and b"resource_tracker" not in command}


def have_ended(pids: Collection[int]) -> bool:
    """Whether none of these processes lives any more."""
    return not any(map(_lives, pids))


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
