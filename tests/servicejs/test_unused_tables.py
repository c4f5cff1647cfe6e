"""What the build leaves out of Python's memory is read by nothing else, so that all else stays as it is."""

import json
import shutil
import subprocess

import pytest

from servicejs.bundle import contents

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not contents.PYODIDE.exists(), reason="Pyodide runs in Node: run ./dev setup."
    ),
]

ENCODINGS = [name for name in sorted(contents.ENCODINGS) if name not in ("__init__", "aliases", "idna")]
DIGEST = f"""
import hashlib, math, unicodedata
digest = hashlib.sha256()
properties = [getattr(unicodedata, name) for name in (
    "category", "bidirectional", "combining", "decomposition", "east_asian_width", "mirrored")]
of_texts = (str.upper, str.lower, str.title, str.casefold, str.isidentifier, str.isprintable, str.isspace)
numbers = (*range(0x10000), *range(0x10000, 0x40000, 7), *range(0x2F800, 0x2FA20), *range(0xE0000, 0xE0200))
every = [chr(number) for number in numbers]  # beyond the first plane some of each block
for character in every:
    known = [read(character) for read in (*properties, *of_texts)] + [unicodedata.numeric(character, None)]
    digest.update(repr(known).encode("utf-8", "surrogatepass"))
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    digest.update("|".join(unicodedata.normalize(form, each) for each in every).encode("utf-8", "surrogatepass"))
for encoding in {ENCODINGS}:
    digest.update(bytes(range(256)).decode(encoding, "replace").encode(encoding, "replace"))
for number in range(2000):
    numbers = (number / 7, math.exp(number / 9), math.sin(number), float(f"{{number}}e-{{number % 300}}"))
    digest.update(repr(numbers).encode())
digest.hexdigest()
"""
SCRIPT = """
import {{ loadPyodide }} from "{pyodide}";
import {{ unusedTables }} from "{tables}";
const pyodide = await loadPyodide();
const tables = unusedTables(pyodide);
const before = pyodide.runPython({digest});
for (const [start, end] of tables) pyodide._module.HEAPU8.fill(0, start, end);
const after = pyodide.runPython({digest});
const bytes = tables.reduce((sum, [start, end]) => sum + end - start, 0);
console.log(JSON.stringify({{ before, after, bytes }}));
"""


def test_nothing_else_reads_what_is_left_out() -> None:
    """With the tables zeroed in a running Python, all it says of characters, encodings and numbers is the same."""
    script = SCRIPT.format(
        pyodide=(contents.PYODIDE / "pyodide.mjs").as_uri(),
        tables=(contents.ROOT / "servicejs" / "bundle" / "unused_tables.mjs").as_uri(),
        digest=json.dumps(DIGEST),
    )
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=contents.ROOT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout)
    assert said["before"] == said["after"]
    assert said["bytes"] > 1_000_000
