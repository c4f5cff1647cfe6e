"""Dropbox's API by the vendor's own client."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, ReadCalls, compiled_client
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.packages import npm

_ROUTE = re.compile(
    r"^routes\.(?P<name>\w+) = function[^\n]*\s*return this\.request\('(?P<path>[^']+)', \w+, '[^']+', "
    r"'(?P<host>\w+)', '(?P<style>\w+)'",
    re.MULTILINE,
)


def _routes(host: str) -> ReadCalls:
    """The routes of one of the hosts; where the body is a file, what is asked for stands in a header."""

    def read(sources: Mapping[str, str]) -> Iterator[Call]:
        for text in sources.values():
            for match in _ROUTE.finditer(text):
                if match["host"] == host:
                    argument = f'Of<"{match["name"]}">'
                    is_body = match["style"] == "rpc"
                    yield Call(
                        "POST",
                        f"/{match['path']}",
                        body=argument if is_body else None,
                        header=None if is_body else argument,
                    )

    return read


def _with_short_tags(texts: Mapping[str, str]) -> dict[str, str]:
    """Let a member of a union that is only a tag be sent as its text too, as the vendor documents it."""
    tagged = re.compile(r"^(\s*)export interface (\w+) \{\s*'\.tag': ('\w+');\s*\}", re.MULTILINE)
    return {file: tagged.sub(r"\1export type \2 = \3 | { '.tag': \3 };", text) for file, text in texts.items()}


def _host(host: str) -> Description:
    return compiled_client(
        npm("dropbox@10.34.0"),
        base_url=f"https://{host}.dropboxapi.com/2",
        sources=("lib/routes.js",),
        reader=_routes(host),
        head="""
            import type { Dropbox } from "./types/index.js";
            type Of<K extends keyof Dropbox> = Dropbox[K] extends (...sent: infer P) => unknown ? Sent<P> : never;
            type Sent<P extends unknown[]> = P extends [] ? undefined : Omit<P[0], "contents">;
        """,
        types=("types/*.d.ts",),
        rewrite=_with_short_tags,
        header="Dropbox-API-Arg",
    )


CHECK = any_of(_host("api"), _host("content"))
