"""Slack by its own client for Node: the list of methods and the types of their arguments."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware

_METHOD = re.compile(
    r"/methods/(?P<name>[\w.]+) (?:(?!\*/).)*\*/\s*\w+: MethodWith(?P<kind>\w+)Argument<(?P<type>\w+),", re.DOTALL
)
# Some stand without a comment: `AuthTestArguments` are those of `auth.test`.
_BARE = re.compile(r"^\s*(?P<leaf>\w+): MethodWith(?P<kind>\w+)Argument<(?P<type>\w+),", re.MULTILINE)


def _methods(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    named = {match["name"]: match for match in _METHOD.finditer(text)}
    yield from named.items()
    types = {match["type"] for match in named.values()}
    for match in _BARE.finditer(text):
        leaf = match["leaf"]
        group = match["type"].removesuffix(f"{leaf[:1].upper()}{leaf[1:]}Arguments")
        if match["type"] not in types and group:
            yield f"{group[:1].lower()}{group[1:]}.{leaf}", match


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read methods; Slack takes the arguments of each in a query and in a body."""
    for text in sources.values():
        for name, match in _methods(text):
            given = f"types.{match['type']}{' | undefined' if match['kind'] == 'Optional' else ''}"
            yield Call("GET", f"/{name}", query=given)
            yield Call("POST", f"/{name}", body=given)


CHECK = compiled_client(
    npm("@slack/web-api@8.2.0"),
    base_url="https://slack.com/api",
    sources=("dist/methods.d.ts",),
    reader=_read,
    head='import type * as types from "./dist/types/request/index.js";',
    types=("dist/types/request/*.d.ts", "dist/types/helpers.d.ts"),
    # Documented otherwise, and sent so by the vendor's client for Python.
    rewrite=amended(("alt_text?: string;", "alt_txt?: string;")),
    # People's profiles hold fields of the workspace's own beside a few that all have; the client names none.
    untyped=("body.profile.*",),
    beside=(npm("@slack/types@3.2.0").keeping("package.json", "dist/*.d.ts"),),
)

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_slack.py",))
