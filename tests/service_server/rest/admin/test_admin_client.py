"""All that the admin API does, by both clients on a real service; and that the audit trail has it."""

import json
from collections.abc import Iterator

import pytest

from service_client import BadRequestError, NotFoundError, PermissionDeniedError
from service_client.admin import AdminClient, AsyncAdminClient
from tests.examples.processes import SandboxApp
from tests.service_server.administration.test_brands import png
from tests.service_server.connecting import connect_by_key
from tests.service_server.console.operator_browser import PASSWORD, browser
from tests.service_server.rest.admin.conftest import AdminWorld

pytestmark = pytest.mark.slow


@pytest.fixture
def client(admin: AdminWorld) -> Iterator[AdminClient]:
    """An owner's client."""
    with AdminClient(admin.service.url, admin.keys["owner"]) as client:
        yield client


async def test_the_awaiting_client(client: AdminClient, admin: AdminWorld) -> None:
    """It has the same methods, by the same plans, and they are awaited."""
    async with AsyncAdminClient(admin.service.url, admin.keys["owner"]) as awaiting:
        made = await awaiting.applications.create("Awaited")
        with pytest.raises(NotFoundError):
            await awaiting.applications.get(987654)
        listed = [each async for each in awaiting.applications.list(limit=1)]
        methods, awaited = [
            {
                noun: [name for name in dir(resource) if name[0] != "_"]
                for noun, resource in vars(each).items()
                if noun[0] != "_"
            }
            for each in (client, awaiting)
        ]

    assert made.application in listed
    assert methods == awaited


def test_applications(client: AdminClient, admin: AdminWorld) -> None:
    """Made, renamed, listed in pages; secrets, origins and the brand change, and the trail says so."""
    made = client.applications.create("Bolt", origins=["https://bolt.example"])
    number = made.application.id
    renamed = client.applications.rename(number, "Bolt Desk")
    second = client.applications.add_secret(number)
    with pytest.raises(BadRequestError, match="two live secrets") as refused:
        client.applications.add_secret(number)
    client.applications.retire_secret(number, second.application.secrets[-1])
    allowed = client.applications.allow_origin(number, "https://more.example")
    client.applications.disallow_origin(number, "https://bolt.example")
    branded = client.applications.set_brand(number, name="Bolt!", accent="#0A7D5C", logo=png())
    unbranded = client.applications.set_brand(number, name="", logo=b"")
    first = client.applications.list(limit=1)
    found = client.applications.get(number)
    trail = list(client.audit.list(subject=str(number), since="5m"))

    assert ("Bolt", "Bolt Desk") == (made.application.name, renamed.name)
    assert ["not_possible"] == [each.code for each in refused.value.details]
    assert {"https://bolt.example", "https://more.example"} == set(allowed.allowed_origins)
    assert (("https://more.example",), second.application.secrets[:1]) == (found.allowed_origins, found.secrets)
    assert ("Bolt!", "#0a7d5c", True) == (branded.name, branded.accent, branded.logo.startswith("data:image/png"))
    assert (None, "#0a7d5c", None) == (unbranded.name, unbranded.accent, unbranded.logo)
    assert unbranded == client.applications.brand(number)
    assert (1, True) == (len(first.data), first.has_next_page())
    assert found in client.applications.list(limit=1)
    acts = "created renamed secret_added secret_retired origin_allowed origin_disallowed branded branded"
    assert acts == " ".join(each.act.removeprefix("application.") for each in reversed(trail))
    assert {("api", "owner")} == {(each.via, each.actor) for each in trail}
    assert all(each.key_id and each.request_id and each.address for each in trail)
    assert made.secret not in repr(made)


