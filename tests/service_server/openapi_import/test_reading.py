"""Documents are read within limits, and what is wrong with them is told with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.document import read_document
from service_server.openapi_import import read
from service_server.openapi_import.document import ImportRefused
from service_server.openapi_import.read import read_source
from service_server.openapi_import.steps import Choice, import_file
from tests.service_server.openapi_import.made_documents import SWAGGER, answer, document, json_body, taken

GOOD = {"/a": {"get": {}}}


def refused(content: bytes, folder: Path) -> str:
    """Import a file that can't be; returns what is said, having seen that nothing was written."""
    file = folder / "document"
    file.write_bytes(content)
    with pytest.raises(ImportRefused) as caught:
        import_file(file, Choice("acme"), folder / "connectors")
    assert not (folder / "connectors").exists()
    return str(caught.value)


def aliases(times: int, levels: int) -> bytes:
    """Write lists that each hold the one before so many times."""
    lines = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * times)}]" for level in range(1, levels)]
    return "\n".join([f"a0: &a0 [{', '.join('x' * times)}]", *lines]).encode()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'{"openapi": "3.0.0",\n "paths": }', "line 2, column 11: is not JSON"),
        (b"openapi: 3.0.0\npaths: [}", "line 2: is not YAML at column 9"),
        (b"openapi: 3.0.0\nopenapi: 3.1.0", "line 2: has the key 'openapi' twice"),
        (b"a: &a [*a]", "an alias leads back to itself"),
        (b"[]", "holds no OpenAPI document"),
        (b"{}", "neither 'openapi' nor 'swagger'"),
        (b'{"openapi": "4.0.0"}', "can't read version 4.0.0"),
        (b'{"swagger": "1.2"}', "can't read version 1.2"),
        (b'{"openapi": "3.0.0", "paths": []}', "#/paths: must be an object"),
        (b'{"openapi": "3.0.0", "paths": {}}', "there is no operation to import"),
        (b'{"openapi": "3.0.0", "info": NaN}', "NaN is not a number of JSON"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "nested deeper than 200 levels"),
        (b'{"a":' * 200_000 + b"1" + b"}" * 200_000, "nested deeper than 200 levels"),
        (b"a: " + b"[" * 5000, "more than 200 levels"),
        (aliases(1, 300), "200 levels, aliases counted"),
        (aliases(10, 12), "more than 5000000 values or 200 levels, aliases counted"),
    ],
)
def test_broken_files(content: bytes, told: str, tmp_path: Path) -> None:
    """A file that is no document is refused with where and what, and nothing is written."""
    assert told in refused(content, tmp_path)


def test_the_size_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the limit isn't read to its end."""
    monkeypatch.setattr(read, "MAX_BYTES", 1 << 20)
    assert "larger than 1 MiB" in refused(b"{" + b" " * (1 << 20), tmp_path)


def test_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    """The same document as JSON and as YAML with aliases gives the same values; YAML's dates stay texts."""
    (tmp_path / "a.json").write_text('{"info": {"version": "2026-01-01"}, "x": [1, true, null], "y": [1, true, null]}')
    (tmp_path / "a.yaml").write_text("info: {version: 2026-01-01}\nx: &x [1, true, null]\ny: *x\n")
    assert read_source(tmp_path / "a.json")[0] == read_source(tmp_path / "a.yaml")[0]


