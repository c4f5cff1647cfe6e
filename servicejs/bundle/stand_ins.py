"""
Stand-ins for modules that a worker can't use but others import: they hold the names needed at import, and nothing else.

They replace asyncio's servers, sockets and processes; the half of Jinja that reads templates, which come compiled;
what Pyodide installs packages with; and what tells other interpreters, terminals and kinds of data apart. With the
originals a browser would have to fetch nearly a megabyte more before Python runs.
"""

_ABSENT = "raise ImportError('This is left out of the bundle of the browser SDK.')\n"
_NOTHING_PUBLIC = "__all__ = ()\n"

STAND_INS = {
    # Tracebacks go to the browser's console, without colours.
    "_colorize.py": (
        "class _Plain:\n"
        "    def __getattr__(self, name): return self\n"
        "    def __str__(self): return ''\n"
        "ANSIColors = NoColors = _Plain()\n"
        "def can_colorize(**_): return False\n"
        "def get_colors(*_, **__): return NoColors\n"
        "def get_theme(**_): return NoColors\n"
        "def decolor(text): return text\n"
    ),
    "asyncio/base_events.py": _NOTHING_PUBLIC,
    "asyncio/base_subprocess.py": _ABSENT,
    "asyncio/graph.py": _NOTHING_PUBLIC,
    "asyncio/selector_events.py": _ABSENT,
    "asyncio/sslproto.py": _NOTHING_PUBLIC,
    "asyncio/staggered.py": _NOTHING_PUBLIC,
    "asyncio/streams.py": _NOTHING_PUBLIC,
    "asyncio/subprocess.py": _NOTHING_PUBLIC,
    "asyncio/trsock.py": _ABSENT,
    "asyncio/unix_events.py": (
        "from . import events\n"
        "__all__ = ()\n"
        "class _DefaultEventLoopPolicy(events._BaseDefaultEventLoopPolicy):\n"
        "    pass\n"
    ),
    "attr/validators.py": _NOTHING_PUBLIC,
    # For libraries that also take data classes; there are none.
    "dataclasses.py": (
        "MISSING = object()\n"
        "class Field: pass\n"
        "def is_dataclass(value): return False\n"
        "def fields(value): raise TypeError('This is no data class.')\n"
    ),
    # What inspect takes from it at import.
    "dis.py": (
        "COMPILER_FLAG_NAMES = {1: 'OPTIMIZED', 2: 'NEWLOCALS', 4: 'VARARGS', 8: 'VARKEYWORDS', 16: 'NESTED',\n"
        "    32: 'GENERATOR', 64: 'NOFREE', 128: 'COROUTINE', 256: 'ITERABLE_COROUTINE', 512: 'ASYNC_GENERATOR',\n"
        "    67108864: 'HAS_DOCSTRING', 134217728: 'METHOD'}\n"
    ),
    "importlib/metadata/__init__.py": (
        "class MetadataPathFinder:\n    @staticmethod\n    def invalidate_caches(): pass\n"
    ),
    # The browser checks the addresses in a URL's brackets.
    "ipaddress.py": "class IPv4Address: pass\ndef ip_address(address): return address\n",
    "jinja2/bccache.py": "BytecodeCache = FileSystemBytecodeCache = MemcachedBytecodeCache = None\n",
    "jinja2/compiler.py": "CodeGenerator = generate = None\n",
    "jinja2/lexer.py": "Lexer = TokenStream = get_lexer = None\n",
    "jinja2/nodes.py": (
        "class EvalContext:\n"
        "    def __init__(self, environment, template_name=None):\n"
        "        self.environment = environment\n"
        "        given = environment.autoescape\n"
        "        self.autoescape = given(template_name) if callable(given) else given\n"
        "        self.volatile = False\n"
    ),
    "jinja2/parser.py": "Parser = None\n",
    "pathlib/__init__.py": "class PurePath: pass\nclass Path(PurePath): pass\n",
    "platform.py": "def python_implementation(): return 'CPython'\n",
    # The glue asks for these at every start; nothing is installed in a worker.
    "pyodide/_package_loader.py": (
        "import sys\n"
        "from pyodide_js import loadedPackages\n"  # what a snapshot is expected to refer to
        "class Folder:\n"
        "    def __init__(self, path): self.path = path\n"
        "    def __str__(self): return self.path\n"
        "SITE_PACKAGES = Folder('/lib/python%d.%d/site-packages' % sys.version_info[:2])\n"
        "DSO_DIR = Folder('/usr/lib')\n"
        "def init_loaded_packages(): pass\n"
    ),
    "socket.py": "AF_UNSPEC = AI_PASSIVE = 0\n",
    "ssl.py": _ABSENT,
    "subprocess.py": "PIPE, STDOUT, DEVNULL = -1, -2, -3\n",
    # Everything that the libraries take from it is in the standard library of Pyodide's Python.
    "typing_extensions.py": "import typing\ndef __getattr__(name): return getattr(typing, name)\n",
}
"""Sources by their path in the archive."""
