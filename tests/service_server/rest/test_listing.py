"""Listing and reading apps and functions: filters, paging, meta, prediction."""

from typing import Any

import httpx
import pytest

from service_client.models import CONVERTER, App, Function
from service_server.catalog.load import SHIPPED
from tests.service_server.processes import RunningService
from tests.service_server.rest.conftest import MANY, all_pages
from tests.service_server.rest.test_wrong_requests import refusal

pytestmark = pytest.mark.slow

TICKET = "sandbox-create-ticket"


def functions(api: httpx.Client, **query: str) -> list[dict[str, Any]]:
    """The first page of functions."""
    return api.get("/functions", params=query).json()["functions"]


def test_apps_are_listed_and_read_with_all_fields(api: httpx.Client) -> None:
    """Sorted by name; the same by name, with and without a slash at its end; the icon may be kept for ever."""
    apps = {app["name"]: app for app in all_pages(api, "/apps")}
    sandbox = apps["sandbox"]
    icon = api.get(sandbox["icon_url"])

    assert sorted(apps) == list(apps)
    assert {"many", *(file.parent.name for file in SHIPPED.glob("*/connector.yaml"))} == set(apps)
    for app in apps.values():
        texts = {"name", "title", "description", "icon_url", "docs_url"}
        assert {"id", *texts, "also_called", "categories", "connected_accounts"} == set(app)
        assert (True, [], int) == (bool(app["description"]), app["connected_accounts"], type(app["id"]))
    assert ["gcal", "google cal", "google meet"] == apps["google_calendar"]["also_called"]
    assert sandbox == api.get("/apps/sandbox").json() == api.get("/apps/sandbox/").json()
    assert "Tickets sandbox" == CONVERTER.structure(sandbox, App).title
    assert (200, "image/svg+xml") == (icon.status_code, icon.headers["content-type"].partition(";")[0])
    assert "immutable" in icon.headers["cache-control"]
    assert [] == api.get("/apps", params={"connected_only": "true"}).json()["apps"]
    assert [] == functions(api, connected_only="1")


def test_functions_are_paged_by_fifty(rest_service: RunningService, api: httpx.Client) -> None:
    """The cursor leads through all functions, none twice, none missing; it is bound to its list, filters and user."""
    pages = [api.get("/functions", params={"app": "many"}).json()]
    while cursor := pages[-1]["cursor"]:
        pages.append(api.get("/functions", params={"app": "many", "cursor": cursor}).json())
    names = [function["name"] for page in pages for function in page["functions"]]

    assert MANY + 1 == len(names) == len(set(names))  # the passthrough function is one more
    assert sorted(names) == names
    assert [50, 50, MANY + 1 - 100] == [len(page["functions"]) for page in pages]
    cursor = pages[0]["cursor"]
    with rest_service.api("user-2") as other:
        attempts = [
            other.get("/functions", params={"app": "many", "cursor": cursor}),
            api.get("/functions", params={"cursor": cursor}),
            api.get("/apps", params={"cursor": cursor}),
            api.get("/functions", params={"app": "many", "cursor": "ÿ.é"}),
        ]
    assert [(400, "bad_cursor", "cursor")] * len(attempts) == [refusal(each) for each in attempts]


def test_functions_are_filtered(api: httpx.Client) -> None:
    """By type, of which the sandbox has every kind; commas between apps ask for all of them, each of which is known."""
    for kind in ("query", "mutation", "passthrough"):
        found = functions(api, app="sandbox", type=kind)
        assert {(kind, "sandbox")} == {(each["type"], each["name"].partition("-")[0]) for each in found}
    assert {"sandbox", "kinto"} == {each["name"].split("-")[0] for each in functions(api, app="sandbox,kinto")}
    unknown = api.get("/functions", params={"app": "sandbox,nope"})
    assert (404, "unknown_app", "app") == refusal(unknown)
    assert "nope" in unknown.json()["error"]


def test_meta_comes_only_when_asked_for(api: httpx.Client) -> None:
    """include=meta adds what a form needs, in lists too; descriptions tell which function lists valid values."""
    plain = api.get(f"/functions/{TICKET}").json()
    full = api.get(f"/functions/{TICKET}", params={"include": "meta"}).json()

    assert "meta" not in plain
    assert "sandbox-list-projects" in plain["parameters"]["properties"]["project_id"]["description"]
    assert "sandbox-list-projects" == full["meta"]["fields"]["project_id"]["source"]["function"]
    assert "sandbox-list-custom-fields" == full["meta"]["fields"]["fields"]["dynamic_fields"]["function"]
    assert full in functions(api, app="sandbox", include="meta")
    assert full["meta"] == CONVERTER.unstructure(CONVERTER.structure(full, Function))["meta"]


def test_functions_and_arguments_are_predicted(api: httpx.Client) -> None:
    """One function, its confidence and, when asked, its arguments; or these alone; nothing where nothing fits."""
    prompt = 'create a ticket titled "Printer on fire"'
    wanted = {"predict_function": "true", "app": "kinto,sandbox"}
    body = api.get("/functions", params={**wanted, "predict_arguments": "true", "prompt": prompt}).json()
    asked = {"predict_arguments": "true", "prompt": 'ticket called "No coffee", urgent'}
    alone = api.get(f"/functions/{TICKET}", params=asked).json()
    nothing = api.get("/functions", params={"predict_function": "true", "prompt": "what is the meaning of life?"})

    (function,) = body["functions"]
    prediction = function["prediction"]
    assert ("", TICKET, "Printer on fire") == (body["cursor"], function["name"], function["arguments"]["title"])
    assert 0 < prediction["confidence"] <= 1
    assert "project_id" in prediction["missing"]
    assert prediction["evidence"]["title"] in prompt
    assert {"sandbox", "kinto"} >= {each["name"].split("-")[0] for each in prediction["alternatives"]}
    assert {"title": "No coffee", "urgent": True}.items() <= alone["arguments"].items()
    assert {"functions": [], "cursor": ""} == nothing.json()


def test_no_cache_keeps_what_belongs_to_one_user(api: httpx.Client) -> None:
    """User-ID is no part of an address, so a cache that kept an answer would give it to the next user."""
    for path in ("/apps", "/apps/none", "/functions", "/nowhere"):
        headers = api.get(path).headers
        assert ("no-store", "nosniff") == (headers["cache-control"], headers["x-content-type-options"]), path