def test_halves_of_characters(tmp_path: Path) -> None:
    """What JSON may hold and no file can, half of a character beyond the first 65536, is replaced; whole ones stay."""
    names = ("a\ud800", "\N{SLICE OF PIZZA}")
    parameters = [{"in": "query", "name": name, "schema": {"type": "string"}} for name in names]
    (tmp_path / "a.json").write_text(json.dumps(document({"/a": {"get": {"parameters": parameters}}})))
    folder, imported = import_file(tmp_path / "a.json", Choice("acme"), tmp_path)

    assert ["a?", "\N{SLICE OF PIZZA}"] == list(imported.functions["get-a"]["request"]["query"])
    assert imported.functions["get-a"] == read_document(folder / "functions" / "get-a.yaml").value


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        ({"/a": []}, "#/paths/~1a: must be an object, not a list"),
        ({"a": {}}, "must begin with a slash"),
        ({"/a": {"get": "x"}}, "#/paths/~1a/get: must be an object, not text"),
        ({"/a": {"get": {"parameters": {}}}}, "#/paths/~1a/get/parameters: must be a list"),
        ({"/a": {"get": {"parameters": [{"in": "query"}]}}}, "/parameters/0: a parameter needs a 'name'"),
        ({"/a": {"get": {"parameters": [{"name": "a", "in": "soup"}]}}}, "/get/parameters/0/in: must be one of"),
        ({"/a": {"post": {"requestBody": json_body({"$ref": "#/x/Gone"})}}}, "there is nothing at '#/x/Gone'"),
        (
            {"/a": {"post": {"requestBody": json_body({"$ref": "other.yaml#/X"})}}},
            "refers to another document, 'other.yaml#/X', and none is fetched; bundle them",
        ),
        ({"/a": {"post": {"requestBody": json_body({"properties": {"x": 5}})}}}, "/properties/x: must be a schema"),
        ({"/a": {"post": {"requestBody": json_body({"type": 5})}}}, "/schema/type: must be the name of a type"),
    ],
)
def test_broken_documents(paths: dict[str, Any], told: str) -> None:
    """A fault of the document is told with the place at which it stands."""
    with pytest.raises(ImportRefused) as caught:
        taken(document(paths))
    assert told in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    """Every operation that is broken is named, up to a number that people read."""
    broken = {"post": {"requestBody": json_body({"$ref": "#/gone"})}}
    with pytest.raises(ImportRefused) as caught:
        taken(document({f"/a{number}": broken for number in range(30)}))

    assert 21 == len(caught.value.faults)
    assert "and 10 more" == str(caught.value.faults[-1])


def test_what_is_told_holds_no_commands_of_terminals() -> None:
    """Keys and names of a document are shown without their control characters."""
    with pytest.raises(ImportRefused) as caught:
        taken(document({"/\x1b[31m": []}))
    report = taken(document({**GOOD, "/b\x1b[31m#": {"get": {}}})).report

    assert "\x1b" not in str(caught.value)
    assert "\x1b" not in "".join([*report.summary(), report.markdown("x")])


def test_faults_in_answers_stop_nothing() -> None:
    """Answers only help to find lists and pages, so a reference that leads nowhere there is no fault."""
    made = document({"/a": {"get": {"responses": answer({"$ref": "#/gone"})}}})
    assert ["get-a"] == list(taken(made).functions)


@pytest.mark.parametrize(
    ("include", "functions"),
    [
        (["pets"], ["list-pets"]),
        (["PETS", "/toys/{id}"], ["get-toy", "list-pets"]),
        (["/toys"], ["get-toy", "list-toys"]),
    ],
)
def test_a_part_of_a_document(include: list[str], functions: list[str]) -> None:
    """Tags, in any case, and paths with all below them can be asked for alone; faults elsewhere are no matter."""
    made = document(
        {
            "/pets": {"get": {"operationId": "listPets", "tags": ["pets"]}},
            "/toys": {"get": {"operationId": "listToys"}},
            "/toys/{id}": {"get": {"operationId": "getToy"}},
            "/broken": {"post": {"requestBody": json_body({"$ref": "#/gone"})}},
        }
    )
    imported = taken(made, include=include)

    assert functions == sorted(imported.functions)
    assert 4 - len(functions) == imported.report.not_included
    with pytest.raises(ImportRefused, match="no tag of that name; did you mean 'pets'"):
        taken(made, include=["pet"])


def test_deprecated_operations() -> None:
    """Deprecated operations are left out unless they are asked for, and are no loss."""
    made = document({**GOOD, "/old": {"get": {"deprecated": True}}})

    assert ["get-a"] == list(taken(made).functions)
    assert taken(made).report.is_whole
    assert {"get-a", "get-old"} == set(taken(made, keeps_all=True).functions)


def test_swagger_2() -> None:
    """Swagger 2 gives what OpenAPI 3 would: servers, bodies, forms with files, list styles, references and flows."""
    imported = taken(SWAGGER)
    update, upload, find = (imported.functions[name] for name in ("update-pet", "upload-photo", "find-pets"))

    assert "https://pets.example/v2" == imported.connector["base_url"]
    assert ["oauth2_code", "api_key", "basic"] == [way["type"] for way in imported.connector["auth"]]
    assert {"name": "${args.name}", "tags": "${args.tags?}"} == update["request"]["body"]
    assert {"status": {"value": "${args.status?}", "join": ","}} == find["request"]["query"]
    assert "multipart" in upload["request"]
    assert ["id", "photo"] == upload["parameters"]["required"]
