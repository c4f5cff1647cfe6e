"""What goes into the bundle's archive: Python sources to be compiled, and files to be kept as they are."""

import importlib.metadata
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from servicejs.bundle.sources import LIBRARIES, TEMPLATES
from servicejs.bundle.stand_ins import STAND_INS
from servicejs.language import FOLDER, compile_catalog
from servicejs.templates import COMPILED, compile_template, compiled_name

ROOT = Path(__file__).resolve().parents[2]
NODE_MODULES = ROOT / "node_modules"
PYODIDE = NODE_MODULES / "pyodide"

OWN_PACKAGES = ("service_client", "servicejs", "web_assets")

# Nobody runs these in a browser: tests, terminals, servers, processes, mail, other archives and databases. More stays
# than the SDK imports, in case one of its libraries starts to use another standard module.
_UNUSED_STDLIB = """
_aix_support _android_support _apple_support _ios_support _osx_support _pydecimal _pyio _pyrepl antigravity bdb cProfile
cmd compileall configparser csv ctypes curses dbm difflib doctest ensurepip filecmp fileinput ftplib
getopt getpass html http idlelib imaplib lib2to3 lzma mailbox mimetypes modulefinder multiprocessing
netrc nturl2path optparse pdb pickletools plistlib poplib profile pstats pty py_compile pyclbr pydoc pydoc_data
rlcompleter runpy sched shelve smtplib socketserver sqlite3 statistics symtable tabnanny this timeit tkinter tomllib
trace tty turtle turtledemo unittest uu venv wave webbrowser wsgiref xml xmlrpc zipapp zoneinfo
"""
_ENCODINGS = """
__init__ aliases ascii charmap cp437 cp1252 idna latin_1 punycode raw_unicode_escape unicode_escape utf_16 utf_16_be
utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8 utf_8_sig
"""
UNUSED_STDLIB = frozenset(_UNUSED_STDLIB.split())
ENCODINGS = frozenset(_ENCODINGS.split())
UNUSED = (
    "servicejs/bundle/",
    "servicejs/first_screens.py",
    "servicejs/page/memory_page.py",
    "service_client/admin/",
    "service_client/models/administration.py",
    "service_client/models/event.py",
    "service_client/models/notebook.py",
    "service_client/testing/",
    "service_client/tools/",
    "service_client/transports/deadlines.py",
    "service_client/transports/httpx.py",
    "service_client/webhooks.py",
    "cattrs/preconf/",
    "jinja2/testing.py",
)


def python_sources() -> dict[str, bytes]:
    """Return every Python source of the archive by its path there."""
    found = dict(_stdlib_sources())
    for distribution, names in LIBRARIES.items():
        folder = Path(str(importlib.metadata.distribution(distribution).locate_file("")))
        for name in names:
            found |= dict(_sources_below(folder, name))
    for package in OWN_PACKAGES:
        found |= dict(_sources_below(ROOT, package))
    found |= dict(_template_sources())
    missing = STAND_INS.keys() - found.keys()
    if missing:
        raise RuntimeError(f"Nothing is called {', '.join(sorted(missing))}: see what changed there.")
    found |= {path: text.encode() for path, text in STAND_INS.items()}
    return {path: text for path, text in sorted(found.items()) if not path.startswith(UNUSED)}


def _template_sources() -> Iterator[tuple[str, bytes]]:
    """Yield the SDK's templates, compiled to Python; the server's own pages stay out."""
    package = COMPILED.replace(".", "/")
    yield f"{package}/__init__.py", b""
    folder = ROOT / "web_assets" / "templates"
    for file in (file for pattern in TEMPLATES for file in folder.glob(pattern)):
        name = file.relative_to(folder).as_posix()
        yield f"{package}/{compiled_name(name)}.py", compile_template(name, file.read_text()).encode()


def catalogs() -> dict[str, bytes]:
    """Return the translations by their path in the archive, in the form that is quick to read."""
    folder = ROOT / "servicejs" / FOLDER
    return {f"servicejs/{FOLDER}/{file.stem}.mo": compile_catalog(file.read_bytes()) for file in folder.glob("*.po")}


def licenses() -> str:
    """Return the licences of all third-party code that the bundle holds."""
    texts = [
        "Pyodide (https://pyodide.org, sources at https://github.com/pyodide/pyodide): Mozilla Public License 2.0\n"
        "CPython (https://www.python.org): Python Software Foundation License Version 2\n"
    ]
    for distribution in LIBRARIES:
        files = importlib.metadata.files(distribution) or []
        texts += [
            f"{distribution} {importlib.metadata.version(distribution)}\n\n{file.read_text()}"
            for file in sorted(files)
            if file.parent.name == "licenses" or "licen" in file.name.lower()
            if file.suffix != ".py"
        ]
    return f"\n{'-' * 80}\n\n".join(texts)


def users_of_runtime() -> str:
    """Return the texts outside of Pyodide's glue that use what the glue offers."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        python = [
            archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith(("pyodide/", "_pyodide/")) and name.endswith(".py")
        ]
    files = [*(ROOT / "web_assets" / "scripts").glob("*.js"), *Path(__file__).parent.glob("*.mjs")]
    scripts = [file.read_text() for file in sorted(files)]
    return "\n".join([(PYODIDE / "pyodide.mjs").read_text(), *python, *scripts])


def archive_path() -> str:
    """Return where Python looks for its archive in the browser."""
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())
    major, minor, *_ = lock["info"]["python"].split(".")
    return f"/lib/python{major}{minor}.zip"


def _stdlib_sources() -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        for path in archive.namelist():
            if path.endswith(".py") and _is_used(path):
                yield path, archive.read(path)


def _is_used(path: str) -> bool:
    top, _, rest = path.removesuffix(".py").partition("/")
    return rest in ENCODINGS if top == "encodings" else top not in UNUSED_STDLIB


def _sources_below(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    start = folder / name
    for file in [start] if start.is_file() else start.rglob("*.py"):
        yield file.relative_to(folder).as_posix(), file.read_bytes()
