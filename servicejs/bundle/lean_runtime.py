"""
Pyodide's runtime without what only side modules, graphics and sound need: the same functions, table and memory.

The published runtime exports every function of CPython so that extension modules can link against it at run time, and
its glue spends most of the start on that. The SDK loads no such modules. An export stays if the rest of the glue,
Pyodide's loader, Pyodide's own Python or our scripts mention it.
"""

import re
from collections.abc import Mapping

from attrs import frozen

from servicejs.bundle.unused_libraries import UNUSED_LIBRARIES, without_libraries
from servicejs.bundle.web_assembly import memory_pages, with_memory_from_outside

_ASSIGNING = "function assignWasmExports(wasmExports){"
_AFTER_ASSIGNING = "var wasmImports={"
_CONVERTING = "function applySignatureConversions(wasmExports){"
_AFTER_CONVERTING = "return wasmExports}"
_ASSIGNMENT = re.compile(
    r'(?P<targets>(?:[\w$]+=|Module\["[\w$]+"\]=)+)wasmExports\["(?P<export>[\w$]+)"\](?:\.value>>>0)?'
)
_CONVERSION = re.compile(r'wasmExports\["([\w$]+)"\]=makeWrapper_\w+\(wasmExports\["\1"\]\)')
_WORD = re.compile(r"[\w$]+")

# Replacements in the glue, each found exactly once: linking against side modules, and the addresses of OpenGL's
# functions, each of which would become a module of its own at every start.
_REPLACEMENTS = {
    "updateGOT(origExports);": "",
    'wasmExports["__wasm_call_ctors"]();': 'if(!Module["isRestored"])wasmExports["__wasm_call_ctors"]();',
    "if(!value&&!entry.required){": 'if(symName.startsWith("emscripten_gl")||!value&&!entry.required){',
}
_ALWAYS_EXPORTED = frozenset({"memory", "__indirect_function_table", "__wasm_call_ctors", "main", "__main_argc_argv"})


class UnexpectedRuntime(RuntimeError):
    """Pyodide's glue is not as this code expects it; the message says where."""


@frozen
class LeanRuntime:
    """
    The lean glue, and the lean module for it, which imports its memory; the glue works with the whole module, too.

    `most_pages` is how many pages of 64 KiB the memory may have at most.
    """

    glue: str
    module: bytes
    most_pages: int


def lean_runtime(
    glue: str, module: bytes, users: str, unused: Mapping[str, re.Pattern[str]] = UNUSED_LIBRARIES
) -> LeanRuntime:
    """
    Make the lean runtime from Pyodide's; `users` are the texts that use it from outside.

    Raises UnexpectedRuntime, or web_assembly.UnexpectedModule.
    """
    start, end = _between(glue, _ASSIGNING, _AFTER_ASSIGNING)
    body = glue[start:end].rstrip()
    if not body.endswith("}"):
        raise UnexpectedRuntime("The glue's assignWasmExports does not end where it should.")
    declared = glue.rindex("var ", 0, start)
    declarations = glue[declared : start - len(_ASSIGNING)]
    conversion_start, conversion_end = _between(glue, _CONVERTING, _AFTER_CONVERTING)
    conversions = glue[conversion_start:conversion_end]
    remaining = glue[:declared] + glue[end:conversion_start] + glue[conversion_end:]
    used = set(_WORD.findall(remaining)) | set(_WORD.findall(users))

    kept, names, exports = [], set(), set(_ALWAYS_EXPORTED)
    for statement in body[:-1].split(";"):
        found = _ASSIGNMENT.fullmatch(statement)
        if statement and found is None:
            raise UnexpectedRuntime(f"The glue assigns an export in an unknown way: {statement[:80]}")
        if found is None:
            continue
        targets = set(_WORD.findall(found["targets"])) - {"Module"}
        if targets & used or found["export"] in used:
            kept.append(statement)
            names |= targets
            exports.add(found["export"])
    changed = {
        declarations: f"var {','.join(sorted(_declared(declarations) & (names | used)))};",
        body: ";".join(kept) + "}",
        conversions: _kept_conversions(conversions, exports),
    } | _REPLACEMENTS
    for former, new in changed.items():
        if glue.count(former) != 1:
            raise UnexpectedRuntime(f"The glue holds {former[:60]!r} {glue.count(former)} times, not once.")
        glue = glue.replace(former, new)
    is_needed = (exports | used).__contains__
    lean_module = with_memory_from_outside(without_libraries(module, unused, is_needed), is_needed)
    _, most_pages = memory_pages(module)
    return LeanRuntime(glue, lean_module, most_pages)


def _between(text: str, before: str, after: str) -> tuple[int, int]:
    """Return where the only text between two marks begins and ends."""
    if text.count(before) != 1:
        raise UnexpectedRuntime(f"The glue holds {before!r} {text.count(before)} times, not once.")
    start = text.index(before) + len(before)
    return start, text.index(after, start)


def _declared(declarations: str) -> set[str]:
    names = declarations.removeprefix("var ").rstrip(";")
    if re.fullmatch(r"[\w$]+(,[\w$]+)*", names) is None:
        raise UnexpectedRuntime("The glue declares its exports in an unknown way.")
    return set(names.split(","))


def _kept_conversions(conversions: str, exports: set[str]) -> str:
    """Keep the makers of wrappers, and the wrappers around what is still exported."""
    kept = []
    for statement in conversions.split(";"):
        found = _CONVERSION.fullmatch(statement)
        if found is None or found[1] in exports:
            kept.append(statement)
    return ";".join(kept)
