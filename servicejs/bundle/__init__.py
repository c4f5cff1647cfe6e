"""
Builds, on CPython, the part of the SDK that browsers load: `python -m servicejs.bundle`.

The needed parts of the standard library, the SDK's Python and its templates become one archive of byte code for
Pyodide. Python's memory, once all of it is imported, becomes a snapshot, with a runtime that has only what starting
from it needs. The scripts become the shell and the worker. Everything but the shell is named by the hash of its
content.
"""
