"""
Runs inside Pyodide, since byte code only works with the very Python that made it.

Compiles the sources below `/sources`. A `.pyc` names its source by the path in the archive and carries the source's
hash, which is never checked, so that it is the same whenever it is made. Only our own code keeps its line numbers, for
the tracebacks of defects: in all other code they are a tenth of what a browser would have to fetch of it.
"""

import importlib._bootstrap_external as bootstrap  # nothing else makes such files without a source on the path
from importlib.util import source_hash
from pathlib import Path
from types import CodeType

SOURCES = Path("/sources")
KEEP_LINES = ("servicejs/", "service_client/")


def without_lines(code: CodeType) -> CodeType:
    """Return byte code without line numbers, also in the code that is defined in it."""
    inner = [without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.replace(co_linetable=b"", co_consts=tuple(inner))


for source in sorted(SOURCES.rglob("*.py")):
    path = source.relative_to(SOURCES).as_posix()
    text = source.read_bytes()
    code = compile(text, path, "exec", dont_inherit=True, optimize=2)
    kept = code if path.startswith(KEEP_LINES) else without_lines(code)
    pyc = bootstrap._code_to_hash_pyc(kept, source_hash(text), False)  # type: ignore[attr-defined]
    source.with_suffix(".pyc").write_bytes(pyc)
    source.unlink()
