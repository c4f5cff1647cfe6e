"""What processes take, as Linux tells it: processor time and memory."""

import os
import re
from pathlib import Path

_PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


def processor_seconds(pid: int) -> float:
    """Processor time that a process has taken so far, in its own code and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int) -> float:
    """
    Memory that a process holds, in MiB, as its proportional set size (PSS).

    A page that several processes have mapped counts for each of them in part, so that the sum of all is what they hold.
    """
    found = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
    return int(found[1]) / 1024 if found else 0.0


def family(pid: int) -> list[int]:
    """A process, and all that it and its descendants have started and that still run."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def has_mapped(pid: int, part_of_name: str) -> bool:
    """Whether a process has loaded a file with such a name, a library for instance."""
    return part_of_name in Path(f"/proc/{pid}/maps").read_text()


def machine_seconds() -> float:
    """Processor time that everything on the machine has taken since it was started."""
    user, nice, system, _, _, interrupts, soft_interrupts, *_ = map(int, Path("/proc/stat").read_text().split()[1:11])
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")
