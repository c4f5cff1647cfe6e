"""
What stands in for modules that a worker can't use, but that others import: what these name at import, and nothing else.

They are asyncio's servers, sockets and processes, and the half of Jinja that reads templates, which come compiled. With
them a browser would have to fetch half a megabyte more before Python runs.
"""

_ABSENT = "raise ImportError('This is left out of the bundle of the browser SDK.')\n"
_NOTHING_PUBLIC = "__all__ = ()\n"

STAND_INS = {
    "asyncio/base_subprocess.py": _ABSENT,
    "asyncio/graph.py": _NOTHING_PUBLIC,
    "asyncio/selector_events.py": _ABSENT,
    "asyncio/sslproto.py": _NOTHING_PUBLIC,
    "asyncio/staggered.py": _NOTHING_PUBLIC,
    "asyncio/streams.py": _NOTHING_PUBLIC,
    "asyncio/subprocess.py": _NOTHING_PUBLIC,
    "asyncio/unix_events.py": (
        "from . import events\n"
        "__all__ = ()\n"
        "class _DefaultEventLoopPolicy(events._BaseDefaultEventLoopPolicy):\n"
        "    pass\n"
    ),
    # The addresses in a URL's brackets are the browser's to check.
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
    "ssl.py": _ABSENT,
    "subprocess.py": "PIPE, STDOUT, DEVNULL = -1, -2, -3\n",
    # All that the libraries take from it stands in the standard library of Pyodide's Python.
    "typing_extensions.py": "import typing\ndef __getattr__(name): return getattr(typing, name)\n",
}
"""Sources by their path in the archive."""
