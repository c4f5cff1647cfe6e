"""Maps the parameters of an operation: path, query and headers."""

import json
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.draft import Draft, Origin, argument_name
from service_server.openapi_import.fields import fitting, is_short
from service_server.openapi_import.flatten import UNKNOWN, Flat, without_title
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.problems import BrokenDocument, LeftOut
from service_server.openapi_import.texts import description_of
from service_server.openapi_import.unneeded import unneeded_parameter

_LOCATIONS = ("path", "query", "header", "cookie")
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})  # OpenAPI says that they are none
_SET_BY_THE_SERVICE = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "cookie", "accept-encoding", "te", "upgrade"}
)
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+\Z")
_JOINS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}


_CREDENTIALS = frozenset(
    {"token", "access_token", "api_key", "apikey", "auth_token", "oauth_token", "x-api-key", "x-auth-token", "api-key"}
)


def credential_parameters(document: Document, operations: Sequence[Operation]) -> frozenset[tuple[str, str]]:
    """
    Return the parameters that carry the account's credential, as pairs of where they go and their names.

    Those are the keys that the document describes as ways to sign in. Where it describes any, one with a usual name is
    another if it is optional, or stands at most operations: a token that a few need is what these are about.
    """
    schemes = [scheme.object for _, scheme in document.root.at("components").at("securitySchemes").members]
    described = {(str(each["in"]), str(each["name"])) for each in schemes if "in" in each and "name" in each}
    needed: Counter[tuple[str, str]] = Counter()
    optional: set[tuple[str, str]] = set()
    for operation in operations if schemes else ():
        for (location, name), parameter in _parameters(operation, document).items():
            if location in ("query", "header") and name.lower() in _CREDENTIALS:
                if parameter.value.get("required") is True:
                    needed[location, name] += 1
                else:
                    optional.add((location, name))
    usual = {each for each, count in needed.items() if 2 * count > len(operations)}
    return frozenset(described | usual | (optional - set(needed)))


def map_parameters(draft: Draft, document: Document, prefix: str, credentials: Container[tuple[str, str]]) -> None:
    """
    Make arguments of an operation's parameters but for `credentials`; `prefix` stands before its path.

    Raises:
        LeftOut: the path can't be filled in.
        BrokenDocument: a parameter is not as OpenAPI has it.
    """
    parameters = list(_parameters(draft.operation, document).values())
    declared = {each.at("name").text: each for each in parameters if each.at("in").text == "path"}
    _map_path(draft, document, prefix, declared)
    for parameter in parameters:
        location, name = parameter.at("in").text, parameter.at("name").text
        if location not in _LOCATIONS:
            raise BrokenDocument((*parameter.place, "in"), f"must be one of {', '.join(_LOCATIONS)}")
        if (location, name) in credentials and location != "cookie":
            draft.flattener.note(name, "is a credential, which the service adds by itself; left out")
            continue
        if location == "cookie":
            _leave_out(draft, parameter, name, "is a cookie, and connectors send none")
        if location == "query":
            _map_query(draft, document, parameter, name)
        if location == "header":
            _map_header(draft, document, parameter, name)


def _leave_out(draft: Draft, parameter: Part, name: str, why: str) -> None:
    """Leave out what can't be sent; what a call needs is missed, and told apart."""
    if parameter.value.get("required") is True:
        draft.flattener.lose(name, why)
    else:
        draft.flattener.note(name, f"{why}; left out")


def _is_spared(draft: Draft, parameter: Part, name: str, is_deprecated: bool = False) -> bool:
    """Whether a parameter is optional and nobody needs it in a form."""
    if parameter.value.get("required") is True:
        return False
    is_deprecated = is_deprecated or parameter.value.get("deprecated") is True
    return draft.flattener.spares(name, unneeded_parameter(parameter.at("in").text, name, is_deprecated))


def _parameters(operation: Operation, document: Document) -> dict[tuple[str, str], Part]:
    found: dict[tuple[str, str], Part] = {}
    for item in (operation.path_item, operation.part):
        for part in item.at("parameters").items:
            parameter = document.followed(part)
            if not isinstance(parameter.object.get("name"), str) or not isinstance(parameter.value.get("in"), str):
                raise BrokenDocument(parameter.place, "a parameter needs a 'name' and an 'in'")
            found[parameter.value["in"], parameter.value["name"]] = parameter
    return found


def _map_path(draft: Draft, document: Document, prefix: str, declared: Mapping[str, Part]) -> None:
    path, _, query = draft.operation.path.partition("?")
    for name, value in parse_qsl(query, keep_blank_values=True):
        if "{" not in value:
            draft.query[name] = value
    expressions: dict[str, str] = {}
    for name in re.findall(r"\{([^{}]*)\}", path):
        if name in expressions:
            continue
        parameter = declared.get(name)
        flat = Flat({"type": "string"})
        if parameter is None:
            draft.flattener.note(name or "{}", "stands in the path but isn't declared; text is taken")
        else:
            if parameter.at("style").value not in (None, "simple"):
                raise LeftOut(f"its path writes {name} in the style {parameter.value['style']}")
            flat = _flat(draft, document, parameter, name)
        if flat.schema["type"] in ("array", "object"):
            flat = _as_text(draft, flat, name, "is a list or an object in the path")
        if flat.constant is not UNKNOWN and re.fullmatch(r"[A-Za-z0-9._~-]+", str(flat.constant)):
            expressions[name] = str(flat.constant)
        else:
            expressions[name] = draft.add(Origin("path", name), flat, required=True)
    path = re.sub(r"\{([^{}]*)\}", lambda match: expressions[match[1]], prefix + path)
    if "{" in re.sub(r"\$\{args\.\w+\}", "", path):
        raise LeftOut("its path has braces that name nothing")
    if any(part in (".", "..") for part in path.split("/")):
        raise LeftOut("its path has '.' or '..' in it")
    draft.path = path


