"""Maps the body of an operation: JSON, a form, multipart or raw content."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.openapi_import.document import LeftOut, Part
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.flatten import Flat
from service_server.openapi_import.read import FORM, MULTIPART
from service_server.openapi_import.schemas import Schema, fitting
from service_server.openapi_import.texts import description_of, words_of

_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+\Z")
_BYTES = "application/octet-stream"
_ANY = ("*/*", "application/*")
_JSON = re.compile(r"application/(json|[a-z0-9.-]+\+json)\Z|application/json\b")


def map_body(draft: Draft) -> None:
    """Make arguments of an operation's request body; raises `LeftOut` where there can be none, and has to be one."""
    body = draft.flattener.document.followed(draft.operation.part.at("requestBody"))
    media_types = [(_media_type(draft, name, part), part) for name, part in body.at("content").members]
    if not media_types:
        return
    required = body.value.get("required") is True
    if draft.operation.method in ("get", "head"):
        if required:
            raise LeftOut(f"it needs a body, and a {draft.operation.method.upper()} request has none")
        draft.flattener.note("the body", "a GET request has none; left out")
        return
    media_type, media = min(media_types, key=lambda each: _rank(each[0]))
    others = [name for name, _ in media_types if name != media_type]
    if others:
        draft.flattener.note("the body", f"is sent as {media_type}; the app takes {', '.join(others)} too")
    if _JSON.match(media_type):
        _map_json(draft, media, media_type, required)
    elif media_type == FORM:
        _map_form(draft, media)
    elif media_type == MULTIPART:
        _map_multipart(draft, media)
    else:
        _map_raw(draft, body, media, media_type if _MEDIA_TYPE.match(media_type) else _BYTES, required)


def _media_type(draft: Draft, name: str, media: Part) -> str:
    """Return a media type without its parameters; one that stands for all is JSON where the body has a structure."""
    media_type = name.partition(";")[0].strip().lower()
    if media_type not in _ANY:
        return media_type
    shape = draft.flattener.reader.read([media.at("schema")])
    is_structure = shape.properties or shape.items or shape.is_open or shape.alternatives
    return "application/json" if is_structure or {"object", "array"} & (shape.types or set()) else media_type


def _rank(media_type: str) -> int:
    """Return which media type is taken of several: the lowest. A patch as steps is what the fewest people can write."""
    ranks = {"application/json": 0, FORM: 2, MULTIPART: 3, "application/json-patch+json": 4}
    usual = 1 if _JSON.match(media_type) else 5 if media_type.startswith("text/") else 6
    return ranks.get(media_type, usual)


def _map_json(draft: Draft, media: Part, media_type: str, required: bool) -> None:
    flat = draft.flattener.flatten(media.at("schema"), "")
    if "properties" not in flat.schema:
        shape = draft.flattener.reader.read([media.at("schema")])
        is_closed = shape.keywords.get("additionalProperties") is False or shape.keywords.get("maxProperties") == 0
        if not required and is_closed and not shape.properties and not shape.alternatives:
            return
        draft.body = _whole(draft, media, flat, required)
    elif wrapper := _wrapper(flat, required):
        inside = [each[wrapper] for each in _samples(draft, media) if isinstance(each.get(wrapper), Mapping)]
        draft.body = {wrapper: _map_members(draft, flat.schema["properties"][wrapper], inside, wrapper)}
    else:
        draft.body = _map_members(draft, flat.schema, _samples(draft, media))
    draft.body_kind = "body"
    if media_type != "application/json" and _MEDIA_TYPE.match(media_type):
        draft.headers["content-type"] = media_type


def _whole(draft: Draft, media: Part, flat: Flat, required: bool) -> str:
    nouns = words_of(draft.operation.nouns[-1]) if draft.operation.nouns else []
    of_list = "_".join(nouns) if nouns and nouns[-1].endswith("s") else "items"
    name = of_list if flat.schema["type"] == "array" else "body"
    told = draft.operation.part.at("requestBody").at("description").words
    flat.schema.setdefault("description", description_of(told, 200) or "What to send.")
    flat.samples = fitting(flat.schema, draft.flattener.document.examples(media)) + flat.samples
    return draft.add("body", name, flat, required)


def _map_members(draft: Draft, schema: Schema, samples: list[Any], inside: str = "") -> dict[str, Any]:
    """Make an argument of each member of an object, which may be inside another; return the template of the object."""
    template: dict[str, Any] = {}
    for name, member in schema["properties"].items():
        told = name
        if inside and name == "id":  # of what is said by the object around it
            told = f"{inside}_id"
            plain = (("title", "ID"), ("description", "ID."))
            member = {key: each for key, each in member.items() if (key, each) not in plain}
        given = [each.get(name) for each in samples]
        template[name] = _member(draft, told, member, name in schema.get("required", ()), given)
    return template


