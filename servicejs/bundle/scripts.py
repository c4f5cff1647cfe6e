"""Makes the shell and the worker from the scripts, with esbuild."""

import json
import subprocess
from contextvars import copy_context
from pathlib import Path
from typing import Any

from servicejs.bundle.contents import NODE_MODULES, PYODIDE, ROOT
from servicejs.language import LOCALES, RIGHT_TO_LEFT, gettext, speak

SCRIPTS = ROOT / "web_assets" / "scripts"
STYLES = ROOT / "web_assets" / "styles"
ESBUILD = NODE_MODULES / ".bin" / "esbuild"
TARGET = "es2022"

SURFACE_STYLES = ("surface.css", "controls.css", "marketplace.css", "connecting.css", "form.css")
"""The style sheets for what is in a surface; the shell itself has only `servicejs.css`."""

SHELL_MESSAGES = (
    "Close",
    "Connecting…",
    "Loading…",
    "One moment. This will happen as soon as everything has loaded.",
    "Part of this could not be loaded. Check your connection, or try again.",
    "This is taking longer than it should. Check your connection, or try again.",
    "Try again",
)
"""What the shell says before the worker does."""


def minified_style(name: str) -> str:
    """Return a style sheet without comments and white space."""
    return _esbuild(str(STYLES / name), "--minify", "--target=chrome111,firefox113,safari16.4").strip()


def build_shell(script: str, format: str, content_file: str, worker_files: list[str]) -> str:
    """
    Return the script that host pages load; it knows the files that show something in a surface and start a worker.

    From `script_tag.js` it is a classic script (`iife`), from `module.js` a module (`esm`).
    """
    defined = {
        "CONTENT_FILE": content_file,
        "WORKER_FILES": worker_files,
        "FRAME_CSS": minified_style("servicejs.css"),
        "LOCALES": list(LOCALES),
        "RIGHT_TO_LEFT": list(RIGHT_TO_LEFT),
    }
    return _bundle(script, format, defined)


def build_npm_module(script: Path) -> str:
    """Return the module of the npm package, readable, and including what it takes from the shell."""
    return _esbuild(str(script), "--bundle", "--format=esm", f"--target={TARGET}", "--log-level=warning")


def shell_words() -> dict[str, dict[str, str]]:
    """Return what the shell says by itself, by locale; English needs no translation."""
    return {locale: copy_context().run(_words_in, locale) for locale in LOCALES}


def _words_in(locale: str) -> dict[str, str]:
    speak(locale)
    return {message: said for message in SHELL_MESSAGES if (said := gettext(message)) != message}


def build_surface_content() -> str:
    """Return the module that shows rendered content in a surface; it is loaded before the worker."""
    defined = {"SHELL_WORDS": shell_words(), "SURFACE_CSS": "".join(map(minified_style, SURFACE_STYLES))}
    return _bundle("surface_content.js", "esm", defined)


def build_worker(defined: dict[str, Any]) -> str:
    """Return the worker's module, which knows the texts `defined`."""
    return _bundle("worker.js", "esm", defined)


def build_plain_boot(files: dict[str, str], python_file: str, scratch: Path) -> str:
    """
    Return the module that starts Pyodide with its own loader, which the module contains.

    `files` maps the names under which the loader looks for Pyodide's parts to their names in the bundle.
    """
    loader = (PYODIDE / "pyodide.mjs").read_text()
    for name, hashed in files.items():
        if loader.count(name) != 1:
            raise RuntimeError(
                f"pyodide.mjs names {name} {loader.count(name)} times, not once: see what changed in it."
            )
        loader = loader.replace(name, hashed)
    renamed = scratch / "pyodide.mjs"
    renamed.write_text(loader)
    defined = {"PYTHON_FILE": python_file, "LOCK_FILE": empty_lock_file()}
    return _bundle("plain_boot.js", "esm", defined, f"--alias:pyodide={renamed}", "--external:node:*", "--external:ws")


def build_runtime(glue: str, scratch: Path) -> str:
    """Return Pyodide's glue, minified."""
    (scratch / "runtime.mjs").write_text(glue)
    return _esbuild(
        str(scratch / "runtime.mjs"),
        "--minify",
        "--format=esm",
        f"--target={TARGET}",
        "--legal-comments=none",
        "--log-level=error",
    )


def empty_lock_file() -> dict[str, Any]:
    """Return a lock file of no packages: everything the SDK needs is in its archive."""
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())
    return {"info": lock["info"], "packages": {}}


def _bundle(script: str, format: str, defined: dict[str, Any], *options: str) -> str:
    defines = [f"--define:{name}={json.dumps(value)}" for name, value in defined.items()]
    return _esbuild(
        str(SCRIPTS / script),
        "--bundle",
        "--minify",
        f"--format={format}",
        f"--target={TARGET}",
        "--legal-comments=none",
        "--log-level=warning",
        *defines,
        *options,
    )


def _esbuild(*arguments: str) -> str:
    done = subprocess.run([ESBUILD, *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise RuntimeError(f"esbuild failed:\n{done.stderr}")
    return done.stdout
