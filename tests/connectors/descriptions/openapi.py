"""OpenAPI documents (3.0 and 3.1) as descriptions: types, enumerations, required keys, and every name that is sent."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from attrs import field, frozen
from openapi_core import Config, OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest

from tests.connectors.descriptions.compiled_judge import TextValidator
from tests.connectors.descriptions.description import Description, but_for
from tests.connectors.descriptions.packages import Members
from tests.connectors.descriptions.paths import located, template
from tests.connectors.descriptions.sent import Sent, nested, parts_of

Schema = Mapping[str, Any]

_TOLD_ELSEWHERE = ("Accept", "Content-Type", "Authorization")
_LONGEST = 300  # characters of one fault


def _each(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Read documents as they are."""
    yield from (json.loads(text) for text in texts.values())


def openapi_documents(
    document: Members,
    base_url: str | None = None,
    reader: Callable[[Mapping[str, str]], Iterable[dict[str, Any]]] = _each,
    inject: Mapping[str, str] = {},
    left_out: str = "",
) -> Description:
    """
    Describe an API by OpenAPI documents in JSON, of which the first that has a request's path judges it.

    `base_url` replaces the addresses that the documents name, where those are missing or not the ones in use; `*`
    in it stands for part of a host or for one segment. `reader` reads the documents of the members' texts, for
    those that have other forms or are wrong somewhere. `inject` are headers that are asked for and that come with
    an account's credentials, `left_out` says what isn't compared.
    """

    def read() -> OpenApiJudge:
        return OpenApiJudge(tuple(OpenApiDocument(each, base_url) for each in reader(document.texts())), inject)

    return Description((document,), but_for("OpenAPI: types, enumerations, required keys and names", left_out), read)


@frozen
class DescribedOperation:
    """An operation of a document, and the parameters of its path."""

    method: str
    path: str
    content: Schema
    shared: list[Schema]


@frozen(slots=False)
class OpenApiDocument:
    """One document; `base_url` replaces its servers."""

    content: dict[str, Any] = field(repr=False)
    base_url: str | None = None

    @cached_property
    def openapi(self) -> OpenAPI:
        """What validates requests against the document, which is itself taken as it is."""
        # The part of a URL below the base is put below this one before it is validated, see `OpenApiJudge`.
        servers = {"servers": [{"url": "https://server.example"}]}
        paths = {
            path: {key: _legible(each) for key, each in item.items() if key != "servers"}
            for path, item in self.content["paths"].items()
        }
        located = {**self.content, **servers, "paths": paths}
        # Credentials aren't compared, and OAuth is nothing that is known here: every request has the same header.
        components = self.content.get("components", {})
        schemes = {name: {"type": "http", "scheme": "bearer"} for name in components.get("securitySchemes", {})}
        parameters = _legible(components.get("parameters", {}))
        located["components"] = {**components, "securitySchemes": schemes, "parameters": parameters}
        return OpenAPI.from_dict(located, config=Config(spec_validator_cls=None))

    @cached_property
    def operations(self) -> list[DescribedOperation]:
        """All operations."""
        methods = {"get", "put", "post", "delete", "patch", "head", "options"}
        return [
            DescribedOperation(method.upper(), template(path), operation, item.get("parameters", []))
            for path, item in self.content["paths"].items()
            for method, operation in item.items()
            if method in methods
        ]

    @cached_property
    def bases(self) -> list[str]:
        """The addresses in front of its paths; variables in them are written `*`."""
        if self.base_url is not None:
            return [self.base_url]
        return [template(server["url"])[1:].replace("{}", "*") for server in self.content.get("servers", [])]

    def resolved(self, value: Schema) -> Schema:
        """Follow references until there is none."""
        while "$ref" in value:
            target: Any = self.content
            for key in value["$ref"].removeprefix("#/").split("/"):
                target = target[unquote(key).replace("~1", "/").replace("~0", "~")]
            value = target
        return value

    def alternatives(self, schema: Schema) -> Iterator[Schema]:
        """Yield a schema and all that it is combined of."""
        schema = self.resolved(schema)
        yield schema
        for keyword in ("oneOf", "anyOf", "allOf"):
            for option in schema.get(keyword, ()):
                yield from self.alternatives(option)

    def unknown_keys(self, schemas: list[Schema], value: Any, path: str = "") -> Iterator[str]:
        """Yield the keys, as paths, that no alternative of the schemas declares."""
        options = [option for schema in schemas for option in self.alternatives(schema)]
        if isinstance(value, list):
            items = [option["items"] for option in options if "items" in option]
            for item in value if items else ():
                yield from self.unknown_keys(items, item, path)
        elif isinstance(value, dict):
            free = any(option.get("additionalProperties") for option in options)
            declares = any(option.get("properties") for option in options)
            for key, item in value.items():
                inner = [option["properties"][key] for option in options if key in option.get("properties", {})]
                if inner:
                    yield from self.unknown_keys(inner, item, f"{path}{key}.")
                elif declares and not free:
                    yield f"{path}{key}"

    def wrong_texts(self, schema: Schema, value: Any) -> Iterator[str]:
        """Yield what is wrong with a value of texts, which openapi-core can't read where its name has brackets."""
        whole = {**schema, "components": self.content.get("components", {})}
        for error in TextValidator(whole).iter_errors(value):
            yield f"the query parameter {'.'.join(map(str, error.absolute_path))}: {error.message[:_LONGEST]}"
        for key in self.unknown_keys([schema], value):
            yield f"the query parameter's key {key} isn't declared"


