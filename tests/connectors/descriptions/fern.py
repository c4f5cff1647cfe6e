"""Clients that Fern makes of a vendor's document: each method takes the parts of the path and one request."""

import re

from tests.connectors.descriptions.configured_calls import ConfiguredCalls, assigned, value

HEAD = """
    declare function __rest<T, K extends string>(value: T, without: K[]): Omit<T, K>;
    declare function maybe<T>(value: T): T | undefined;
    declare const json_js_1: { toJson(value: unknown): string };
"""

_BEGINNING = (
    r"^    (?:__)?(?P<name>\w+)\((?P<outer>[^)]*)\) \{\n"
    r"        return __awaiter\(this, (?:void 0|arguments), void 0, function\* \((?P<inner>.*)\) \{$"
)
_QUERY_OBJECT = re.compile(r"const _queryParams = (\{\n.*?\n\s+\});", re.DOTALL)
_DESTRUCTURED = re.compile(r"const \{[^}]*\} = request(?:, _body = __rest\(request, \[[^\]]*\]\))?;")
_query = assigned(r"(?P<maybe>if \(\w+ != null\) \{\s*)?_queryParams(?:\.(\w+)|\[\"([^\"]+)\"\]) = ")
_body = value(r"(?<=    )body")


def _parameters(file: str, text: str, match: re.Match[str]) -> str:
    module = file.removesuffix(".js")
    (owner,) = re.findall(r"^class (\w+)", text, re.MULTILINE)
    names = re.sub(r" = \{\}", "", match["inner"] or match["outer"])
    taken = ", ".join(name for name in names.split(", ") if name != "requestOptions")
    return f'...[{taken}]: Required<Parameters<import("./{module}").{owner}["{match["name"]}"]>>'


def _queried(text: str) -> str | None:
    """The client writes numbers and dates as texts, which tells less than their types."""
    whole = _QUERY_OBJECT.search(text)
    found = whole[1] if whole is not None else _query(text)
    return None if found is None else re.sub(r"\.to(?:ISO)?String\(\)", "", found)


def _sent(text: str) -> str | None:
    """A body stands in the request, in front of what is done with its answer; a form of files is untyped."""
    found = _body(text.partition("timeoutMs:")[0])
    return "null as unknown" if found is not None and "_maybeEncodedRequest" in found else found


def fern_calls(host: str) -> ConfiguredCalls:
    """Return what reads a client's modules; `host` is a regular expression for what stands before the paths."""
    return ConfiguredCalls(
        _BEGINNING,
        _parameters,
        query=_queried,
        body=_sent,
        statements=lambda text: " ".join(_DESTRUCTURED.findall(text)),
        url=host + r", (?P<quote>[`\"])(?P<path>[^\n]*?)(?P=quote)\),\s*method: ",
    )
