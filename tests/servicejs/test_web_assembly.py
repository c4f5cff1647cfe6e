"""The module with its memory from outside, and the lean glue: what stays, what goes, and what is not touched at all."""

import pytest

from servicejs.bundle.lean_runtime import UnexpectedRuntime, lean_runtime
from servicejs.bundle.web_assembly import (
    CODE,
    DATA,
    EXPORTS,
    HEAD,
    IMPORTS,
    MEMORY,
    UnexpectedModule,
    memory_pages,
    number,
    section,
    sections,
    with_memory_from_outside,
)


def export(name: str, kind: int, index: int) -> bytes:
    """An entry of the exports."""
    return number(len(name)) + name.encode() + bytes([kind]) + number(index)


MEMORY_SECTION = section(MEMORY, b"\x01\x01" + number(480) + number(32768))
EXPORTED = b"\x03" + export("used", 0, 7) + export("unused", 0, 300) + export("memory", 2, 0)
DATA_SECTION = section(DATA, b"\x01\x00\x41\x10\x0b\x03abc")
MODULE = (
    HEAD
    + section(IMPORTS, b"\x00")
    + MEMORY_SECTION
    + section(EXPORTS, EXPORTED)
    + section(CODE, b"\x00")
    + DATA_SECTION
)
GLUE = (
    "var _used,_unused;"
    "function assignWasmExports(wasmExports){"
    '_used=Module["_used"]=wasmExports["used"];_unused=Module["_unused"]=wasmExports["unused"]}'
    "var wasmImports={};"
    "function applySignatureConversions(wasmExports){var makeWrapper_pp=f=>a0=>f(a0)>>>0;"
    'wasmExports["unused"]=makeWrapper_pp(wasmExports["unused"]);return wasmExports}'
    'updateGOT(origExports);wasmExports["__wasm_call_ctors"]();if(!value&&!entry.required){}'
    "_used();"
)


@pytest.mark.parametrize("value", [0, 1, 127, 128, 480, 32768, 2**32 - 1])
def test_numbers_are_read_as_they_were_written(value: int) -> None:
    """Sizes of sections of any length come back the same."""
    content = b"x" * min(value, 70_000)

    assert [(1, content)] == list(sections(HEAD + section(1, content)))


def test_only_what_is_needed_stays() -> None:
    """Exports that nobody needs and all data go; the memory is imported as it was declared, and still exported."""
    written = dict(sections(with_memory_from_outside(MODULE, lambda name: name == "used")))

    assert {IMPORTS, EXPORTS, CODE} == set(written)
    assert b"\x01\x03env\x06memory\x02\x01" + number(480) + number(32768) == written[IMPORTS]
    assert b"\x02" + export("used", 0, 7) + export("memory", 2, 0) == written[EXPORTS]
    assert (480, 32768) == memory_pages(MODULE)


@pytest.mark.parametrize(
    "module",
    [
        b"no module",
        MODULE[:-2],
        MODULE.replace(MEMORY_SECTION, b""),
        MODULE.replace(DATA_SECTION, section(DATA, b"\x01\x01\x03abc")),
    ],
    ids=["other bytes", "cut short", "no memory", "data for later"],
)
def test_what_is_not_understood_is_refused(module: bytes) -> None:
    """A module of another make is an error of the build, rather than a broken one."""
    with pytest.raises(UnexpectedModule):
        with_memory_from_outside(module, lambda name: True)


def test_the_glue_keeps_what_it_names() -> None:
    """An export that nothing mentions goes from the glue and the module; one that somebody outside mentions stays."""
    lean = lean_runtime(GLUE, MODULE, "", {})
    both = lean_runtime(GLUE, MODULE, "module._unused()", {})

    assert ("_unused" in lean.glue, "_unused" in both.glue) == (False, True)
    assert "_used=" in lean.glue
    assert "updateGOT(" not in lean.glue
    assert (b"unused" in lean.module, b"unused" in both.module) == (False, True)
    assert 32768 == lean.most_pages


@pytest.mark.parametrize(
    "glue",
    [
        GLUE.replace("updateGOT(origExports);", ""),
        GLUE.replace("assignWasmExports", "other"),
        GLUE.replace('wasmExports["used"];', "something();"),
    ],
    ids=["no linking", "no exports", "unknown statement"],
)
def test_another_glue_is_refused(glue: str) -> None:
    """A new version of Pyodide that is made in another way is an error of the build that says where."""
    with pytest.raises(UnexpectedRuntime, match="glue"):
        lean_runtime(glue, MODULE, "", {})