def _map_query(draft: Draft, document: Document, parameter: Part, name: str) -> None:
    required = parameter.value.get("required") is True
    if _is_spared(draft, parameter, name):
        return
    if name in ("", "..."):
        _leave_out(draft, parameter, name or "a query parameter", "has a name that can't be sent")
        return
    if "content" in parameter.value:
        _map_json_text(draft, document, parameter, name, required)
        return
    flat = _flat(draft, document, parameter, name)
    if flat.is_deprecated and _is_spared(draft, parameter, name, is_deprecated=True):
        return
    if name.lower() in _CREDENTIALS:
        flat.schema["x-sensitive"] = True
    if required and _is_constant(flat):
        draft.query[name] = flat.constant
        return
    style = parameter.value.get("style", "form")
    explode = parameter.value.get("explode", style == "form")
    kind = flat.schema["type"]
    if kind == "object":
        _map_object(draft, flat, name, required, style, explode)
    elif kind == "array":
        _map_list(draft, flat, name, required, style, explode)
    else:
        draft.query[name] = draft.add(Origin("query", name), flat, required)


def _map_list(draft: Draft, flat: Flat, name: str, required: bool, style: Any, explode: Any) -> None:
    if flat.schema["items"]["type"] in ("array", "object") or (style not in _JOINS and style != "deepObject"):
        flat = _as_text(draft, flat, name, "is a list that a query can't hold in a known form")
        draft.query[name] = draft.add(Origin("query", name), flat, required)
        return
    expression = draft.add(Origin("query", name), flat, required)
    if style == "deepObject":
        draft.query[name] = {"value": expression, "lists": "indexes"}
    elif explode is False:
        draft.query[name] = {"value": expression, "join": _JOINS[style]}
    elif name.endswith("[]"):
        draft.query[name[:-2]] = {"value": expression, "lists": "brackets"}
    else:
        draft.query[name] = expression


def _map_object(draft: Draft, flat: Flat, name: str, required: bool, style: Any, explode: Any) -> None:
    members = flat.schema.get("properties", {})
    if style == "form" and explode and members:
        # Each member is a parameter of its own; the object's name isn't sent.
        needed = flat.schema.get("required", ()) if required else ()
        for key, schema in members.items():
            member = Flat(schema)
            if schema["type"] in ("array", "object"):
                lose = draft.flattener.lose if key in needed else draft.flattener.note
                lose(f"{name}.{key}", "lies too deep for a query")
                continue
            draft.query[key] = draft.add(Origin("query", key), member, key in needed)
    elif style == "deepObject" or (style == "form" and explode):
        draft.query[name] = draft.add(Origin("query", name), flat, required)
    else:
        flat = _as_text(draft, flat, name, "is an object that a query can't hold in a known form")
        draft.query[name] = draft.add(Origin("query", name), flat, required)


def _map_json_text(draft: Draft, document: Document, parameter: Part, name: str, required: bool) -> None:
    told = description_of(parameter.at("description").words, 200)
    draft.flattener.note(name, "is JSON inside the query; its text is taken")
    schema = {"type": "string", "description": f"{told} Written as JSON.".strip()}
    given = [each for _, media in parameter.at("content").members[:1] for each in document.examples(media)]
    samples = [json.dumps(each, ensure_ascii=False) for each in given]
    schema["x-placeholder"] = next(filter(is_short, samples), "{}")
    draft.query[name] = draft.add(Origin("query", name), Flat(schema, samples), required)


def _map_header(draft: Draft, document: Document, parameter: Part, name: str) -> None:
    required = parameter.value.get("required") is True
    if name.lower() in _NOT_PARAMETERS:
        flat = _flat(draft, document, parameter, name)
        if name.lower() == "accept" and required and isinstance(flat.constant, str) and _is_constant(flat):
            draft.headers["Accept"] = flat.constant
        return
    if _is_spared(draft, parameter, name):
        return
    if name.lower() in _SET_BY_THE_SERVICE or not _HEADER_NAME.match(name):
        _leave_out(draft, parameter, name, "is a header that a connector can't send")
        return
    flat = _flat(draft, document, parameter, name)
    if flat.schema["type"] in ("array", "object"):
        flat = _as_text(draft, flat, name, "is a list or an object in a header")
    if required and _is_constant(flat):
        draft.headers[name] = str(flat.constant)
    elif "version" in name.lower() and "${" not in str(flat.schema.get("default", "${")):
        draft.headers[name] = str(flat.schema["default"])  # which version of the API is spoken is no argument
    else:
        draft.headers[name] = draft.add(Origin("header", name), flat, required)


def _flat(draft: Draft, document: Document, parameter: Part, name: str) -> Flat:
    schema = parameter.at("schema")
    if "content" in parameter.value:
        first = next(iter(parameter.at("content").members), None)
        schema = parameter.at("schema") if first is None else first[1].at("schema")
    flat = without_title(draft.flattener.flatten(schema, argument_name(name), as_text=True))
    if told := description_of(parameter.at("description").words, 280):
        flat.schema["description"] = told
    flat.samples = fitting(flat.schema, document.examples(parameter)) + flat.samples
    return flat


def _as_text(draft: Draft, flat: Flat, name: str, what: str) -> Flat:
    draft.flattener.note(name, f"{what}; text is taken")
    kept = {key: flat.schema[key] for key in ("description",) if key in flat.schema}
    return Flat({"type": "string", **kept})


def _is_constant(flat: Flat) -> bool:
    return isinstance(flat.constant, str | bool | int | float) and "${" not in str(flat.constant)
