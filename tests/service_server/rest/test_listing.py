"""Listing and reading apps and functions: filters, paging, meta, prediction."""

from typing import Any

import httpx
import pytest

from service_client.models import CONVERTER, App, Function
from service_server.catalog.load import SHIPPED
from tests.service_server.processes import RunningService
from tests.service_server.rest.conftest import MANY
from tests.service_server.rest.pages import all_pages

pytestmark = pytest.mark.slow

TICKET = "sandbox-create-ticket"


def error_of(response: httpx.Response) -> dict[str, object]:
    """The first detail of an error."""
    detail: dict[str, object] = response.json()["error_details"][0]
    return detail


def test_apps_are_listed_with_all_fields(api: httpx.Client) -> None:
    """Every field of the specification is there, sorted by name."""
    apps = all_pages(api, "/apps")
    names = [app["name"] for app in apps]

    assert sorted(names) == names
    assert {"many", *(file.parent.name for file in SHIPPED.glob("*/connector.yaml"))} == set(names)
    for app in apps:
        texts = {"name", "title", "description", "icon_url", "docs_url"}
        assert {"id", *texts, "also_called", "categories", "connected_accounts"} == set(app)
        assert app["description"]
        assert app["connected_accounts"] == []
        assert isinstance(app["id"], int)


def test_an_app_is_read_by_name(api: httpx.Client) -> None:
    """The same resource as in the list, with and without a slash at its end; its icon may be kept for ever."""
    listed = {app["name"]: app for app in all_pages(api, "/apps")}
    icon = api.get(listed["sandbox"]["icon_url"])

    assert ["gcal", "google cal"] == listed["google_calendar"]["also_called"]
    assert listed["sandbox"] == api.get("/apps/sandbox").json() == api.get("/apps/sandbox/").json()
    assert "Tickets sandbox" == CONVERTER.structure(listed["sandbox"], App).title
    assert (200, "image/svg+xml") == (icon.status_code, icon.headers["content-type"].partition(";")[0])
    assert "immutable" in icon.headers["cache-control"]
    assert [] == api.get("/apps", params={"connected_only": "true"}).json()["apps"]
    assert [] == api.get("/functions", params={"connected_only": "1"}).json()["functions"]


def test_functions_are_paged_by_fifty(api: httpx.Client) -> None:
    """The cursor leads through all functions, none twice, none missing."""
    pages = [api.get("/functions", params={"app": "many"}).json()]
    while cursor := pages[-1]["cursor"]:
        pages.append(api.get("/functions", params={"app": "many", "cursor": cursor}).json())
    names = [function["name"] for page in pages for function in page["functions"]]

    assert MANY + 1 == len(names) == len(set(names))  # the passthrough function is one more
    assert sorted(names) == names
    assert [50, 50, MANY + 1 - 100] == [len(page["functions"]) for page in pages]


def test_cursors_are_bound_to_user_and_filters(rest_service: RunningService, api: httpx.Client) -> None:
    """A forged cursor, another user's, and one of other filters are refused."""
    cursor = api.get("/functions", params={"app": "many"}).json()["cursor"]
    with rest_service.api("user-2") as other:
        attempts = [
            other.get("/functions", params={"app": "many", "cursor": cursor}),
            api.get("/functions", params={"cursor": cursor}),
            api.get("/apps", params={"cursor": cursor}),
            api.get("/functions", params={"app": "many", "cursor": cursor[:-4] + "AAAA"}),
            api.get("/functions", params={"app": "many", "cursor": "x"}),
            api.get("/functions", params={"app": "many", "cursor": "ÿ.é"}),
        ]

    assert [(400, "bad_cursor")] * len(attempts) == [(each.status_code, error_of(each)["code"]) for each in attempts]


def test_functions_are_filtered_by_type(api: httpx.Client) -> None:
    """type leaves only that kind; every kind exists for the sandbox."""
    for kind in ("query", "mutation", "passthrough"):
        functions = api.get("/functions", params={"app": "sandbox", "type": kind}).json()["functions"]

        assert {(kind, "sandbox")} == {(each["type"], each["name"].partition("-")[0]) for each in functions}


