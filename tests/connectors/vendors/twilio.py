"""Twilio by its own client for Node: each host has a part of the API."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.configured_calls import assigned
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template
from tests.connectors.descriptions.running_software import RunningSoftware

_PART = re.compile(
    r"^(?:class (?P<context>\w+)Impl |function (?P<list>\w+)\()|_uri = `(?P<path>/[^`]+)`|"
    r"^    (?:instance\.)?(?P<name>\w+)(?: = function \w+)?\([^)]*\) \{$",
    re.MULTILINE,
)
_CALLING = ("create", "fetch", "page", "remove", "update")  # others call these
_METHOD = re.compile(r'method: "(\w+)"')
_sent = assigned(r'(?P<maybe>if \(params[^\n]*\n\s*)?data\["([^"]+)"\] = ')


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read resource by resource: first where it is, then what can be done with it."""
    for file, text in sources.items():
        found = list(_PART.finditer(text))
        ends = [match.start() for match in found[1:]] + [len(text)]
        owner = path = ""
        for match, end in zip(found, ends, strict=True):
            owner, path = match["context"] or match["list"] or owner, match["path"] or path
            inside = text[match.end() : end]
            method = _METHOD.search(inside)
            if match["name"] in _CALLING and method is not None:
                sent = _sent(inside)
                given = f'import("./{file.removesuffix(".js")}").{owner}["{match["name"]}"]'
                is_query = method[1] == "get"
                yield Call(
                    method[1].upper(),
                    template(path),
                    sent if is_query else None,
                    None if is_query else sent,
                    parameters=f"params: NonNullable<Parameters<{given}>[0]>",
                )


def _part(base_url: str, *sources: str) -> Description:
    return compiled_client(
        npm("twilio@6.2.0"),
        base_url=base_url,
        sources=tuple(f"lib/rest/{source}.js" for source in sources),
        reader=_read,
        head="""
            declare const serialize: Record<string, <T>(value: T, each?: (item: any) => unknown) => T>;
            declare function maybe<T>(value: T): T | undefined;
        """,
        types=(
            *(f"lib/rest/{each.rpartition('/')[0]}/*.d.ts" for each in sources),
            "lib/base/*.d.ts",
            "lib/twiml/TwiML.d.ts",
        ),
    )


CHECK = any_of(
    _part("https://api.twilio.com/2010-04-01", "api/v2010/account/*"),
    _part("https://messaging.twilio.com/v1", "messaging/v1/service"),
    _part("https://lookups.twilio.com/v2", "lookups/v2/phoneNumber"),
)

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_twilio.py",))
