"""
Clients in TypeScript as descriptions: the TypeScript compiler tells what each of their calls takes.

What is sent has to be declared in the place where it is sent, with its type, and what is required has to be there.
"""

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from tests.connectors.descriptions.packages import CACHE, Members, Package
from tests.connectors.descriptions.paths import held_against
from tests.connectors.descriptions.sent import Sent, nested

_WRITER = Path(__file__).with_name("types_as_schemas.mjs")
_SETTINGS = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "skipLibCheck": True,
        "module": "preserve",
        "moduleResolution": "bundler",
        "target": "es2022",
        "types": [],
    },
    "files": ["calls.ts"],
}
_LONGEST = 300  # characters of one fault
_SECONDS = 300  # for one package; a compiler that hangs is ended

Schema = Mapping[str, Any] | bool


@frozen
class Call:
    """What a client can call; `query` and `body` are types of TypeScript, None where nothing is sent there."""

    method: str
    path: str
    query: str | None = None
    body: str | None = None


ReadCalls = Callable[[Mapping[str, str]], Iterable[Call]]


@frozen
class CompiledClient:
    """
    A client whose members `sources` tell calls, as `reader` finds them, in the words of its own types.

    `types` are further members that declare those; `head` is what the types need in front of them: imports.
    """

    package: Package
    base_url: str
    sources: tuple[str, ...]
    reader: ReadCalls
    head: str
    types: tuple[str, ...] = ()

    @property
    def members(self) -> tuple[Members, ...]:
        """See `Description`."""
        return (self.package.keeping(*self.sources, *self.types),)

    @property
    def way(self) -> str:
        """See `Description`."""
        return "method and path; place, name, type and required of all that is sent, by the client's types"

    def read(self) -> "CompiledJudge":
        """See `Description`."""
        (members,) = self.members
        calls = tuple(self.reader(members.texts(*self.sources)))
        if not calls:
            raise ValueError(f"no calls found in {self.package}")
        written = _schemas(members, _program(self.head, calls))
        operations = tuple(
            CompiledOperation(
                call.method,
                call.path,
                written["schemas"].get(f"{index}.query", False),
                written["schemas"].get(f"{index}.body", False),
            )
            for index, call in enumerate(calls)
        )
        return CompiledJudge(self.base_url, operations, written["$defs"])


def _program(head: str, calls: tuple[Call, ...]) -> str:
    """Write a file that names the type of everything that is sent."""
    types = {
        f"{index}.{place}": written
        for index, call in enumerate(calls)
        for place, written in (("query", call.query), ("body", call.body))
        if written is not None
    }
    lines = "\n".join(f"  {json.dumps(name)}: {written};" for name, written in types.items())
    return f"{head}\nexport interface Calls {{\n{lines}\n}}\n"


def _schemas(members: Members, program: str) -> dict[str, Any]:
    """Let the compiler write the types as schemas, once for a package and program."""
    key = hashlib.sha256(b"\0".join((members.file.name.encode(), program.encode(), _WRITER.read_bytes()))).hexdigest()
    kept = CACHE / f"{members.file.stem}-types-{key[:12]}.json"
    if not kept.exists():
        texts = members.texts()
        with tempfile.TemporaryDirectory(dir=CACHE) as directory:
            for name, text in {**texts, "calls.ts": program, "tsconfig.json": json.dumps(_SETTINGS)}.items():
                file = Path(directory) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            command = ["node", str(_WRITER), directory, f"{directory}/calls.ts"]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
            if done.returncode:
                raise ValueError(f"the types of {members.package} can't be read:\n{done.stderr}")
            problems = json.loads(done.stdout)["problems"]
            if problems:
                raise ValueError(f"the types of {members.package} aren't understood: {'; '.join(problems[:5])}")
            finished = Path(directory) / "finished.json"
            finished.write_text(done.stdout, encoding="utf-8")
            finished.replace(kept)
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return found


@frozen
class CompiledOperation:
    """What a client can call, with the schemas of what is sent; False where nothing can be."""

    method: str
    path: str
    query: Schema = field(repr=False)
    body: Schema = field(repr=False)


def _is_number(_: object, value: object) -> bool:
    if isinstance(value, str):
        return value.lstrip("-").replace(".", "", 1).isdigit()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_boolean(_: object, value: object) -> bool:
    return isinstance(value, bool) or value in ("true", "false")


# In a query and in a form everything is a text.
_Texts = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number).redefine("boolean", _is_boolean),
)


@frozen
class CompiledJudge:
    """The calls of a client, and the schemas of the types that they share."""

    base_url: str
    operations: tuple[CompiledOperation, ...]
    definitions: Mapping[str, Schema] = field(repr=False)

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        yield from held_against(self.base_url, self.operations, request, lambda each: self._faults(each, request))

    def _faults(self, operation: CompiledOperation, request: Sent) -> Iterator[str]:
        yield from self._compare("query", operation.query, nested(list(request.query)), texts=True)
        body = request.body
        if body is not None or operation.body is not False:
            is_json = request.media_type.endswith("json")
            yield from self._compare("body", operation.body, {} if body is None else body, texts=not is_json)

    def _compare(self, place: str, schema: Schema, value: Any, *, texts: bool) -> Iterator[str]:
        if schema is False:
            if value:
                yield f"there is no {place}, but one is sent"
            return
        validator = (_Texts if texts else Draft202012Validator)(self._whole(schema))
        # A list of one item is sent like one item.
        fault = best_match(validator.iter_errors(value))
        if fault is not None and texts and isinstance(value, dict):
            lists = {name: each if isinstance(each, list | dict) else [each] for name, each in value.items()}
            mixed = {name: lists[name] if self._is_list(schema, name) else each for name, each in value.items()}
            fault = best_match(validator.iter_errors(mixed))
        if fault is not None:
            yield f"{'.'.join((place, *map(str, fault.absolute_path)))}: {fault.message[:_LONGEST]}"

    def _is_list(self, schema: Schema, name: str) -> bool:
        """Whether a type takes a list by a name."""
        errors = _Texts(self._whole(schema)).iter_errors({name: [""]})
        return not any(list(each.absolute_path) == [name] for each in errors)

    def _whole(self, schema: Schema) -> dict[str, Any]:
        """A schema together with those that it names."""
        return {"$ref": "#/$defs/sent", "$defs": {**self.definitions, "sent": schema}}
