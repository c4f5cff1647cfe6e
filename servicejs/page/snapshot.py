"""
The start of the SDK in two halves, with a memory snapshot between them.

`prepare` runs once, when the bundle is built; what it leaves in memory is what every browser starts from. `wake` runs
first in the browser, and `complete` once the archive has arrived, which the snapshot can start without.
"""

import gc
import importlib
import linecache
import random
import sys
import unicodedata
from importlib.machinery import PathFinder

from servicejs.language import load_catalogs
from servicejs.templates import load_compiled_templates

_INCOMPLETE = (
    *("_codecs_cn", "_codecs_hk", "_codecs_jp", "_codecs_kr", "_codecs_tw"),
    *("_bz2", "_lzma", "_sqlite3", "_zstd", "_testbuffer", "_testcapi", "_testcapi_datetime", "_testclinic"),
    *("_testclinic_limited", "_testinternalcapi", "_testlimitedcapi", "_xxtestfuzz"),
)
"""Modules of the interpreter whose tables or code the build leaves out (`unused_tables.mjs`, `unused_libraries.py`)."""

# What functions import when they are first called: in a browser the archive may not have arrived by then.
_IMPORTED_LATE = ("js", "pyodide.ffi", "service_client.transports.fetch", "servicejs.page.worker_page")


def prepare() -> None:
    """Load into memory all that the SDK's screens and calls need, and nothing that is specific to this moment."""
    for name in _IMPORTED_LATE:
        importlib.import_module(name)
    load_compiled_templates()
    load_catalogs()
    for name in _INCOMPLETE:
        sys.modules[name] = None  # type: ignore[assignment]  # importing it raises ImportError
    del unicodedata.name, unicodedata.lookup, unicodedata._ucnhash_CAPI  # type: ignore[attr-defined]
    linecache.clearcache()  # of the code that attrs and cattrs generated
    importlib.invalidate_caches()  # forgets what is where in the archive; a browser looks that up again
    random.seed(0)  # the module was seeded from this machine's randomness; two builds must be the same
    gc.collect()


def wake() -> None:
    """Replace what everything started from one snapshot would share: the random seed."""
    random.seed()


def complete() -> None:
    """Look into the archive, now that it has arrived: modules that the snapshot lacks can be imported from now on."""
    importlib.invalidate_caches()
    if PathFinder.find_spec("servicejs") is None:
        raise ImportError("Python does not find the archive.")
