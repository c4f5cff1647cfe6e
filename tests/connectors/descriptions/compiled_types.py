"""
Clients in TypeScript as descriptions: the TypeScript compiler tells what each of their calls takes.

A reader finds the calls in the client's sources, and says of each what is sent where: as types of the client, or as the
expressions that the client itself sends, over the parameters of the method that makes the call.
"""

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.connectors.descriptions.compiled_judge import CompiledJudge, CompiledOperation
from tests.connectors.descriptions.description import Description, but_for
from tests.connectors.descriptions.packages import CACHE, Members, Package

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
_SECONDS = 300  # for one package; a compiler that hangs is ended
_PLACES = ("query", "body", "header")


@frozen
class Call:
    """
    What a client can call; None where nothing is sent in a place.

    `query`, `body` and `header` (see `compiled_client`) are types, or where there are `parameters` expressions over
    these: `{ q: text }` over `...[text]: Parameters<Search["find"]>`. `statements` stand in front of such expressions.
    """

    method: str
    path: str
    query: str | None = None
    body: str | None = None
    header: str | None = None
    parameters: str | None = None
    statements: str = ""


ReadCalls = Callable[[Mapping[str, str]], Iterable[Call]]
Rewrite = Callable[[Mapping[str, str]], Mapping[str, str]]


def as_they_are(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Change nothing."""
    return texts


def amended(*changes: tuple[str, str]) -> Rewrite:
    """Return what replaces texts in the types, where these are wrong; ValueError tells of one that isn't there."""

    def rewrite(texts: Mapping[str, str]) -> Mapping[str, str]:
        result = dict(texts)
        for before, after in changes:
            files = [name for name, text in result.items() if before in text]
            if not files:
                raise ValueError(f"no member holds {before}")
            result |= {name: result[name].replace(before, after) for name in files}
        return result

    return rewrite


def compiled_client(
    package: Package,
    base_url: str,
    sources: tuple[str, ...],
    reader: ReadCalls,
    head: str,
    types: tuple[str, ...] = (),
    rewrite: Rewrite = as_they_are,
    header: str = "",
    flat: bool = False,
    commas: bool = False,
    untyped: Iterable[str] = (),
    beside: tuple[Members, ...] = (),
    left_out: str = "",
) -> Description:
    """
    Describe an API by a client whose members `sources` tell calls, as `reader` finds them, in the words of its types.

    `types` are further members that declare those; `head` is what the types need in front of them: imports. `rewrite`
    changes members before they are compiled, where a client declares other names than it sends. `header` is the name of
    a header that holds JSON. With `flat` the names in queries are as they stand: `a[b]` is no object; with `commas` the
    client sends lists in queries as texts with commas. `beside` are members of packages that the client's types come
    from in part; `left_out` says what isn't compared by them. See `Description` for `untyped`.
    """
    members = package.keeping(*sources, *types)

    def read() -> CompiledJudge:
        calls = tuple(reader(members.texts(*sources)))
        if not calls:
            raise ValueError(f"no calls found in {package}")
        others = {f"node_modules/{m.package.name}/{name}": text for m in beside for name, text in m.texts().items()}
        written = _schemas(members, {**rewrite(members.texts()), **others}, _program(head, calls))
        operations = tuple(
            CompiledOperation(
                call.method,
                call.path,
                {place: written["schemas"].get(f"{index}.{place}", False) for place in _PLACES},
                frozenset(place for place in _PLACES if f"{index}.{place}" in written["optional"]),
            )
            for index, call in enumerate(calls)
        )
        return CompiledJudge(base_url, operations, written["$defs"], header.lower(), is_flat=flat, has_commas=commas)

    text = "method and path; place, name, type and required of all that is sent, by the client's types"
    return Description((members, *beside), but_for(text, left_out, untyped_in(untyped)), read, frozenset(untyped))


def untyped_in(places: Iterable[str]) -> str:
    """Name the places that a client doesn't type."""
    return f"the untyped {', '.join(sorted(places))}" if places else ""


def _program(head: str, calls: tuple[Call, ...]) -> str:
    """Write a file that names the type of everything that is sent."""
    functions = []
    types = []
    for index, call in enumerate(calls):
        sent = {"query": call.query, "body": call.body, "header": call.header}
        sent = {place: written for place, written in sent.items() if written is not None}
        if call.parameters is not None and sent:
            inner = ", ".join(f"{place}: {written}" for place, written in sent.items())
            functions.append(
                f"const call{index} = ({call.parameters}) => {{ {call.statements} return {{ {inner} }}; }};"
            )
        for place, written in sent.items():
            named = written if call.parameters is None else f'ReturnType<typeof call{index}>["{place}"]'
            types.append(f"  {json.dumps(f'{index}.{place}')}: {named};")
    return "\n".join((head, *functions, "export interface Calls {", *types, "}", ""))


def _schemas(members: Members, texts: Mapping[str, str], program: str) -> dict[str, Any]:
    """Let the compiler write the types as schemas, once for a package and program."""
    read = hashlib.sha256(json.dumps(sorted(texts.items())).encode()).digest()
    key = hashlib.sha256(b"\0".join((read, program.encode(), _WRITER.read_bytes()))).hexdigest()
    kept = CACHE / f"{members.file.stem}-types-{key[:12]}.json"
    if not kept.exists():
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