def test_settings_of_apps(client: AdminClient) -> None:
    """Set, read and removed, for all and for one application; what is wrong is told by setting."""
    application = client.applications.create("Own settings").application.id
    client.apps.configure("kinto", variables={"server_url": "https://kinto.example"})
    shared = client.apps.get("kinto")
    own = client.apps.configure("github", client_id="mine", client_secret="hush", application=application)
    refused = []
    for name in ("nonsense", "", "a[b", "n" * 101):  # what a form couldn't hold is refused in JSON, too
        with pytest.raises(BadRequestError) as wrong:
            client.apps.configure("kinto", variables={name: "x"})
        refused += [(each.field, each.code) for each in wrong.value.details]
    with pytest.raises(NotFoundError):
        client.apps.get("nothing")
    client.apps.share("github", application)
    after = client.apps.get("github", application=application)

    assert "https://kinto.example" == shared.variables["server_url"]
    assert (True, "mine", True) == (own.own, own.client_id, own.has_client_secret)
    assert "hush" not in repr(own)
    assert "variable.nonsense" == refused[0][0]
    assert [("variables", "format")] * 3 == refused[1:]
    assert (False, None) == (after.own, after.client_id)
    assert any(each.missing for each in after.ways)
    assert "kinto" in [each.app for each in client.apps.list(limit=40)]


def test_accounts_and_calls(client: AdminClient, admin: AdminWorld, sandbox: SandboxApp) -> None:
    """Found by whose they are; a call has its contents, an export all calls, and disconnecting is told to the trail."""
    user = "administered"
    account = connect_by_key(admin.service, user, sandbox.api_keys["alice"])
    with admin.service.api(user) as api:
        made = api.post("/functions/sandbox-list-projects")
        assert api.post("/functions/sandbox-create-ticket", json={}).status_code == 400
    (found,) = client.accounts.list(user=user, app="sandbox", state="active")
    (call,) = client.calls.list(user=user, outcome="succeeded", since="1h")
    whole = client.calls.get(call.id)
    (refusal,) = client.calls.refused(user=user, code="required")
    lines = client.calls.export(user=user, contents=True)
    table = client.calls.export(user=user, format="csv")
    with pytest.raises(BadRequestError) as wrong:
        list(client.calls.list(since="tomorrow"))
    client.accounts.disconnect(account)
    with pytest.raises(NotFoundError):
        client.accounts.get(account)
    acts = [each.act for each in client.audit.list(by="owner", since="2m", limit=200)]

    assert (account, user, "key") == (found.id, found.user_id, found.auth)
    assert made.headers["request-id"] == call.request_id
    assert (False, True) == (call.has_contents, whole.has_contents)
    assert isinstance(whole.output, list)
    assert "sandbox-create-ticket" == refusal.function
    assert [whole.output] == [json.loads(line)["output"] for line in lines.splitlines()]
    assert table.decode().startswith("id,")
    assert b"arguments" not in table
    assert ["since"] == [each.field for each in wrong.value.details]
    assert ["account.disconnected", "calls.exported", "calls.exported", "call.read"] == acts[:4]


def test_a_call_is_run_again(client: AdminClient, admin: AdminWorld, sandbox: SandboxApp) -> None:
    """A query as it is, a change only if that is confirmed; the trail has what was sent, and no more."""
    user = "runs again"
    connect_by_key(admin.service, user, sandbox.api_keys["alice"])
    with admin.service.api(user) as api:
        assert api.post("/functions/sandbox-list-projects").is_success
        assert api.post("/functions/sandbox-create-ticket", json={"title": "T", "project_id": "website"}).is_success
    change, query = client.calls.list(user=user)
    read_again = client.calls.replay(query.id)
    with pytest.raises(BadRequestError) as refused:
        client.calls.replay(change.id)
    before = [each.id for each in client.calls.list(user=user)]
    changed_again = client.calls.replay(change.id, confirmed=True)
    whole = client.calls.get(changed_again.call_id)
    with pytest.raises(NotFoundError):
        client.calls.replay("0" * 32)
    forbidden = admin.clients["allowed"].post(f"/admin/calls/{query.id}/replay")
    trail = list(client.audit.list(act="call.replayed", since="5m", limit=200))

    assert [("confirmed", "not_possible")] == [(each.field, each.code) for each in refused.value.details]
    assert [read_again.call_id, change.id, query.id] == before
    assert ("sandbox-create-ticket", user, "T") == (whole.function, whole.user_id, whole.arguments["title"])
    assert whole.network_code == change.network_code
    assert 403 == forbidden.status_code
    assert [change.id, query.id] == [each.subject for each in trail][:2]
    assert [whole.request_id] == [each.request_id for each in trail][:1]


