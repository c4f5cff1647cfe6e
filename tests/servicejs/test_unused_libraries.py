"""Libraries in Pyodide's module that the SDK never calls: which functions become traps, and which don't."""

import re
from collections.abc import Collection

import pytest

from servicejs.bundle.unused_libraries import without_libraries
from servicejs.bundle.web_assembly import CODE, EXPORTS, HEAD, IMPORTS, UnexpectedModule, number, section, sections

LONG, SHORT, TRAP = b"\x00" + b"\x01" * 98 + b"\x0b", b"\x00\x0b", b"\x00\x00\x0b"
LIBRARY = {"the library": re.compile("lib_")}
IMPORTED = b"\x03" + b"".join(
    b"\x03env\x01" + name + what
    for name, what in ((b"f", b"\x00\x05"), (b"g", b"\x03\x7f\x01"), (b"t", b"\x01\x70\x00\x01"))
)


def module(functions: list[tuple[str, bytes]]) -> bytes:
    """A module with one imported function and these of its own; those with a name are exported."""
    named = [(name, index) for index, (name, _) in enumerate(functions, 1) if name]
    entries = b"".join(number(len(name)) + name.encode() + b"\x00" + number(index) for name, index in named)
    code = b"".join(number(len(body)) + body for _, body in functions)
    return (
        HEAD
        + section(IMPORTS, IMPORTED)
        + section(EXPORTS, number(len(named)) + entries)
        + section(CODE, number(len(functions)) + code)
    )


def bodies(functions: list[tuple[str, bytes]], needed: Collection[str] = ()) -> list[bytes]:
    """What the functions of a module are once the library is out of it."""
    lean = dict(sections(without_libraries(module(functions), LIBRARY, needed.__contains__, least=150)))
    code, found = lean[CODE][1:], []
    while code:
        found.append(code[1 : 1 + code[0]])
        code = code[1 + code[0] :]
    return found


def test_a_library_s_functions_become_traps() -> None:
    """Those between its first and its last export, named or not; short ones stay, as does all before and behind."""
    functions = [
        *[("before", LONG), ("", LONG), ("lib_a", LONG), ("", LONG), ("folded", SHORT)],
        *[("lib_b", SHORT), ("lib_c", LONG), ("behind", LONG), ("lib_alone", LONG)],
    ]

    assert [LONG, LONG, TRAP, TRAP, SHORT, SHORT, TRAP, LONG, LONG] == bodies(functions)


@pytest.mark.parametrize(
    ("functions", "needed"),
    [
        ([("lib_a", LONG), ("other", LONG), ("lib_b", LONG)], ()),
        ([("other", LONG), ("", LONG)], ()),
        ([("lib_a", LONG), ("lib_b", LONG)], ("lib_b",)),
    ],
    ids=["another's between", "none", "one is needed"],
)
def test_a_library_that_is_not_as_expected_fails_the_build(
    functions: list[tuple[str, bytes]], needed: Collection[str]
) -> None:
    """Nothing is left out by guess."""
    with pytest.raises(UnexpectedModule, match="the library"):
        bodies(functions, needed)
