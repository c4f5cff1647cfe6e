"""Box's API by the vendor's own client."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, behind, of_class
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.packages import npm

_TAKEN = re.compile(r"const (queryParams|requestBody) = optionals\.\1;")
_PROPERTY = re.compile(r"^(    readonly )(?!queryParams|requestBody)(\w+)(?=\??: )", re.MULTILINE)
_WHOLE_ANSWER = re.compile(r"^    readonly rawData\?: SerializedData;$", re.MULTILINE)
_AS_TEXT = re.compile(r"\(0, \w+\.(?:toString|serializeDate\w*|sdToJson)\)|\.map\(\w+\.\w+\)(?:\.join\(','\))?")
_query = behind(r"queryParamsMap = \(0, \w+\.prepareParams\)\(")
_body = behind(r"(?<=    )data: ")


def _paths(written: str) -> Iterator[str]:
    """Read `'/2.0/files/', toString(id), '/copy'`."""
    yield "".join(text if text else "{}" for text in re.findall(r"'([^']*)'|\(\w+\)", f"{written})"))


def _queried(text: str) -> str | None:
    """Read the query without what writes it as texts."""
    found = _AS_TEXT.sub("", _query(text) or "")
    return re.sub(r"queryParams\.(\w+)", lambda match: f"queryParams!.{_snake(match[1])}", found) or None


def _sent(text: str) -> str | None:
    """Read the body; forms with files have no type."""
    if "multipartData:" in text:
        return "null as unknown"
    if "requestBody" not in (_body(text) or ""):
        return None
    return "requestBodyInput" if "requestBodyInput." in text else "requestBody"


def _statements(text: str) -> str:
    return " ".join(f"const {name} = optionalsInput!.{name};" for name in _TAKEN.findall(text))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _as_sent(texts: Mapping[str, str]) -> dict[str, str]:
    """The client names in camel case what it sends in snake case, and has a class of its own for times."""
    result = {}
    for file, text in texts.items():
        named = _PROPERTY.sub(lambda match: f"{match[1]}{_snake(match[2])}", _WHOLE_ANSWER.sub("", text))
        result[file] = re.sub(r": Date(?:Time|Wrapper)\b", ": string", named)
    return result


def _host(base_url: str, host: str, sources: str, *untyped: str) -> Description:
    return compiled_client(
        npm("box-node-sdk@10.12.0"),
        base_url=base_url,
        sources=(sources,),
        reader=ConfiguredCalls(
            r"^    (?P<name>\w+)\((?P<outer>[^\n]*)\) \{\n"
            r"        return __awaiter\(this, (?:void 0|arguments), void 0, function\* \((?P<inner>.*)\) \{$",
            of_class(),
            query=_queried,
            body=_sent,
            statements=_statements,
            url=rf"baseUrls\.{host}, (?P<path>'/2\.0[^\n]*?)\),\n",
            paths=_paths,
        ),
        head="",
        types=("lib/managers/*.d.ts", "lib/schemas/*.d.ts", "lib/parameters/*.d.ts", "lib/internal/utils.d.ts"),
        rewrite=_as_sent,
        commas=True,
        untyped=untyped,
    )


CHECK = any_of(
    _host("https://api.box.com", "baseUrl", "lib/managers/*.js"),
    _host("https://upload.box.com/api", "uploadUrl", "lib/managers/uploads.js", "body"),
)
