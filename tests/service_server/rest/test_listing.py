"""Listing and reading apps and functions: filters, paging, meta, prediction."""

import httpx
import pytest

from service_client.models import CONVERTER, App, Function
from service_server.catalog.load import SHIPPED
from tests.service_server.processes import RunningService
from tests.service_server.rest.conftest import MANY
from tests.service_server.rest.pages import all_pages


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
        assert {"id", *texts, "categories", "connected_accounts"} == set(app)
        assert app["description"]
        assert app["connected_accounts"] == []
        assert isinstance(app["id"], int)


def test_an_app_is_read_by_name(api: httpx.Client) -> None:
    """One app is the same resource as in the list, with and without a trailing slash."""
    listed = {app["name"]: app for app in all_pages(api, "/apps")}

    assert listed["sandbox"] == api.get("/apps/sandbox").json() == api.get("/apps/sandbox/").json()
    assert "Tickets sandbox" == CONVERTER.structure(listed["sandbox"], App).title


def test_icons_are_served_for_ever(api: httpx.Client, rest_service: RunningService) -> None:
    """The icon of an app is an image under an address that changes with it."""
    url = api.get("/apps/sandbox").json()["icon_url"]
    response = api.get(url.removeprefix(rest_service.url))

    assert 200 == response.status_code
    assert "image/svg+xml" == response.headers["content-type"].partition(";")[0]
    assert "immutable" in response.headers["cache-control"]


def test_no_connected_apps_without_accounts(api: httpx.Client) -> None:
    """connected_only leaves nothing for a user without accounts."""
    assert [] == api.get("/apps", params={"connected_only": "true"}).json()["apps"]
    assert [] == api.get("/functions", params={"connected_only": "1"}).json()["functions"]


def test_functions_are_paged_by_fifty(api: httpx.Client) -> None:
    """The cursor leads through all functions, none twice, none missing."""
    names: list[str] = []
    cursor, pages = "", 0
    while True:
        body = api.get("/functions", params={"app": "many", "cursor": cursor}).json()
        names += [function["name"] for function in body["functions"]]
        cursor, pages = body["cursor"], pages + 1
        if not cursor:
            break
        assert 50 == len(body["functions"])

    assert MANY + 1 == len(names) == len(set(names))  # the passthrough function is one more
    assert sorted(names) == names
    assert 3 == pages


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


def test_a_prompt_predicts_a_function(api: httpx.Client) -> None:
    """predict_function answers with one function, its confidence and, when asked, its arguments."""
    params = {"predict_function": "true", "predict_arguments": "true", "app": "sandbox"}
    params["prompt"] = 'create a ticket titled "Printer on fire"'
    body = api.get("/functions", params=params).json()

    assert "" == body["cursor"]
    (function,) = body["functions"]
    assert "sandbox-create-ticket" == function["name"]
    assert "Printer on fire" == function["arguments"]["title"]
    assert 0 < function["prediction"]["confidence"] <= 1
    assert "project_id" in function["prediction"]["missing"]
    assert function["prediction"]["evidence"]["title"] in params["prompt"]


def test_functions_of_several_apps(api: httpx.Client) -> None:
    """Commas between names of apps ask for the functions of all of them, listed or predicted; each must be known."""
    listed = api.get("/functions", params={"app": "sandbox,kinto"}).json()["functions"]
    params = {"predict_function": "true", "prompt": "create a ticket about the printer", "app": "kinto,sandbox"}
    (predicted,) = api.get("/functions", params=params).json()["functions"]
    unknown = api.get("/functions", params={"app": "sandbox,nope"})

    assert {"sandbox", "kinto"} == {function["name"].split("-")[0] for function in listed}
    assert "sandbox-create-ticket" == predicted["name"]
    assert {"sandbox", "kinto"} >= {each["name"].split("-")[0] for each in predicted["prediction"]["alternatives"]}
    assert (404, "unknown_app") == (unknown.status_code, unknown.json()["error_details"][0]["code"])
    assert "nope" in unknown.json()["error"]


def test_nothing_is_predicted_when_nothing_fits(api: httpx.Client) -> None:
    """An irrelevant prompt gets an empty list."""
    params = {"predict_function": "true", "prompt": "what is the meaning of life?"}

    assert {"functions": [], "cursor": ""} == api.get("/functions", params=params).json()


def test_arguments_are_predicted_for_a_chosen_function(api: httpx.Client) -> None:
    """GET /functions/<name> predicts arguments alone."""
    params = {"predict_arguments": "true", "prompt": 'ticket called "No coffee", urgent'}
    body = api.get("/functions/sandbox-create-ticket", params=params).json()

    assert "No coffee" == body["arguments"]["title"]
    assert body["arguments"]["urgent"] is True


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
