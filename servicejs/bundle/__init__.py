"""
Builds what browsers load of the SDK, on CPython: `python -m servicejs.bundle`.

The standard library as far as it is needed, the SDK's Python and its templates become one archive of byte code for
Pyodide; what Python's memory holds once all of it is imported becomes a snapshot, with a runtime that has nothing but
what a start from it needs; the scripts become the shell and the worker. Everything but the shell is named by the hash
of its content.
"""
