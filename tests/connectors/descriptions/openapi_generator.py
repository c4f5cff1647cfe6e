"""Clients that OpenAPI Generator makes of a vendor's document, in three of its ways of writing TypeScript."""

import re
from collections.abc import Mapping
from functools import partial

from tests.connectors.descriptions.configured_calls import ConfiguredCalls, Written, assigned, behind, of_class, value

HEAD = """
    declare const models_1: { ObjectSerializer: { serialize<T>(value: T, ...type: unknown[]): T } };
    declare const ObjectSerializer_1: typeof models_1;
    declare const common_1: { serializeDataIfNeeded<T>(value: T, ...settings: unknown[]): T };
    declare const base_1: { COLLECTION_FORMATS: Record<"csv" | "ssv" | "tsv" | "pipes", string> };
    declare const localVarRequestOptions: unknown, configuration: unknown, form: unknown;
    declare const localVarFormParams: any;
"""

_METHOD = (
    r"^    (?P<name>\w+)\((?P<outer>[^\n]*)\) \{\n(?:        var _a;\n)?"
    r"        return __awaiter\(this, (?:void 0|arguments), void 0, function\* \((?P<inner>.*)\) \{$"
)
_PATH = r"localVarPath = (?:this\.basePath \+ )?(?P<quote>['`])(?P<path>[^'`]+)(?P=quote)"
_APPENDED = re.compile(
    r"(?P<serialized>ObjectSerializer_1\.ObjectSerializer\.serialize\([^;]*?\));\s*"
    r"for \([^\n]*\s*requestContext\.appendQueryParam\(\"(?P<name>[^\"]+)\""
)
_NAMES = re.compile(r'"?name"?: ["\'](\w+)["\'],\s*"?baseName"?: ["\']([^"\']+)["\']')
_PROPERTY = re.compile(r"^(    )'(\w+)'(?=\??: )", re.MULTILINE)
_ENUM = re.compile(r"\benum (?P<name>\w+) \{[^}]*\}")
_MEMBER = re.compile(r"^(?P<margin>\s+)(?P<name>\w+)(?: = \"(?P<value>[^\"\n]*)\")?(?=,?$)", re.MULTILINE)
_VALUES = re.compile(r"(\w+)\[\1\[\"(\w+)\"\] = (?:(?P<quote>['\"])(.*?)(?P=quote)|\d+)\] = ")


def _with_options(read: Written) -> Written:
    """What may be left out of a request may stand in options, which may be left out themselves."""

    def reader(text: str) -> str | None:
        found = read(text)
        return None if found is None else re.sub(r"\boptions\.", "options!.", found)

    return reader


def _without_dates(read: Written) -> Written:
    """A text that may be a date too is no date as it is declared."""

    def reader(text: str) -> str | None:
        found = read(text)
        return None if found is None else re.sub(r"\((\w+) instanceof Date\) \?[^:]*:\s*", "", found)

    return reader


def _set_or_appended(text: str) -> str | None:
    """Read `setQueryParam("a", a)`, and the loops that send lists."""
    single = re.finditer(r"requestContext\.setQueryParam\(\"([^\"]+)\", ([^;]*)\);", text)
    pairs = [(match[1], match[2]) for match in single]
    pairs += [(match["name"], match["serialized"]) for match in _APPENDED.finditer(text)]
    return "{ " + ", ".join(f'"{name}": {written}' for name, written in pairs) + " }" if pairs else None


NODE_CALLS = ConfiguredCalls(
    _METHOD,
    of_class(),
    query=_with_options(assigned(r"localVarQueryParameters\['([^']+)'\] = ")),
    body=_with_options(value("data")),
    url=_PATH,
)
AXIOS_CALLS = ConfiguredCalls(
    r"^        (?P<name>\w+): \((?P<outer>[^\n]*)\) => __awaiter\(this, void 0, void 0, function\* \(\) \{$",
    of_class(r"^const (\w+) = function", outer="ReturnType<typeof ", within=">"),
    query=_without_dates(assigned(r"localVarQueryParameter\['([^']+)'\] = ")),
    body=behind(r"localVarRequestOptions\.data = "),
    url=_PATH,
)
FETCH_CALLS = ConfiguredCalls(
    _METHOD,
    of_class(),
    query=_set_or_appended,
    body=behind(r"serializedBody = ObjectSerializer_1\.ObjectSerializer\.stringify\("),
    url=_PATH,
    method=r"HttpMethod\.(\w+)",
)


def as_sent(texts: Mapping[str, str]) -> dict[str, str]:
    """Give the types of models the names, and their enumerations the values, that their sources say are sent."""
    result = dict(texts)
    for file, source in texts.items():
        declared = f"{file.removesuffix('.js')}.d.ts"
        if file.endswith(".js") and declared in texts:
            named = _PROPERTY.sub(partial(_renamed, dict(_NAMES.findall(source))), texts[declared])
            values = {(owner, name): sent if quote else name for owner, name, quote, sent in _VALUES.findall(source)}
            result[declared] = _ENUM.sub(partial(_valued, values), named)
    return result


def _renamed(names: Mapping[str, str], match: re.Match[str]) -> str:
    return f"{match[1]}'{names.get(match[2], match[2])}'"


def _valued(values: Mapping[tuple[str, str], str], match: re.Match[str]) -> str:
    """Write the values of an enumeration's members; one without a value is sent as it is called."""

    def member(each: re.Match[str]) -> str:
        value = values.get((match["name"], each["name"]), each["value"] or each["name"])
        return f'{each["margin"]}{each["name"]} = "{value}"'

    return _MEMBER.sub(member, match[0])
