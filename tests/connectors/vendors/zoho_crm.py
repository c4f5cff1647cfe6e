"""Zoho CRM's API by the vendor's own client, with the fields that its modules begin with."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm

_ROOT = "core/com/zoho/crm/api"
_CLASSES = "dist/config/json_details.json"
_FIELDS = f"dist/{_ROOT}/record/field"
_OPERATIONS = ("convert_lead", "fields", "modules", "notes", "record", "users")
_TYPES = {
    "Boolean": "boolean",
    "Date": "string",
    "DateTime": "string",
    "Double": "number",
    "Integer": "number",
    "Long": "string",
    "String": "string",
    "TimeZone": "string",
}
_METHOD = re.compile(r"^    async (?P<name>\w+)\([^)]*\) \{$(?P<inside>.*?)^    \}$", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"apiPath\.concat\((?:\"([^\"]*)\"|[\w.]+\(\))\)")
_MEMBER = re.compile(
    r"^(?:Field\.|    static )(\w+)(?: = |: \{)|^ +(?:_\w+\.)?([A-Z_0-9]+)(?: = .*\"(.*)\"|: (.*);)", re.MULTILINE
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read calls, which put their paths together; of records those of each module have bodies of their own."""
    classes = json.loads(sources[_CLASSES])
    modules = _members(sources[f"{_FIELDS}.js"])
    for group in _OPERATIONS:
        file = f"dist/{_ROOT}/{group}/{group}_operations"
        for match in _METHOD.finditer(sources[f"{file}.js"]):
            (method,) = re.findall(r"setHttpMethod\(.*REQUEST_METHOD_(\w+)\)", match["inside"])
            path = "".join(text or "{}" for text in _PART.findall(match["inside"]))
            taken = f"{_ROOT}/{group}/{_snake(match['name'])}_param"
            query = f'Types["{taken}"]' if taken in classes else None
            request = re.search(rf"\b{match['name']}\(.*request: (\w+)", sources[f"{file}.d.ts"])
            body = None if request is None else f'Types["{_ROOT}/{group}/{_snake(request[1])}"]'
            yield Call(method, path, query, body)
            if group == "record" and body is not None and path.startswith("/crm/v8/{}"):
                for module in modules:
                    own = f'{{ data: Fields["{module}"][] }} & Omit<{body}, "data">'
                    yield Call(method, path.replace("{}", module, 1), query, own)


def _declared(sources: Mapping[str, str]) -> dict[str, str]:
    """Write the client's words on its classes, and on the fields of modules, as types."""
    lines = ["export interface Types {"]
    for name, content in json.loads(sources[_CLASSES]).items():
        lines.append(f'  "{name}": {_class(content)};')
    lines += ["}", "type Field<T> = T;", "type Choice<T> = T;"]
    for name, folder, file in re.findall(
        r"import \{ (\w+) \} from \"\.\.?/(?:(\w+)/)?(\w+)\"", sources[f"{_FIELDS}.d.ts"]
    ):
        lines.append(f'type {name} = Types["{_ROOT}/{folder or "record"}/{file}"];')
    lines.append("export interface Fields {")
    types = _members(sources[f"{_FIELDS}.d.ts"])
    for module, names in _members(sources[f"{_FIELDS}.js"]).items():
        written = (f'"{sent}"?: {types[module][name]}' for name, sent in names.items())
        lines.append(f"  {module}: {{ {'; '.join(written)} }};".replace("bigint", "string"))
    return {"types.d.ts": "\n".join([*lines, "}"])}


def _members(text: str) -> dict[str, dict[str, str]]:
    """Read the members of each module's class: what they are called, or what their types are."""
    found: dict[str, dict[str, str]] = {}
    module = ""
    for match in _MEMBER.finditer(text):
        module = match[1] or module
        inner = found.setdefault(module, {})
        if match[2]:
            inner[match[2]] = match[3] or match[4]
    return found


def _class(content: Mapping[str, Any]) -> str:
    if content.get("interface"):
        return " | ".join(f'Types["{name}"]' for name in content["classes"])
    fields = [each for each in content.values() if each["name"] != "keyModified"]
    optional = ("" if each.get("required_for") == "true" else "?" for each in fields)
    written = (f'"{each["name"]}"{mark}: {_type(each)}' for each, mark in zip(fields, optional, strict=True))
    return f"{{ {'; '.join(written)} }}"


def _type(field: Mapping[str, Any]) -> str:
    kind = field["type"]
    if "module" in field:
        return f'Fields["{field["module"]}"]'
    if kind == "List":
        return f"({_type(field['sub_type'])})[]" if "sub_type" in field else "unknown[]"
    if kind == "utils/util/choice":
        return " | ".join(map(json.dumps, field.get("values", ()))) or "string"
    return f'Types["{kind}"]' if kind.startswith("core/") else _TYPES.get(kind, "unknown")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


CHECK = compiled_client(
    npm("@zohocrm/typescript-sdk-8.0@3.0.0"),
    base_url="https://www.zohoapis.com",
    sources=(
        _CLASSES,
        f"{_FIELDS}.js",
        f"{_FIELDS}.d.ts",
        *(f"dist/{_ROOT}/{name}/{name}_operations{ending}" for name in _OPERATIONS for ending in (".js", ".d.ts")),
    ),
    reader=_read,
    head='import type { Fields, Types } from "./types.js";',
    rewrite=_declared,
)
