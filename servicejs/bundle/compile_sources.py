"""
Runs inside Pyodide, since byte code is only good for the very Python that made it.

Compiles the sources below `/sources`. A `.pyc` names its source by the path in the archive and carries the source's
hash without anyone ever checking it, so that it is the same whenever it is made.
"""

import importlib._bootstrap_external as bootstrap  # the only maker of such files that needs no source on the path
from importlib.util import source_hash
from pathlib import Path

SOURCES = Path("/sources")
KEEP_DOCSTRINGS = ("pyodide/", "_pyodide/")  # Pyodide's core reads some at start

for source in sorted(SOURCES.rglob("*.py")):
    path = source.relative_to(SOURCES).as_posix()
    text = source.read_bytes()
    code = compile(text, path, "exec", dont_inherit=True, optimize=0 if path.startswith(KEEP_DOCSTRINGS) else 2)
    pyc = bootstrap._code_to_hash_pyc(code, source_hash(text), False)  # type: ignore[attr-defined]
    source.with_suffix(".pyc").write_bytes(pyc)
    source.unlink()
