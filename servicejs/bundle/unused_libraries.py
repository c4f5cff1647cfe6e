"""
Libraries that are linked into Pyodide's module but that the SDK never calls: a third of its code.

A linker puts the functions of a library side by side, so they are found by the names of those that are exported. Each
keeps its number, but its body becomes a trap. The shortest stay as they are: the linker keeps only one of several
identical functions, whichever library they come from.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping

from servicejs.bundle.web_assembly import (
    CODE,
    HEAD,
    Reader,
    UnexpectedModule,
    exported_functions,
    number,
    section,
    sections,
)

_SHORT = 64  # bytes
_LEAST = 100_000  # bytes of a library; if fewer are found, it is not where it was
_TRAP = b"\x00\x00\x0b"  # no local variables, unreachable, end

# Patterns of their exports' names. Python's modules for them can't be imported (`servicejs/page/snapshot.py`).
UNUSED_LIBRARIES: Mapping[str, re.Pattern[str]] = {
    "SQLite, zstd, xz and bzip2": re.compile(
        "sqlite3|ZSTD_|FSE_|HUF_|ZDICT_|COVER_|HIST_|POOL_|ERR_|divsuf|lzma_|BZ2_"
    ),
    "the C++ library": re.compile("_Z"),
    "CPython's own tests": re.compile("PyInit__(test|xxtest)"),
}


def without_libraries(
    module: bytes,
    libraries: Mapping[str, re.Pattern[str]],
    is_needed: Callable[[str], bool],
    least: int = _LEAST,
) -> bytes:
    """
    Return the module with traps for the libraries' functions; `libraries` are patterns of their exports' names.

    Raises UnexpectedModule if fewer than `least` bytes of a library's functions are side by side, or if an export that
    is needed would be a trap.
    """
    bodies = _bodies(dict(sections(module))[CODE])
    exported = defaultdict(list)
    for name, index in exported_functions(module):
        exported[index].append(name)
    for library, pattern in libraries.items():
        first, last = _stretch(exported, bodies, pattern)
        traps = [index for index in range(first, last + 1) if len(bodies[index]) > _SHORT]
        if sum(len(bodies[index]) for index in traps) < least:
            raise UnexpectedModule(f"The functions of {library} are not where they were.")
        if wanted := [name for index in traps for name in exported.get(index, ()) if is_needed(name)]:
            raise UnexpectedModule(f"{', '.join(wanted)} of {library} can't be left out.")
        for index in traps:
            bodies[index] = _TRAP
    code = number(len(bodies)) + b"".join(number(len(body)) + body for body in bodies)
    return HEAD + b"".join(section(kind, code if kind == CODE else content) for kind, content in sections(module))


def _stretch(exported: Mapping[int, list[str]], bodies: list[bytes], pattern: re.Pattern[str]) -> tuple[int, int]:
    """Return the first and last function of the longest row of matching exports; short others may lie between."""
    longest, row = (0, 0, -1), (0, 0, -1)  # how many match, the first and the last
    for index in sorted(exported):
        if any(pattern.match(name) for name in exported[index]):
            count, first, _ = row
            row = (count + 1, first if count else index, index)
            longest = max(longest, row)
        elif len(bodies[index]) > _SHORT:
            row = (0, 0, -1)
    return longest[1:]


def _bodies(code: bytes) -> list[bytes]:
    count, reader = Reader(code).number()
    bodies = []
    for _ in range(count):
        size, reader = reader.number()
        body, reader = reader.take(size)
        bodies.append(body)
    return bodies
