"""What refuses a call right before it leaves: a permission that is missing, another host, what a hook says."""

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service_client.models import Action, Code
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import load_catalog
from service_server.errors import ServiceError
from service_server.invoke import CallRequest, FormBody, JsonBody
from service_server.invoke.build_request import build_request
from service_server.invoke.check_scopes import check_scopes
from service_server.invoke.invocation import Arguments
from service_server.oauth.credentials import Opened
from service_server.oauth.secrets_of_account import Secrets
from service_server.onward.values import OnwardRequest
from tests.service_server.calls.callers import account_of, request_of
from tests.service_server.calls.clerk import clerk
from tests.service_server.calls.scripted_calls import written

VARIABLES = {"base_url": "https://tickets.example"}


@pytest.fixture(scope="module")
def clerks(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """An app whose functions need permissions, and whose hooks fail."""
    directory: Path = tmp_path_factory.mktemp("clerk")
    clerk().write(directory, "clerk")
    return load_catalog([directory])


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """An app with a look-up, pages and a free-form function."""
    return written(tmp_path_factory.mktemp("acme"))


@pytest.mark.parametrize("body", [partial(JsonBody, {}), partial(FormBody, ())])
@pytest.mark.parametrize(("size", "turns"), [(0, 0), (32 * 1024, 0), (32 * 1024 + 1, 1)])
async def test_a_call_with_much_to_work_on_lets_others_go_first(
    acme: Catalog, body: Any, size: int, turns: int
) -> None:
    """For one turn between its steps, from 32 KiB on; all others go straight on."""
    taken: list[None] = []

    async def other() -> None:
        while len(taken) < 9:
            taken.append(await asyncio.sleep(0))

    others = asyncio.create_task(other())
    await asyncio.sleep(0)
    await request_of(acme, "acme-find", body(size=size)).give_way()
    during = len(taken)
    await others

    assert turns == during


def opened(request: CallRequest, way: str = "key", **token: Any) -> Opened:
    """An account of the app that was connected this way."""
    auth = next(each for each in request.connector.auth if each.id == way)
    context = {"creds": {"key": "k", "api_key": "k"}, "token": token, "vars": VARIABLES}
    return Opened(account=account_of(), connector=request.connector, auth=auth, context=context, secrets=Secrets())


@pytest.mark.parametrize(
    ("function", "way", "token", "missing"),
    [
        ("create-ticket", "oauth", {"scope": "tickets:read"}, "tickets:write"),
        ("create-ticket", "oauth", {"scope": "tickets:read tickets:write"}, None),
        ("create-ticket", "oauth", {}, None),  # a provider that says nothing of permissions: the app itself decides
        ("create-ticket", "key", {"scope": "tickets:read"}, None),
        ("list-labels", "oauth", {"scope": "other"}, "tickets:admin"),  # of several that would do, the first
        ("list-labels", "oauth", {"scope": "tickets:read"}, None),
    ],
)
def test_a_missing_permission_is_told_with_the_button_that_helps(
    clerks: Catalog, function: str, way: str, token: dict[str, str], missing: str | None
) -> None:
    """By its name, and for which account; what is not known to be missing is tried."""
    request = request_of(clerks, f"clerk-{function}", app="clerk")
    if missing is None:
        check_scopes(request, opened(request, way, **token))
        return
    with pytest.raises(ServiceError, match=f"“Account 3” in Clerk: {missing}\\.") as refusal:
        check_scopes(request, opened(request, way, **token))

    found = refusal.value
    assert (400, Code.MISSING_SCOPE, Action.RECONNECT) == (found.status, found.code, found.details[0].action)


def built(
    catalog: Catalog,
    function: str,
    values: dict[str, Any],
    looked_up: Mapping[str, Any] | None = None,
    position: Any = None,
    app: str = "acme",
) -> OnwardRequest:
    """The request of a call, as it leaves."""
    request = request_of(catalog, f"{app}-{function}", app=app)
    arguments = Arguments(values=values, position=position)
    onward, rules = build_request(request, arguments, opened(request), looked_up or {})
    assert rules.allows(onward.url)
    return onward


def refusal_of(catalog: Catalog, function: str, values: dict[str, Any], app: str = "acme") -> ServiceError:
    """Why there is none."""
    with pytest.raises(ServiceError) as refusal:
        built(catalog, function, values, app=app)
    return refusal.value


def test_a_request_is_made_of_arguments_and_credentials(acme: Catalog) -> None:
    """And of what a look-up or a request before gave, and of the place where a list goes on."""
    fields = built(acme, "fields", {"ticket": "7"}, {"queue": "q"})
    further = built(acme, "fields", {"ticket": "7"}, {"queue": "q"}, "https://api.acme.example/queues/q/fields?p=2")

    assert ("GET", "https://api.acme.example/queues/q/fields") == (fields.method, fields.url)
    assert "https://api.acme.example/queues/q/fields?p=2" == further.url
    assert "k" == dict(fields.headers)["X-Key"] == dict(further.headers)["X-Key"]
    assert "https://api.acme.example/places/7/done" == built(acme, "put", {}, {"id": "7"}).url


def test_a_free_request_may_go_to_the_apps_hosts(acme: Catalog) -> None:
    """To its own API, and to what its connector allows beside that; any other is refused at the field `url`."""
    for url, sent in (("/things", "https://api.acme.example/things"), ("https://files.acme.example/a",) * 2):
        assert sent == built(acme, "passthrough-request", {"method": "GET", "url": url}).url
    refusal = refusal_of(acme, "passthrough-request", {"method": "GET", "url": "https://elsewhere.example/"})
    (detail,) = refusal.details

    assert (400, Code.HOST_NOT_ALLOWED, "url") == (refusal.status, detail.code, detail.field)
    assert Action.FIX_FIELD == detail.action
    assert "a host of Acme: api.acme.example, files.acme.example." in refusal.error


def test_what_a_hook_says_of_an_argument_is_told_there(clerks: Catalog) -> None:
    """As a refusal at its field; a hook with a defect is told as one, without its words."""
    refusal = refusal_of(clerks, "create-ticket", {"line": "no project"}, app="clerk")
    defect = refusal_of(clerks, "create-ticket", {"line": "defect@project"}, app="clerk")
    (detail,) = refusal.details

    assert (400, Code.FORMAT, "line", Action.FIX_FIELD) == (refusal.status, detail.code, detail.field, detail.action)
    assert "line must name a project after an @" == refusal.error
    assert (500, Code.INTERNAL, None) == (defect.status, defect.code, defect.details[0].field)
    assert "Nothing was sent" in defect.error
    assert "defect@project" not in defect.error
