"""Maps the parameters of an operation: path, query and headers."""

import json
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl

from service_server.openapi_import.document import BrokenDocument, Document, LeftOut, Part
from service_server.openapi_import.draft import Draft, argument_name
from service_server.openapi_import.flatten import Flat
from service_server.openapi_import.operations import DEPRECATED, IN_BRACES, Operation, unneeded_parameter
from service_server.openapi_import.schemas import fitting, is_short
from service_server.openapi_import.texts import description_of

_LOCATIONS = ("path", "query", "header", "cookie")
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})  # OpenAPI says that they are none
_SET_BY_THE_SERVICE = re.compile("host|content-length|transfer-encoding|connection|cookie|accept-encoding|te|upgrade")
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+\Z")
_JOINS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
_CREDENTIALS = re.compile("((access|auth|oauth)_)?token|api_?key|x-api-key|x-auth-token|api-key")


def credential_parameters(document: Document, operations: Sequence[Operation]) -> frozenset[tuple[str, str]]:
    """
    Return the parameters that carry the account's credential, as pairs of where they go and their names.

    Those are the keys that the document describes as ways to sign in. Where it describes any, one with a usual name is
    another if it is optional, or stands at most operations: a token that a few need is what these are about.
    """
    schemes = [scheme.object for _, scheme in document.root.at("components").at("securitySchemes").members]
    described = {(str(each["in"]), str(each["name"])) for each in schemes if "in" in each and "name" in each}
    found = [each for operation in operations if schemes for each in _parameters(operation, document).items()]
    named = [each for each in found if each[0][0] in ("query", "header") and _CREDENTIALS.fullmatch(each[0][1].lower())]
    needed = Counter(key for key, parameter in named if parameter.value.get("required") is True)
    optional = {key for key, parameter in named if parameter.value.get("required") is not True}
    common = {each for each, count in needed.items() if 2 * count > len(operations)}
    return frozenset(described | common | (optional - set(needed)))


def map_parameters(draft: Draft, prefix: str, credentials: Container[tuple[str, str]]) -> None:
    """Make arguments of parameters but for `credentials`; `prefix` stands before the path. May raise `LeftOut`."""
    parameters = _parameters(draft.operation, draft.flattener.document)
    _map_path(draft, prefix, {name: each for (place, name), each in parameters.items() if place == "path"})
    for (location, name), parameter in parameters.items():
        if location not in _LOCATIONS:
            raise BrokenDocument((*parameter.place, "in"), f"must be one of {', '.join(_LOCATIONS)}")
        if location == "path":
            continue
        if (location, name) in credentials and location != "cookie":
            draft.flattener.note(name, "is a credential, which the service adds by itself; left out")
            continue
        required = parameter.value.get("required") is True
        rule = unneeded_parameter(location, name, parameter.value.get("deprecated") is True)
        if not required and draft.flattener.spares(name, rule):
            continue
        if why := _why_unsent(location, name):
            draft.flattener.note(name or "a query parameter", why if required else f"{why}; left out", required)
            continue
        flat = _flat(draft, parameter, name)
        if flat.is_deprecated and not required and draft.flattener.spares(name, DEPRECATED):
            continue
        if location == "query":
            _map_query(draft, name, flat, required, parameter.value)
        else:
            _map_header(draft, name, flat, required)


def _why_unsent(location: str, name: str) -> str | None:
    if location == "header":
        is_sent = not _SET_BY_THE_SERVICE.fullmatch(name.lower()) and _HEADER_NAME.match(name)
        return None if is_sent else "is a header that a connector can't send"
    if location == "query":
        return "has a name that can't be sent" if name in ("", "...") else None
    return "is a cookie, and connectors send none"


def _parameters(operation: Operation, document: Document) -> dict[tuple[str, str], Part]:
    found: dict[tuple[str, str], Part] = {}
    for item in (operation.path_item, operation.part):
        for part in item.at("parameters").items:
            parameter = document.followed(part)
            if not isinstance(parameter.object.get("name"), str) or not isinstance(parameter.value.get("in"), str):
                raise BrokenDocument(parameter.place, "a parameter needs a 'name' and an 'in'")
            found[parameter.value["in"], parameter.value["name"]] = parameter
    return found


