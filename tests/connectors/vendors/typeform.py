"""Typeform's API by the vendor's own client."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls
from tests.connectors.descriptions.packages import npm

_TAKEN = re.compile(r"^ {4,8}var (?!_this|methodType|request)[^;]*;", re.MULTILINE)


def _given(_: str, __: str, match: re.Match[str]) -> str:
    """Making and changing a webhook are one function, which stands outside of their class."""
    owner, name = match["owner"] or "Webhooks", match["name"] or "create"
    return f'args: NonNullable<Parameters<import("./dist/{owner.lower()}").{owner}["{name}"]>[0]>'


_CALLS = ConfiguredCalls(
    r"^(?:    (?P<owner>\w+)\.prototype\.(?P<name>\w+) = function \(\w*\)"
    r"|var createOrUpdateWebhook = function \(http, args\)) ",
    _given,
    statements=lambda text: " ".join(_TAKEN.findall(text)),
    url=r"""\burl: (?P<path>["']/[^\r\n]+),\r?\n""",
    # Changing a form and replacing it are one function there.
    otherwise="PATCH",
)
_USED = ("forms", "insights", "responses", "themes", "webhooks", "workspaces")


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read the calls of the classes that we use; the bundle has others beside them."""
    for call in _CALLS(sources):
        if any(f'"./dist/{module}"' in (call.parameters or "") for module in _USED):
            yield call


CHECK = compiled_client(
    npm("@typeform/api-client@2.8.0"),
    base_url="https://api.typeform.com",
    sources=("dist/index.esm.js",),
    reader=_read,
    head="""
        declare function toCSL(value: string | string[] | undefined): string | undefined;
        declare const members: unknown;
    """,
    types=("dist/*.d.ts",),
    # What a form's part is replaced by differs by part.
    untyped=("body.value",),
)

UNDESCRIBED = {"test": "Typeform documents it beside its Create API; the client has no such call"}
