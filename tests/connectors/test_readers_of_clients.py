"""Calls are found in the ways in which clients write them, with what each sends as types or expressions."""

import pytest

from tests.connectors.descriptions.compiled_types import Call
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, assigned, behind, expression
from tests.connectors.descriptions.fern import fern_calls
from tests.connectors.descriptions.openapi_generator import as_sent
from tests.connectors.descriptions.openapi_typescript import openapi_typescript_calls

CONFIGURED = """
class Notes {
  list(given) {
    return send({ url: `/notes/${given.id}`, method: 'get', params: { page_size: given.size, text: f(given, 'a,}') } });
  }
  /** Its data: nothing. */
  remove(given) {
    return send({ url: '/notes', method: 'delete' });
  }
  help() {}
}
"""


def test_objects_of_calls() -> None:
    """The values of an object are expressions, whatever stands inside; comments are none, nor what makes no call."""
    read = ConfiguredCalls(r"^  (?P<name>\w+)\(given\) \{$", lambda file, text, match: f"given: {file}.{match['name']}")

    assert [
        Call(
            "GET", "/notes/{}", query="{ page_size: given.size, text: f(given, 'a,}') }", parameters="given: notes.list"
        ),
        Call("DELETE", "/notes", parameters="given: notes.remove"),
    ] == list(read({"notes": CONFIGURED}))


def test_calls_without_a_method_and_with_several_paths() -> None:
    """A client may leave the usual method out, and parts of a path."""
    read = ConfiguredCalls(
        r"^  (?P<name>list)\(given\) \{$",
        lambda *_: "",
        query=behind(r"params: "),
        method=r"verb: '(\w+)'",
        otherwise="GET",
        paths=lambda written: (written, "/all"),
    )

    assert ["/notes/{}", "/all"] == [call.path for call in read({"notes": CONFIGURED})]


def test_keys_that_are_assigned() -> None:
    """Each assignment is a key; one behind a condition may be left out."""
    text = 'query["a"] = x; if (y) { query["b"] = g(y, 1); }'

    assert '{ "a": x, "b": maybe(g(y, 1)) }' == assigned(r'(?P<maybe>if \(\w+\) \{ )?query\["(\w+)"\] = ')(text)
    assert assigned(r"other\.(\w+) = ")(text) is None


@pytest.mark.parametrize(
    ("text", "expected"), [("a(b, c), d", "a(b, c)"), ("`x,${y}`;", "`x,${y}`"), ("{ a: [1, 2] } }", "{ a: [1, 2] }")]
)
def test_expressions_end_at_their_own_level(text: str, expected: str) -> None:
    """Commas and brackets inside an expression don't end it."""
    assert expected == expression(text, 0)


FERN = """
class Notes {
    __list(id_1) {
        return __awaiter(this, arguments, void 0, function* (id, request = {}, requestOptions) {
            const { limit, since } = request;
            const _queryParams = {};
            if (limit != null) {
                _queryParams.limit = limit.toString();
            }
            _queryParams.since = since.toISOString();
            return fetch({
                url: join(base, Environment.Production, `users/${encode(id)}/notes`),
                method: "GET",
                timeoutMs: 1,
                body: answer,
            });
    __add(id, request, requestOptions) {
        return __awaiter(this, void 0, void 0, function* () {
            return fetch({
                url: join(base, Environment.Production, "notes"),
                method: "POST",
                body: written.Note.jsonOrThrow(request, { omit: true }),
                timeoutMs: 1,
            });
"""


def test_calls_of_fern() -> None:
    """Queries are put together key by key, a body stands in the request, and the method's types are those declared."""
    taken = 'Required<Parameters<import("./api/notes").Notes["{}"]>>'

    assert [
        Call(
            "GET",
            "/users/{}/notes",
            query='{ "limit": maybe(limit), "since": since }',
            parameters=f"...[id, request]: {taken.format('list')}",
            statements="const { limit, since } = request;",
        ),
        Call(
            "POST",
            "/notes",
            body="written.Note.jsonOrThrow(request, { omit: true })",
            parameters=f"...[id, request]: {taken.format('add')}",
        ),
    ] == list(fern_calls(r"Environment\.Production")({"api/notes.js": FERN}))


def test_models_have_the_names_that_are_sent() -> None:
    """A model's source tells what its declaration calls otherwise, and the values of its enumerations."""
    source = """
        { "name": "dueDate", "baseName": "due_date" }
        (function (Kind) { Kind[Kind["Big"] = "big"] = "Big"; })
    """
    declared = "class Note {\n    'dueDate'?: string;\n    'text': string;\n}\nenum Kind {\n    Big,\n    Small\n}"
    found = as_sent({"note.js": source, "note.d.ts": declared})["note.d.ts"]

    assert "class Note {\n    'due_date'?: string;\n    'text': string;\n}" in found
    assert 'enum Kind {\n    Big = "big",\n    Small = "Small"\n}' in found


PATHS = """
interface paths$1 {
  "/notes/{note-id}": {
    parameters: { query?: never };
    /** Read one */
    get: operations$1["readNote"];
    put?: never;
    delete: operations$1["removeNote"];
  };
  '/people': {
    get: operations['listPeople'];
  };
}
"""


def test_calls_of_openapi_typescript() -> None:
    """Each method that a path has is a call, with the types that the path has for it; other paths can be left out."""
    read = openapi_typescript_calls("types.d.ts", "/notes")

    assert [
        Call(
            method, "/notes/{}", *(f'{place}<"/notes/{{note-id}}", "{method.lower()}">' for place in ("Query", "Body"))
        )
        for method in ("GET", "DELETE")
    ] == list(read({"types.d.ts": PATHS}))