def _member(draft: Draft, name: str, schema: Schema, needed: bool, given: Sequence[Any] = ()) -> Any:
    """Return what stands for a member: its only value where it is needed, else an argument."""
    own = [schema[key] for key in ("x-placeholder", "default") if key in schema]
    flat = Flat(schema, [*fitting(schema, given), *own, *schema.get("enum", ())[:1]])
    return flat.constant if needed and flat.constant is not None else draft.add("body", name, flat, needed)


def _wrapper(flat: Flat, required: bool) -> str | None:
    """Return the one member that holds all others, as in `{"issue": {…}}`, None where there is no such."""
    (name, inner), *others = flat.schema["properties"].items()
    has_members = inner["type"] == "object" and inner.get("properties") and not inner.get("additionalProperties")
    is_there = required or name in flat.schema.get("required", ())
    return name if not others and has_members and is_there else None


def _map_form(draft: Draft, media: Part) -> None:
    flat = draft.flattener.flatten(media.at("schema"), "", titled=True)
    draft.body_kind = "form"
    if flat.schema["type"] != "object":
        raise LeftOut("its body is a form that isn't an object")
    if "properties" not in flat.schema:
        draft.body = {"...": draft.add("body", "fields", flat, required=False)}
        return
    draft.body = _map_members(draft, flat.schema, _samples(draft, media))
    styles = {part.at("style").value for _, part in media.at("encoding").members}
    if any(name.endswith("[]") for name in draft.body):
        draft.body = {name.removesuffix("[]"): each for name, each in draft.body.items()}
        draft.form_lists = "brackets"
    elif "deepObject" in styles or any(_holds_objects(each.schema) for each in draft.arguments.values()):
        draft.form_lists = "indexes"


def _holds_objects(schema: Schema) -> bool:
    return schema["type"] == "array" and schema["items"]["type"] in ("array", "object")


def _map_multipart(draft: Draft, media: Part) -> None:
    flat = draft.flattener.flatten(media.at("schema"), "")
    if "properties" not in flat.schema:
        raise LeftOut("the document doesn't say what parts its multipart body has")
    shapes = draft.flattener.reader.read([media.at("schema")]).properties
    draft.body_kind, draft.body = "multipart", {}
    for name, member in flat.schema["properties"].items():
        required = name in flat.schema.get("required", ())
        if _is_file(draft, shapes.get(name, [])):
            draft.body[name] = _file(draft, media, name, member, required)
            continue
        if member["type"] == "object" or _holds_objects(member):
            draft.flattener.note(name, "is an object in a multipart body; its text is taken")
            member = {"type": "string", "description": f"{member['description']} Written as JSON."}
        draft.body[name] = _member(draft, name, member, required)


def _is_file(draft: Draft, parts: list[Part]) -> bool:
    shape = draft.flattener.reader.read(parts)
    if len(shape.items) == 1:
        shape = draft.flattener.reader.read(shape.items)
    is_binary = shape.keywords.get("format") == "binary" or "contentMediaType" in shape.keywords
    return is_binary and len(parts) == 1


def _file(draft: Draft, media: Part, name: str, member: Schema, required: bool) -> dict[str, str]:
    if member["type"] == "array":
        draft.flattener.note(name, "is a list of files; one is sent")
    told = member["description"].rstrip(".")
    content = Flat({"type": "string", "title": member["title"], "description": f"{told}: the content in base64."})
    declared = media.at("encoding").at(name).at("contentType").words.partition(",")[0].strip().lower()
    file_name = Flat({"type": "string", "description": "What the file is called."})
    return {
        "file": draft.add("body", name, content, required),
        "name": draft.add("body", f"{name}_name", file_name, required=False),
        "type": declared if _MEDIA_TYPE.match(declared) else _BYTES,
        "encoding": "base64",
    }


def _map_raw(draft: Draft, body: Part, media: Part, media_type: str, required: bool) -> None:
    is_text = media_type.startswith("text/") or media_type.endswith(("xml", "yaml", "csv", "graphql", "javascript"))
    told = description_of(body.at("description").words, 200) or "The content to send."
    samples = [each for each in draft.flattener.document.examples(media) if is_text and isinstance(each, str)]
    how = {"x-multiline": True} if is_text else {"description": f"{told.rstrip('.')}, in base64."}
    schema = {"type": "string", "title": "Content", "description": told, **how}
    draft.body_kind = "raw"
    content = draft.add("body", "content", Flat(schema, samples), required)
    draft.body = {"content": content, "type": media_type} | ({} if is_text else {"encoding": "base64"})


def _samples(draft: Draft, media: Part) -> list[Mapping[str, Any]]:
    schema = draft.flattener.document.followed(media.at("schema")).value
    values = [*draft.flattener.document.examples(media), schema.get("example") if isinstance(schema, Mapping) else None]
    return [each for each in values if isinstance(each, Mapping)]