def test_one_users_data(client: AdminClient, admin: AdminWorld, sandbox: SandboxApp) -> None:
    """All of it is exported, then erased; of what was erased the counts are told, and nothing is found again."""
    user = "to be erased"
    connect_by_key(admin.service, user, sandbox.api_keys["alice"])
    application = admin.found("/admin/applications", limit=1)["data"][0]["id"]
    lines = client.users.export(application, user).splitlines()
    erased = client.users.erase(application, user)
    again = client.users.erase(application, user)

    assert ["user", "account"] == [json.loads(line)["type"] for line in lines][:2]
    assert (1, 1, 0) == (erased.counts["account"], erased.counts["connect_session"], erased.not_revoked)
    assert {0} == set(again.counts.values())
    assert [] == list(client.accounts.list(user=user))
    with pytest.raises(NotFoundError):
        client.users.erase(987654, user)


def test_sign_in_settings_are_tried(client: AdminClient) -> None:
    """With the app itself; where something is missing that is said."""
    tried = client.apps.try_sign_in("sandbox")
    with pytest.raises(BadRequestError, match="Complete the settings first"):
        client.apps.try_sign_in("github")

    assert [("sign-in page", "works"), ("client", "works")] == [(each.what, each.result) for each in tried]


def test_webhooks(client: AdminClient) -> None:
    """Endpoints come, are tested, disabled and go; deliveries are listed and sent again."""
    application = client.applications.create("Hooked").application.id
    made = client.webhooks.create(application, "https://hooks.example/x", event_types=["call.finished"])
    endpoint = made.endpoint.id
    second = client.webhooks.add_secret(endpoint)
    client.webhooks.retire_secret(endpoint, second.endpoint.secrets[-1])
    tested = client.webhooks.test(endpoint)
    listed = list(client.webhooks.deliveries(endpoint))
    with pytest.raises(BadRequestError, match="still being tried"):
        client.webhooks.resend(endpoint, tested.id)
    disabled = client.webhooks.disable(endpoint)
    enabled = client.webhooks.enable(endpoint)
    found = client.webhooks.get(endpoint)
    client.webhooks.remove(endpoint)
    with pytest.raises(NotFoundError):
        client.webhooks.get(endpoint)

    assert made.secret.startswith("whsec_")
    assert made.secret != second.secret
    assert [tested.id] == [each.id for each in listed]
    assert ("disabled", "enabled") == (disabled.state, enabled.state)
    assert (("call.finished",), second.endpoint.secrets[:1]) == (found.event_types, found.secrets)
    assert [] == list(client.webhooks.list(application=application))


def test_operators_and_keys(client: AdminClient, admin: AdminWorld) -> None:
    """They come, change and go; the last owner doesn't, and a key does what its role allows."""
    added = client.operators.add("/Ada ü?", "a password", "viewer", sees_contents=True)
    client.operators.set_role("/Ada ü?", "developer")
    client.operators.set_password("/Ada ü?", "another one")
    changed = {each.name: each.role for each in client.operators.list()}
    client.operators.remove("/Ada ü?")
    with pytest.raises(BadRequestError, match="last owner"):
        client.operators.remove("root")
    with pytest.raises(NotFoundError):
        client.operators.remove("/Ada ü?")
    made = client.keys.create("reader", "viewer", days=2)
    with AdminClient(admin.service.url, made.text) as reader:
        with pytest.raises(PermissionDeniedError, match="The role viewer"):
            reader.applications.create("Mine")
        assert len(reader.applications.list(limit=1).data) == 1
    keys = {each.id: each for each in client.keys.list()}
    client.keys.remove(made.key.id)

    assert ("viewer", True) == (added.role, added.sees_contents)
    assert ("developer", "owner") == (changed["/Ada ü?"], changed["root"])
    assert keys[made.key.id].last_used_at is not None
    assert made.text not in repr(made)
    assert made.key.id not in {each.id for each in client.keys.list()}


