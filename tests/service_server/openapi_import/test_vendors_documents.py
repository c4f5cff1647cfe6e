"""Vendors' own documents are imported whole, and what the functions send is what those documents describe."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from service_client.models import FieldMeta, Function
from service_server.catalog.check import check
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.load import load_connector
from service_server.catalog.values import Connector
from service_server.openapi_import.read import open_document
from service_server.openapi_import.steps import Choice, Imported, import_document
from service_server.openapi_import.write import write_connector
from tests.connectors.building import request_of
from tests.connectors.descriptions.openapi import OpenApiDocument, OpenApiJudge
from tests.connectors.descriptions.sent import Sent
from tests.service_server.openapi_import.imported_documents import IMPORTED

pytestmark = pytest.mark.slow

# Where one of several forms of an object has to be sent, arguments that fit none or two of them can be made up.
LEAST_SHARES = {
    "github": 0.95,
    "notion": 0.91,
    "paypal": 0.56,
    "figma": 0.98,
    "netlify": 1.0,
    "jupyter": 1.0,
    "kubernetes": 1.0,
    "twilio": 1.0,
    "directus": 1.0,
    "okta": 0.96,
}
MOST_TRIED = 30
PARTS = {"kubernetes": ("/apis/apps/v1",)}  # its schemas are so large that the whole takes most of a minute

_TEXTS = {"date": "2026-11-21", "date-time": "2026-11-21T10:00:00Z", "email": "ada@example.com"}


@cache
def content_of(name: str) -> dict[str, Any]:
    """Read a vendor's document; skip where it wasn't fetched."""
    try:
        [text] = IMPORTED[name].texts().values()
    except FileNotFoundError:
        pytest.skip(f"the document of {name} isn't fetched: run python -m tests.connectors.vendors")
    return json.loads(text) if text.startswith("{") else yaml.load(text, yaml.CSafeLoader)


@cache
def imported_from(name: str) -> Imported:
    """Import a vendor's document."""
    return import_document(content_of(name), Choice(f"{name}_imported", include=PARTS.get(name, ())))


@pytest.mark.parametrize("name", LEAST_SHARES)
def test_requests_follow_the_document(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    Every function passes the check, and nearly all that they send is valid by the document it was made from.

    Each function (of many, the same few hundred) is tried with all its arguments and with only those it
    requires, made up from its own schema; every name that is sent has to be declared in the document.
    """
    # Swagger 2 is judged as what the import made of it in OpenAPI 3, for nothing else validates it.
    root = open_document(content_of(name))[0].root.object
    content = {key: value for key, value in root.items() if key != "swagger"}
    imported = imported_from(name)
    folder = tmp_path / imported.connector["name"]
    write_connector(folder, imported.connector, imported.texts, imported.report.markdown(name))
    assert [] == check(folder)
    connector, _ = load_connector(folder)
    base_url = imported.connector["base_url"].replace("${vars.server_url}", "https://app.example.com")
    base_url = re.sub(r"\$\{[^}]*\}", "*", base_url)
    judge = OpenApiJudge((OpenApiDocument(content, base_url),))
    functions = [each for each in connector.functions.values() if each.type != "passthrough"]
    tried = random.Random(0).sample(functions, min(MOST_TRIED, len(functions)))
    faults = {f"{request}: {fault}": None for request, fault in judged(connector, tried, judge)}
    requests = 2 * len(tried)
    share = 1 - len({fault.partition(": ")[0] for fault in faults}) / requests

    with capsys.disabled():
        print(f"\n{name}: {len(imported.functions)} functions, {share:.1%} of {requests} requests as described")
    assert share >= LEAST_SHARES[name], "\n".join(list(faults)[:40])


def test_all_of_github_is_imported() -> None:
    """Of GitHub's document only what nobody needs, and one operation on another server, is left out."""
    imported = imported_from("github")
    report = imported.report

    assert [
        ("POST /repos/{owner}/{repo}/releases/{release_id}/assets", "it is on another server than most")
    ] == report.operations_left_out
    methods = ("get", "post", "put", "patch", "delete")
    described = sum(key in methods for item in content_of("github")["paths"].values() for key in item)
    assert described == len(imported.functions) + len(report.unneeded) + 1


@pytest.mark.parametrize(
    ("stem", "method", "path"),
    [
        ("create-issue", "post", "/repos/${args.owner}/${args.repo}/issues"),
        ("list-repository-issues", "get", "/repos/${args.owner}/${args.repo}/issues"),
        ("create-pull-request", "post", "/repos/${args.owner}/${args.repo}/pulls"),
        ("list-organization-repositories", "get", "/orgs/${args.org}/repos"),
        ("get-authenticated-user", "get", "/user"),
        ("delete-deploy-key", "delete", "/repos/${args.owner}/${args.repo}/keys/${args.key_id}"),
    ],
)
def test_github_is_named_as_by_hand(stem: str, method: str, path: str) -> None:
    """GitHub's functions have the names that somebody would give them."""
    assert path == imported_from("github").functions[stem]["request"][method]


def judged(connector: Connector, functions: Sequence[Function], judge: OpenApiJudge) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the requests of functions: the request and the fault."""
    for function in functions:
        everything = made_up(function.parameters, "", function.fields)
        required = {key: everything[key] for key in function.parameters["required"]}
        for which, arguments in (("all", everything), ("required", required)):
            label = f"{function.name} with {which} arguments"
            wrong = next(function.validator.iter_errors(arguments), None)
            if wrong is not None:
                yield label, f"the arguments are not valid: {wrong.message}"
                continue
            try:
                request = request_of(connector, function, arguments)
            except InvalidRequest as error:
                yield label, error.message
                continue
            yield from ((label, fault) for fault in judge.faults(Sent.of(request)))


def made_up(schema: Mapping[str, Any], path: str, fields: Mapping[str, FieldMeta]) -> Any:
    """Make up a value from a published schema and, for the form of a text, from what an empty field shows."""
    if "enum" in schema:
        return schema["enum"][-1]
    match schema["type"]:
        case "object":
            members = schema["properties"].items()
            return {name: made_up(child, f"{path}.{name}".lstrip("."), fields) for name, child in members}
        case "array":
            return [made_up(schema["items"], f"{path}[]", fields)]
        case "number":
            return min(max(7, schema.get("minimum", 7)), schema.get("maximum", 7))
        case "boolean":
            return True
        case _:
            shown = fields[path].placeholder if path in fields else ""
            if "pattern" in schema:
                return matching(schema["pattern"])
            return _TEXTS.get(
                schema.get("format", ""), shown or ("https://x.example/" if "format" in schema else "a1b2")
            )


@cache
def matching(pattern: str) -> str:
    """Make up a text that a pattern finds; looking for the shortest one would take most of a minute."""
    try:
        return find(
            st.from_regex(pattern),
            lambda text: text.isprintable() and len(text) > 1,
            settings=settings(database=None, deadline=None, derandomize=True, phases=(Phase.generate,)),
        )
    except NoSuchExample:
        return "a1"