def _map_path(draft: Draft, prefix: str, declared: Mapping[str, Part]) -> None:
    path, _, query = draft.operation.path.partition("?")
    draft.query |= {name: value for name, value in parse_qsl(query, keep_blank_values=True) if "{" not in value}
    expressions: dict[str, str] = {}
    for name in dict.fromkeys(IN_BRACES.findall(path)):
        flat = Flat({"type": "string"})
        if name not in declared:
            draft.flattener.note(name or "{}", "stands in the path but isn't declared; text is taken")
        elif (style := declared[name].at("style").value) not in (None, "simple"):
            raise LeftOut(f"its path writes {name} in the style {style}")
        else:
            flat = _without_structure(draft, _flat(draft, declared[name], name), name, "in the path")
        is_constant = flat.constant is not None and re.fullmatch(r"[A-Za-z0-9._~-]+", str(flat.constant))
        expressions[name] = str(flat.constant) if is_constant else draft.add("path", name, flat, required=True)
    path = IN_BRACES.sub(lambda match: expressions[match[1]], prefix + path)
    if "{" in re.sub(r"\$\{args\.\w+\}", "", path):
        raise LeftOut("its path has braces that name nothing")
    if {".", ".."} & set(path.split("/")):
        raise LeftOut("its path has '.' or '..' in it")
    draft.path = path


def _map_query(draft: Draft, name: str, flat: Flat, required: bool, parameter: Mapping[str, Any]) -> None:
    if _CREDENTIALS.fullmatch(name.lower()):
        flat.schema["x-sensitive"] = True
    if required and flat.constant is not None:
        draft.query[name] = flat.constant
        return
    style = parameter.get("style", "form")
    explode = parameter.get("explode", style == "form")
    kind, how = flat.schema["type"], {}
    if kind == "object" and style == "form" and explode and "properties" in flat.schema:
        _map_members(draft, flat.schema, name, required)
        return
    if kind == "object" and style != "deepObject" and not (style == "form" and explode):
        flat = _as_text(draft, flat, name, "is an object that a query can't hold in a known form")
    elif kind == "array":
        if flat.schema["items"]["type"] in ("array", "object") or style not in (*_JOINS, "deepObject"):
            flat = _as_text(draft, flat, name, "is a list that a query can't hold in a known form")
        elif style == "deepObject":
            how = {"lists": "indexes"}
        elif explode is False:
            how = {"join": _JOINS[style]}
        elif name.endswith("[]"):
            how = {"lists": "brackets"}
    value = draft.add("query", name, flat, required)
    sent = name.removesuffix("[]") if how == {"lists": "brackets"} else name
    draft.query[sent] = {"value": value, **how} if how else value


def _map_members(draft: Draft, schema: Mapping[str, Any], name: str, required: bool) -> None:
    """Make a parameter of each member of an object, whose own name isn't sent."""
    needed = schema.get("required", ()) if required else ()
    for key, member in schema["properties"].items():
        if member["type"] in ("array", "object"):
            draft.flattener.note(f"{name}.{key}", "lies too deep for a query", is_needed=key in needed)
        else:
            draft.query[key] = draft.add("query", key, Flat(member), key in needed)


def _map_header(draft: Draft, name: str, flat: Flat, required: bool) -> None:
    is_constant = required and flat.constant is not None
    if name.lower() in _NOT_PARAMETERS:
        draft.headers |= {"Accept": str(flat.constant)} if is_constant and name.lower() == "accept" else {}
    elif is_constant:
        draft.headers[name] = str(flat.constant)
    elif "version" in name.lower() and "${" not in str(flat.schema.get("default", "${")):
        draft.headers[name] = str(flat.schema["default"])  # which version of the API is spoken is no argument
    else:
        flat = _without_structure(draft, flat, name, "in a header")
        draft.headers[name] = draft.add("header", name, flat, required)


def _flat(draft: Draft, parameter: Part, name: str) -> Flat:
    told = description_of(parameter.at("description").words, 280)
    if "content" in parameter.value:
        draft.flattener.note(name, f"is JSON inside the {parameter.value['in']}; its text is taken")
        media = [media for _, media in parameter.at("content").members[:1]]
        given = chain.from_iterable(map(draft.flattener.document.examples, media))
        samples = [json.dumps(each, ensure_ascii=False) for each in given]
        shown = next(filter(is_short, samples), "{}")
        described = f"{told} Written as JSON.".strip()
        return Flat({"type": "string", "description": described, "x-placeholder": shown}, samples)
    flat = draft.flattener.flatten(parameter.at("schema"), argument_name(name), as_text=True)
    if told:
        flat.schema["description"] = told
    flat.samples = fitting(flat.schema, draft.flattener.document.examples(parameter)) + flat.samples
    return flat


def _without_structure(draft: Draft, flat: Flat, name: str, where: str) -> Flat:
    if flat.schema["type"] not in ("array", "object"):
        return flat
    return _as_text(draft, flat, name, f"is a list or an object {where}")


def _as_text(draft: Draft, flat: Flat, name: str, what: str) -> Flat:
    draft.flattener.note(name, f"{what}; text is taken")
    return Flat({"type": "string", **{key: flat.schema[key] for key in ("description",) if key in flat.schema}})
