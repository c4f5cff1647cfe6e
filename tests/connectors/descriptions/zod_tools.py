"""Servers for agents whose tools tell by schemas of zod what they take, and make one request each."""

import re

from tests.connectors.descriptions.configured_calls import expression
from tests.connectors.descriptions.packages import npm

HEAD = 'import { z } from "zod";\n'
ZOD = npm("zod@4.6.7").keeping("package.json", "*.d.ts", "*.d.cts")

BEGINNING = r"(?s:(?!inputSchema|registerTool).)*inputSchema: "  # behind what tells one tool from another
_SHARED = re.compile(r"^const (\w+) = (?=z\b|\{)", re.MULTILINE)
_GIVEN = re.compile(r"\basync \((?P<names>[^)]*)\) => \{")


def given(_: str, text: str, match: re.Match[str]) -> str:
    """Say what a tool is given, which is what the schema behind a match takes; the file's own ones stand before it."""
    names = _GIVEN.search(text, match.end())
    assert names is not None
    shared = [f"{each[1]} = {expression(text, each.end())}" for each in _SHARED.finditer(text)]
    taken = [f"{names['names']} = {{}} as z.input<typeof schema>"] if names["names"] else []
    # What a schema would turn into a number is a number for us; by its type it may be anything.
    schemas = ", ".join((*shared, f"schema = z.object({expression(text, match.end())})")).replace("z.coerce.", "z.")
    return ", ".join((schemas, *taken))