@frozen
class OpenApiJudge:
    """Documents that were read."""

    documents: tuple[OpenApiDocument, ...]
    inject: Mapping[str, str] = field(factory=dict)

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        found = located(request, self._parts())
        if isinstance(found, str):
            yield found
        else:
            document, (operation, *_), path = found
            yield from self._compare(document, operation, path, request)

    def _parts(self) -> Iterator[tuple[OpenApiDocument, str, list[DescribedOperation]]]:
        return ((document, base, document.operations) for document in self.documents for base in document.bases)

    @property
    def has_answers(self) -> bool:
        """Whether the documents tell what is answered, too."""
        return any("responses" in each.content for document in self.documents for each in document.operations)

    def unknown_in_answer(self, request: Sent, answer: Any) -> Iterator[str]:
        """Yield the keys of a good answer to a request that no document declares there."""
        found = located(request, self._parts())
        if isinstance(found, str):
            yield found
            return
        document, (operation, *_), _ = found
        responses = operation.content.get("responses", {})
        good = [document.resolved(each) for status, each in responses.items() if status.startswith("2")]
        schemas = [kind["schema"] for each in good for kind in each.get("content", {}).values()]
        yield from document.unknown_keys(schemas, answer) if schemas else ["no answer is declared"]

    def _compare(
        self, document: OpenApiDocument, operation: DescribedOperation, path: str, request: Sent
    ) -> Iterator[str]:
        query: dict[str, list[str]] = {}
        for name, value in request.query:
            query.setdefault(name, []).append(value)
        headers = dict(request.headers)
        mock = MockRequest(
            "https://server.example",
            request.method.lower(),
            # A slash inside a parameter stays percent-encoded, else the path would be another one.
            unquote(path.replace("%2F", "%252F")),
            args=query,
            data=request.content or None,
            content_type=headers.get("content-type", "application/json"),
            headers={**headers, **self.inject, "authorization": "Bearer a1"},
        )
        try:
            document.openapi.validate_request(mock)
        except OpenAPIError as error:
            yield _explained(error)
        parameters = [document.resolved(each) for each in [*operation.shared, *operation.content.get("parameters", [])]]
        declared = {each["name"]: each.get("schema", {}) for each in parameters if each["in"] == "query"}
        known = {part for name in declared for part in (name, *parts_of(name))}
        for name in query:
            if name not in known and parts_of(name)[0] not in known:
                yield f"the query parameter {name} isn't declared"
        bracketed = nested([(name, value) for name, value in request.query if "[" in name and name not in declared])
        for name in bracketed.keys() & declared.keys():
            yield from document.wrong_texts({"type": "object", "properties": declared}, {name: bracketed[name]})
        if request.body is not None:
            yield from self._compare_body(document, operation, request)

    def _compare_body(self, document: OpenApiDocument, operation: DescribedOperation, request: Sent) -> Iterator[str]:
        content = document.resolved(operation.content.get("requestBody", {})).get("content", {})
        schema = content.get(request.media_type, content.get("*/*", {})).get("schema")
        if schema is None:
            yield f"a body of the type {request.media_type} isn't declared"
            return
        for key in document.unknown_keys([schema], request.body):
            yield f"the body's key {key} isn't declared"


def _legible(value: Any) -> Any:
    """
    Leave out what openapi-core can't read of parameters: null, which no text is, and that a value may be empty.

    Headers that OpenAPI has told elsewhere are no parameters, as it says itself.
    """
    if isinstance(value, list):
        return [_legible(each) for each in value if not _is_told_elsewhere(each)]
    if not isinstance(value, dict):
        return value
    if value.get("in") != "query":
        return {key: _legible(each) for key, each in value.items()}
    schema = dict(value.get("schema", {}))
    if isinstance(schema.get("type"), list):
        (schema["type"],) = set(schema["type"]) - {"null"}
    return {**{key: each for key, each in value.items() if key != "allowEmptyValue"}, "schema": schema}


def _is_told_elsewhere(value: Any) -> bool:
    return isinstance(value, dict) and value.get("in") == "header" and value.get("name") in _TOLD_ELSEWHERE


def _explained(error: BaseException | None) -> str:
    texts: list[str] = []
    while error is not None:
        # An error of a schema tells the whole value; those inside it tell what about it is wrong.
        inner = [str(each.message) for each in getattr(error, "schema_errors", ())]
        try:
            texts += inner or [str(error)]
        except AttributeError:  # openapi-core takes what it can't read for bytes, which in a query are text
            texts.append(repr(error))
        error = error.__cause__
    return ": ".join(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in dict.fromkeys(texts))
