"""
Clients in Python as descriptions: what their functions hand to the calls that send, read without running them.

A function is followed from its parameters, whose annotations tell types, through what it puts together, to calls such
as `self.post(f"/notes/{id}", json=body)`. A key may be left out that is set under a condition, or has a default or a
number that the client chooses.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from textwrap import dedent
from urllib.parse import parse_qsl

from attrs import Factory, define, field

from tests.connectors.descriptions.compiled_judge import CompiledJudge, CompiledOperation
from tests.connectors.descriptions.compiled_types import Rewrite, as_they_are, untyped_in
from tests.connectors.descriptions.description import Description, but_for
from tests.connectors.descriptions.packages import Members, Package
from tests.connectors.descriptions.paths import template
from tests.connectors.descriptions.python_types import (
    ANY_OBJECT,
    ANYTHING,
    BOOLEAN,
    NOTHING,
    NUMBER,
    TEXT,
    Schema,
    Types,
    any_of,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef

_UNKNOWN = ast.Constant(...)
_TEXTS = {"str", "strip", "lower", "upper", "join", "format", "isoformat", "replace"}
_NUMBERS = {"int", "float", "len", "min", "max", "round"}
_SAME = {"dict", "list", "sorted", "model_dump", "copy"}


def python_client(
    package: Package,
    base_url: str,
    sources: tuple[str, ...],
    call: str,
    types: tuple[str, ...] = (),
    rewrite: Rewrite = as_they_are,
    beside: tuple[Members, ...] = (),
    documented: str = "",
    untyped: Iterable[str] = (),
) -> Description:
    """
    Describe an API by a client whose members `sources` have functions that send.

    `types` are members that declare further classes. `call` is a regular expression for what is called there, with a
    group `method`. `beside` are members of another package that declare classes, and `documented` is a further source,
    with calls that the client lacks and its vendor documents. `rewrite` gets all members; see `compiled_client`, and
    `Description` for `untyped`.
    """
    members = (package.keeping(*sources, *types), *beside)

    def read() -> CompiledJudge:
        texts = rewrite({name: text for each in members for name, text in each.texts().items()})
        known = Types.of(map(ast.parse, texts.values()))
        written = {name: texts[name] for name in members[0].texts(*sources)} | {"": dedent(documented)}
        operations = tuple(calls_of(written, call, known))
        if not operations:
            raise ValueError(f"no calls found in {package}")
        return CompiledJudge(base_url, operations, known.definitions(), is_flat=True)

    text = "method and path; place, name, type and required of all that is sent, as the client puts it together"
    lacking = len(re.findall(call, documented))
    left_out = f"calls that it lacks and the vendor documents ({lacking})" if lacking else ""
    return Description(members, but_for(text, left_out, untyped_in(untyped)), read, untyped=frozenset(untyped))


def calls_of(sources: Mapping[str, str], call: str, types: Types) -> Iterator[CompiledOperation]:
    """Read the calls of all functions; an argument of any kind is what the sources themselves pass there."""
    modules = [ast.parse(text) for text in sources.values()]
    functions = [each for module in modules for each in ast.walk(module) if isinstance(each, Function)]
    constants = {
        target.id: each.value
        for module in modules
        for each in module.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    results = {each.name: types.annotation(each.returns) for each in functions}
    passed: dict[tuple[str, str], list[Schema]] = defaultdict(list)
    for _ in range(2):
        readers = [_Reader(types, re.compile(call), results, constants, dict(passed)) for _ in functions]
        passed.clear()
        for reader, function in zip(readers, functions, strict=True):
            reader.read(function)
            for key, schema in reader.passes:
                passed[key].append(schema)
    for reader in readers:
        yield from reader.found


@define
class _Reader:
    """Follows one function; `scope` has what is known of each variable, `texts` those that are written out."""

    types: Types
    call: re.Pattern[str]
    results: Mapping[str, Schema]
    constants: Mapping[str, ast.expr]
    passed: Mapping[tuple[str, str], list[Schema]]
    scope: dict[str, Schema] = Factory(dict)
    texts: dict[str, str] = Factory(dict)
    defaults: set[str] = Factory(set)
    found: list[CompiledOperation] = Factory(list)
    passes: list[tuple[tuple[str, str], Schema]] = field(factory=list)

    def read(self, function: Function) -> None:
        """Read a function with what its parameters are annotated with."""
        names = [each.arg for each in function.args.args]
        self.defaults = set(names[len(names) - len(function.args.defaults) :])
        self.defaults |= {each.arg for each in function.args.kwonlyargs}
        for each in (*function.args.args, *function.args.kwonlyargs):
            schema = self.types.annotation(each.annotation)
            given = self.passed.get((function.name, each.arg), [])
            is_open = ANY_OBJECT in (schema, *schema.get("anyOf", ()))
            self.scope[each.arg] = any_of(given) if is_open and given else schema
        self._statements(function.body, is_sure=True)

    def _statements(self, statements: list[ast.stmt], *, is_sure: bool) -> None:
        for each in statements:
            match each:
                case ast.If() | ast.For() | ast.While():
                    self._statements([*each.body, *each.orelse], is_sure=False)
                case ast.Try():
                    self._statements(each.body, is_sure=is_sure)
                case ast.With() | ast.AsyncWith():
                    self._statements(each.body, is_sure=is_sure)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    continue
                case _:
                    self._assign(each, is_sure=is_sure)
                    for inner in ast.walk(each):
                        if isinstance(inner, ast.Call):
                            self._called(inner)

    def _assign(self, statement: ast.stmt, *, is_sure: bool) -> None:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self.scope[name] = deepcopy(self._schema(value))
                self.texts[name] = self._text(value)
                self.defaults |= {name} if self._has_default(value) else set()
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))], value=value
            ):
                whole = self._object_in(name)
                known = whole["properties"].get(key)
                whole["properties"][key] = any_of([known or self._schema(value), self._schema(value)])
                whole["required"] += [key] * (is_sure and not self._has_default(value))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=[more])):
                added, whole = self._resolved(self._schema(more)), self._object_in(name)
                whole["properties"] |= added.get("properties", {})
                whole["additionalProperties"] = added.get("additionalProperties", ANYTHING)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
                self._object_in(name)["additionalProperties"] = ANYTHING

    def _object_in(self, name: str) -> Schema:
        """Return the object that a variable has, to be changed; any other value counts as an open one."""
        whole = self._resolved(self.scope.get(name, ANYTHING))
        if "properties" not in whole:
            whole = {**_object({}, []), "additionalProperties": ANYTHING}
        self.scope[name] = whole
        return whole

    def _resolved(self, schema: Schema) -> Schema:
        return self.types.fields(schema["$ref"].rpartition("/")[2]) if "$ref" in schema else schema

    def _has_default(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Dict | ast.List):
            return False
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        return any(isinstance(each, ast.Name) and each.id in self.defaults for each in ast.walk(node))

    def _called(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = {each.arg: self._schema(each.value) for each in node.keywords if each.arg is not None}
        match = self.call.fullmatch(ast.unparse(node.func))
        if match is None:
            self.passes += [((name, argument), schema) for argument, schema in given.items()]
            return
        places = [*node.args, *(each.value for each in node.keywords if each.arg == "url")]
        written = self._text(places[0]) if places else ""
        path, _, query = re.sub(r"^(\{\}|https://[^/]*)", "", written).partition("?")
        if path.startswith("/"):
            asked = given.get("params") or False
            if query:
                names = [each for each, _ in parse_qsl(query, keep_blank_values=True)]
                asked = _object(dict.fromkeys(names, TEXT), names)
            sent = {"query": asked, "body": given.get("json", False), "header": False}
            self.found.append(CompiledOperation(match["method"].upper(), template(path), deepcopy(sent)))

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name):
                return self.texts.get(name, "{}")
            case ast.JoinedStr(values=parts):
                return "".join(self._text(each) for each in parts)
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                return text
        return "{}"

    def _schema(self, node: ast.expr) -> Schema:
        """Return the schema of an expression; one that isn't understood may be anything."""
        match node:
            case ast.Constant(value=value):
                kinds = {str: TEXT, bool: BOOLEAN, int: NUMBER, float: NUMBER, type(None): NOTHING}
                return kinds.get(type(value), ANYTHING)
            case ast.JoinedStr():
                return TEXT
            case ast.Name(id=name):
                return self.scope.get(name) or self._schema(self.constants.get(name, _UNKNOWN))
            case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
                names = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
                required = [name for name, each in zip(names, values, strict=True) if not self._has_default(each)]
                return _object(dict(zip(names, map(self._schema, values), strict=True)), required)
            case ast.List(elts=items):
                return {"type": "array", "items": any_of(map(self._schema, items))}
            case ast.ListComp(elt=item, generators=[ast.comprehension(target=ast.Name(id=name), iter=source)]):
                self.scope[name] = self._schema(source).get("items", ANYTHING)
                return {"type": "array", "items": self._schema(item)}
            case ast.BoolOp(values=values):
                return any_of(map(self._schema, values))
            case ast.IfExp(body=body, orelse=otherwise):
                return any_of([self._schema(body), self._schema(otherwise)])
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return BOOLEAN
            case ast.Attribute(value=owner, attr=name):
                known = self._resolved(self._schema(owner)).get("properties", {})
                return known.get(name) or self.results.get(name, ANYTHING)
            case ast.Call():
                return self._result(node)
        return ANYTHING

    def _result(self, node: ast.Call) -> Schema:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _TEXTS:
            return TEXT
        if name in _NUMBERS:
            return NUMBER
        if name == "split":
            return {"type": "array", "items": TEXT}
        if name in _SAME:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else (*node.args, ast.Constant(None))[0]
            return self._schema(owner)
        return self.types.fields(name) if name in self.types.classes else self.results.get(name, ANYTHING)


def _object(properties: dict[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