def test_meta_comes_only_when_asked_for(api: httpx.Client) -> None:
    """include=meta adds what a form needs, in lists too; descriptions tell which function lists valid values."""
    plain = api.get("/functions/sandbox-create-ticket").json()
    full = api.get("/functions/sandbox-create-ticket", params={"include": "meta"}).json()
    listed = api.get("/functions", params={"app": "sandbox", "include": "meta"}).json()["functions"]

    assert "meta" not in plain
    assert "sandbox-list-projects" in plain["parameters"]["properties"]["project_id"]["description"]
    assert "sandbox-list-projects" == full["meta"]["fields"]["project_id"]["source"]["function"]
    assert "sandbox-list-custom-fields" == full["meta"]["fields"]["fields"]["dynamic_fields"]["function"]
    assert full in listed
    assert full["meta"] == CONVERTER.unstructure(CONVERTER.structure(full, Function))["meta"]


def predicted(api: httpx.Client, prompt: str, path: str = "/functions", **more: str) -> dict[str, Any]:
    """What is predicted from a prompt."""
    body: dict[str, Any] = api.get(path, params={"prompt": prompt, **more}).json()
    return body


def test_functions_and_arguments_are_predicted(api: httpx.Client) -> None:
    """One function, its confidence and, when asked, its arguments; or these alone; nothing where nothing fits."""
    prompt = 'create a ticket titled "Printer on fire"'
    body = predicted(api, prompt, predict_function="true", predict_arguments="true", app="sandbox")
    alone = predicted(api, 'ticket called "No coffee", urgent', f"/functions/{TICKET}", predict_arguments="true")

    assert "" == body["cursor"]
    (function,) = body["functions"]
    assert (TICKET, "Printer on fire") == (function["name"], function["arguments"]["title"])
    assert 0 < function["prediction"]["confidence"] <= 1
    assert "project_id" in function["prediction"]["missing"]
    assert function["prediction"]["evidence"]["title"] in prompt
    assert {"title": "No coffee", "urgent": True}.items() <= alone["arguments"].items()
    nothing = predicted(api, "what is the meaning of life?", predict_function="true")
    assert {"functions": [], "cursor": ""} == nothing


def test_functions_of_several_apps(api: httpx.Client) -> None:
    """Commas between names of apps ask for the functions of all of them, listed or predicted; each must be known."""
    listed = api.get("/functions", params={"app": "sandbox,kinto"}).json()["functions"]
    found = predicted(api, "create a ticket about the printer", predict_function="true", app="kinto,sandbox")
    (function,) = found["functions"]
    unknown = api.get("/functions", params={"app": "sandbox,nope"})

    assert {"sandbox", "kinto"} == {each["name"].split("-")[0] for each in listed}
    assert TICKET == function["name"]
    assert {"sandbox", "kinto"} >= {each["name"].split("-")[0] for each in function["prediction"]["alternatives"]}
    assert (404, "unknown_app") == (unknown.status_code, error_of(unknown)["code"])
    assert "nope" in unknown.json()["error"]


@pytest.mark.parametrize(
    ("path", "params", "status", "code"),
    [
        ("/apps/nope", {}, 404, "unknown_app"),
        ("/functions", {"app": "nope"}, 404, "unknown_app"),
        ("/functions/nope-nothing", {}, 404, "unknown_function"),
        ("/functions", {"type": "bad"}, 400, "enum"),
        ("/functions", {"include": "bad"}, 400, "enum"),
        ("/functions", {"connected_only": "perhaps"}, 400, "type"),
        ("/functions", {"predict_function": "true"}, 400, "prompt_required"),
        ("/functions", {"predict_function": "true", "prompt": "  "}, 400, "prompt_required"),
        ("/functions", {"predict_function": "true", "prompt": "x" * 4001}, 400, "prompt_too_long"),
        ("/functions", {"predict_arguments": "true", "prompt": "x"}, 400, "predict_function_required"),
        ("/functions/sandbox-create-ticket", {"predict_arguments": "true"}, 400, "prompt_required"),
        ("/nowhere", {}, 404, "not_found"),
    ],
)
def test_bad_requests_have_a_code(api: httpx.Client, path: str, params: dict[str, str], status: int, code: str) -> None:
    """Each mistake is told in the envelope, with the request's id."""
    response = api.get(path, params=params)

    assert (status, code) == (response.status_code, error_of(response)["code"])
    assert response.headers["request-id"] == response.json()["request_id"]
