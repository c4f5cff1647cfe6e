"""What nobody needs in a form is left out by rules that the report names, and is there with `--all`."""

from typing import Any

import pytest

from service_server.openapi_import.document import ImportRefused
from tests.service_server.openapi_import.made_documents import (
    TEXT,
    answer,
    document,
    holding,
    in_header,
    in_path,
    in_query,
    json_body,
    taken,
)

GET: dict[str, Any] = {"get": {}}
POST: dict[str, Any] = {"post": {}}


@pytest.mark.parametrize(
    ("path", "item", "rule"),
    [
        ("/old", {"get": {"deprecated": True}}, "is deprecated"),
        ("/things", {"options": {}}, "does for several at once, or for the connection alone"),
        ("/things", {"head": {}}, "does for several at once, or for the connection alone"),
        ("/things/batch", POST, "does for several at once"),
        ("/things/batch/update", POST, "does for several at once"),
        ("/things:batchCreate", POST, "does for several at once"),
        ("/things/bulk_delete", POST, "does for several at once"),
        ("/v2/batch", POST, "does for several at once"),
        ("/health", GET, "tells whether the service is up"),
        ("/api/v2/__heartbeat__", GET, "tells whether the service is up"),
        ("/server/ping", GET, "tells whether the service is up"),
        ("/", GET, "describes the API itself"),
        ("/api/", GET, "describes the API itself"),
        ("/openapi.json", GET, "describes the API itself"),
        ("/versions", GET, "describes the API itself"),
        ("/oauth2/token", POST, "gives or checks tokens"),
        ("/.well-known/jwks.json", GET, "gives or checks tokens"),
    ],
)
def test_operations_that_nobody_needs(path: str, item: dict[str, Any], rule: str) -> None:
    """Each is left out by a rule, which is no loss, and asking for all of them brings those back that can be sent."""
    paths = {"/things": {**GET, **POST}}
    made = document({**paths, path: {**paths.get(path, {}), **item}})
    [method] = item
    lean, whole = taken(made), taken(made, keeps_all=True)

    assert [f"{method.upper()} {path}"] == [label for label, _ in lean.report.unneeded]
    assert lean.report.unneeded[0][1].startswith(rule)
    assert f"what {rule}" in lean.report.summary()[0]
    assert (2, True) == (len(lean.functions), lean.report.is_whole)
    assert [] == whole.report.unneeded
    assert (2 if method == "options" else 3) == len(whole.functions)


@pytest.mark.parametrize(
    ("path", "item"),
    [
        ("/issues/{id}/status", GET),
        ("/pings", {**GET, **POST}),
        ("/things/{id}/versions", GET),
        ("/apis/batch", GET),
        ("/orders/batch", POST),
        ("/oauth/applications", GET),
        ("/tokens", {**GET, **POST}),
        ("/health/records", GET),
        ("/versions", GET),
    ],
)
def test_operations_that_only_look_so(path: str, item: dict[str, Any]) -> None:
    """What has such a name, but is a thing of the app, stays; versions that one can be had of are such things."""
    assert [] == taken(document({"/things": GET, "/versions/{id}": GET, path: item})).report.unneeded


def test_what_nobody_needs_can_be_had() -> None:
    """Who includes an operation by its very path gets it; where nothing else is there, it is said how to have it."""
    made = document({"/things": GET, "/health": GET})

    assert ["get-health"] == list(taken(made, include=["/health"]).functions)
    with pytest.raises(ImportRefused, match="what is left is nothing that people need"):
        taken(document({"/health": GET}))


@pytest.mark.parametrize(
    "parameter",
    [
        in_query("old", deprecated=True),
        in_query("older", schema={**TEXT, "deprecated": True}),
        in_header("X-Old", schema={**TEXT, "deprecated": True}),
        *map(in_header, ("If-Match", "Accept-Language", "X-Request-Id", "Idempotency-Key")),
        *map(in_query, ("fields", "fields[things]", "$expand", "opt_pretty")),
    ],
    ids=lambda parameter: parameter["name"],
)
def test_parameters_that_nobody_needs(parameter: dict[str, Any]) -> None:
    """Optional ones are left out and told, needed ones are arguments, and all are with `--all`."""

    def made(**more: Any) -> dict[str, Any]:
        return document({"/things": {"get": {"parameters": [{**parameter, **more}]}}})

    lean, whole, needed = taken(made()), taken(made(), keeps_all=True), taken(made(required=True))

    assert {} == lean.functions["list-things"]["parameters"]["properties"]
    assert [("list-things", parameter["name"])] == [
        (each.function, each.where) for each in lean.report.unneeded_parameters
    ]
    for imported in (whole, needed):
        assert [] == imported.report.unneeded_parameters
        assert 1 == len(imported.functions["list-things"]["parameters"]["properties"])


def test_members_of_bodies() -> None:
    """Of a body only what is deprecated is left out: what is called `fields` there may be anything."""
    schema = holding(fax={**TEXT, "deprecated": True}, fields=TEXT)
    made = document({"/things": {"post": {"requestBody": json_body(schema)}}})

    assert ["fields"] == list(taken(made).functions["create-thing"]["parameters"]["properties"])
    assert ["fax", "fields"] == list(taken(made, keeps_all=True).functions["create-thing"]["parameters"]["properties"])


def test_sizes_of_pages() -> None:
    """Where pages are read one by one, nobody needs to say how many a page has, even where that isn't a number."""
    listed = holding(data={"type": "array", "items": {"type": "object"}}, next_cursor=TEXT)
    parameters = [in_query(name) for name in ("cursor", "limit", "colour")]
    made = document({"/things": {"get": {"parameters": parameters, "responses": answer(listed)}}})
    lean, whole = taken(made), taken(made, keeps_all=True)

    assert ["colour"] == list(lean.functions["list-things"]["parameters"]["properties"])
    assert ["limit", "colour"] == list(whole.functions["list-things"]["parameters"]["properties"])
    assert "cursor" == lean.functions["list-things"]["paginate"]


def test_the_list_of_work() -> None:
    """The report names what is left to do, the shortest list first: ids without choices, lists without a search."""
    things = {"responses": answer({"type": "array", "items": holding(id=TEXT, name=TEXT)})}
    paths = {
        "/teams/{team_id}/x/{key}": {"delete": {"parameters": [in_path("team_id"), in_path("key")]}},
        "/things": {"get": things},
        "/things/{id}": {"get": {"parameters": [in_path("id")]}},
    }
    report = taken(document(paths)).report
    headings = [line for line in report.markdown("Acme").splitlines() if line.startswith("## ")]

    assert [("delete-team-x", "key"), ("delete-team-x", "team_id")] == sorted(
        (each.function, each.where) for each in report.typed_in
    )
    assert "- delete-team-x: team\\_id: is an id without choices" in report.markdown("Acme")
    assert sorted(headings, key=lambda line: int(line.rpartition("(")[2].rstrip(")"))) == headings