def test_sessions_of_operators(client: AdminClient, admin: AdminWorld) -> None:
    """Listed without what opens one, ended one by one or all; the trail says so, and the browsers are signed out."""
    client.operators.add("dora", PASSWORD, "viewer")
    browsers = [browser(admin.service) for _ in range(3)]
    for each in browsers:
        assert 303 == each.sign_in("dora").status_code
    first = client.operators.sessions("dora", limit=2)
    found = list(client.operators.sessions("dora", limit=2))
    newest = found[0]
    ended = [client.operators.end_session("dora", newest.id) for _ in range(2)]
    one_less = [each.get("/console/calls").status_code for each in browsers]
    nobody = client.operators.end_session("root", found[1].id)
    rest = [client.operators.end_sessions("dora") for _ in range(2)]
    with pytest.raises(BadRequestError) as wrong:
        client.operators.end_session("dora", "all")
    for of_nobody in (client.operators.end_sessions, client.operators.sessions):
        with pytest.raises(NotFoundError, match="There is no operator doar"):
            list(of_nobody("doar"))  # a misspelt name must not look as if somebody were signed out
    with pytest.raises(BadRequestError) as short:
        client.operators.set_password("dora", "x")
    acts = [each.act for each in client.audit.list(subject="dora", since="5m")]
    browsers[0].http.cookies.set("console", newest.id)
    after = [each.get("/console/calls").status_code for each in browsers]
    client.operators.remove("dora")
    with pytest.raises(NotFoundError):
        list(client.operators.sessions("dora"))

    assert (2, 3, {"dora"}) == (len(first.data), len(found), {each.operator for each in found})
    assert (True, True) == (newest.browser.startswith("python-httpx"), newest.address.startswith("127."))
    assert sorted(found, key=lambda each: each.signed_in_at, reverse=True) == found
    assert [True, False] == ended
    assert [200, 200, 303] == one_less
    assert (False, [2, 0]) == (nobody, rest)
    assert ["session"] == [each.field for each in wrong.value.details]
    assert [303] * 3 == after
    assert ["password"] == [each.field for each in short.value.details]
    assert ["session.all_ended", "session.ended"] == acts[:2]
    for each in browsers:
        each.http.close()


def test_contents_are_only_for_those_who_may_see_them(admin: AdminWorld, sandbox: SandboxApp) -> None:
    """A viewer's key gets a call without what it was given and answered, and no export of it."""
    connect_by_key(admin.service, "private", sandbox.api_keys["bob"])
    with admin.service.api("private") as api:
        assert api.post("/functions/sandbox-list-projects").is_success
    seen = {}
    for role, client in admin.clients.items():
        (call,) = client.get("/admin/calls", params={"user": "private"}).json()["data"]
        whole = client.get(f"/admin/calls/{call['id']}").json()
        export = client.get("/admin/calls/export", params={"user": "private", "contents": "true"})
        seen[role] = (whole["has_contents"], whole["output"] is not None, export.status_code)
    shared = admin.clients["viewer"].get("/admin/calls/export", params={"user": "private"})

    assert dict.fromkeys(("owner", "developer", "allowed"), (True, True, 200)) | {"viewer": (False, False, 403)} == seen
    assert (200, False) == (shared.status_code, "output" in shared.text)


def test_a_cursor_is_good_for_its_own_list_alone(admin: AdminWorld) -> None:
    """With other filters, or at another list, it is refused."""
    for number in range(2):
        admin.made("/admin/applications", {"name": f"Paged {number}"})
    cursor = admin.found("/admin/applications", limit=1)["cursor"]
    audit = admin.found("/admin/audit", limit=1, act="application.created")["cursor"]
    wrong = [
        admin.owner.get("/admin/keys", params={"cursor": cursor}),
        admin.owner.get("/admin/audit", params={"cursor": audit}),
        admin.owner.get("/admin/applications", params={"cursor": "x"}),
    ]

    assert ["bad_cursor"] * 3 == [each.json()["error_details"][0]["code"] for each in wrong]
    assert admin.found("/admin/audit", limit=1, act="application.created", cursor=audit)["data"]
