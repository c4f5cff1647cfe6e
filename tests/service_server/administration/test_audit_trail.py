"""The audit trail: every act is in it with who, what, when and from where, and no secret is."""

from collections.abc import AsyncIterator

import pytest
from attrs import frozen
from structlog.testing import capture_logs

from service_server.administration.actors import NotAllowed, command_line
from service_server.administration.administration import Administration
from service_server.administration.brands import set_brand
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.operators import OperatorAdministration
from service_server.administration.webhooks import WebhookAdministration
from service_server.catalog.load import SHIPPED, connector_named
from service_server.catalog.values import Connector
from service_server.store import (
    AppConfigurations,
    Applications,
    AuditEvent,
    AuditEvents,
    AuditFilter,
    Database,
    Operators,
    Retention,
    WebhookDeliveries,
    WebhookEndpoints,
)
from service_server.store.clock import timestamp
from service_server.vault import Vault, keys_from_text
from tests.service_server.actors import OWNER, VIEWER
from tests.service_server.administration.test_brands import png
from tests.service_server.databases import ON_SQLITE, dictionaries, execute
from tests.service_server.store.databases import opened

pytestmark = pytest.mark.slow


@frozen
class SetUp:
    """What operators change, on a database, and the trail of it."""

    database: Database
    admin: Administration
    webhooks: WebhookAdministration
    operators: OperatorAdministration
    audit: AuditEvents

    async def trail(self) -> list[AuditEvent]:
        """All events, oldest first."""
        return (await self.audit.events(limit=1000))[::-1]


@pytest.fixture
async def set_up(database_url: str) -> AsyncIterator[SetUp]:
    """Nothing set up."""
    vault = Vault(keys_from_text("test:" + "A" * 43 + "="))
    async with opened(database_url) as database:
        yield SetUp(
            database,
            Administration(vault, Applications(database), AppConfigurations(database)),
            WebhookAdministration(vault, WebhookEndpoints(database), WebhookDeliveries(database)),
            OperatorAdministration(Operators(database)),
            AuditEvents(database),
        )


def sandbox() -> Connector:
    """An app that has an OAuth2 client and a variable."""
    found = connector_named([SHIPPED], "sandbox")
    assert found is not None
    return found


async def test_every_act_is_written_down(set_up: SetUp, database_url: str) -> None:
    """Who, what, on what, from where and what changed; of secrets only that they did."""
    admin, webhooks, operators = set_up.admin, set_up.webhooks, set_up.operators
    application, secret = await admin.create_application(OWNER, "Acme", ["https://a.example"])
    application = await admin.rename_application(OWNER, application, "Acme Desk")
    application, second = await admin.add_secret(OWNER, application)
    application = await admin.retire_secret(OWNER, application, secret_fingerprint(application.sealed_secrets[-1]))
    application = await admin.allow_origin(OWNER, application, "https://b.example")
    application = await admin.disallow_origin(OWNER, application, "https://a.example")
    await set_brand(OWNER, admin.applications, application.id, {"name": "Acme!", "logo": png()})
    given = {"base_url": "https://sandbox.example"}
    await admin.configure_app(OWNER, sandbox(), client_id="one", client_secret="not to be told", variables=given)
    await admin.configure_app(OWNER, sandbox(), client_id="two", client_secret="")
    await admin.configure_app(OWNER, sandbox(), client_id="own", client_secret="hidden", application_id=application.id)
    assert await admin.share_app(OWNER, sandbox(), application.id)
    assert not await admin.share_app(OWNER, sandbox(), application.id)
    endpoint, signing = await webhooks.create(OWNER, application, "https://hooks.example/secret-path?token=t0ken")
    endpoint, _ = await webhooks.add_secret(OWNER, endpoint)
    endpoint = await webhooks.retire_secret(OWNER, endpoint, secret_fingerprint(endpoint.sealed_secrets[-1]))
    tested = await webhooks.test(OWNER, endpoint)
    execute(database_url, "UPDATE webhook_deliveries SET state = 'failed'")
    await webhooks.resend(OWNER, endpoint, tested.id)
    endpoint = await webhooks.disable(OWNER, endpoint)
    endpoint = await webhooks.enable(OWNER, endpoint)
    await webhooks.remove(OWNER, endpoint)
    await operators.add(OWNER, "ada", "her password")
    await operators.add(OWNER, "vera", "her other password", "viewer")
    await operators.set_role(OWNER, "vera", "developer")
    await operators.set_password(OWNER, "vera", "a third password")
    await operators.remove(OWNER, "vera")
    app_id, hook = str(application.id), endpoint.id
    trail = await set_up.trail()

    def became(before: object, after: object) -> dict[str, object]:
        return {"from": before, "to": after}

    configured = {"client_secret": "set", "variables.base_url": became(None, "https://sandbox.example")}
    own = {"application": application.id, "client_id": became(None, "own"), "client_secret": "set"}
    reason = "An operator disabled it."
    assert [
        ("application.created", app_id, {"name": "Acme", "allowed_origins": ["https://a.example"]}),
        ("application.renamed", app_id, {"name": became("Acme", "Acme Desk")}),
        ("application.secret_added", app_id, {"secrets": "added"}),
        ("application.secret_retired", app_id, {"secrets": "removed"}),
        ("application.origin_allowed", app_id, {"allowed_origins": {"added": ["https://b.example"], "removed": []}}),
        ("application.origin_disallowed", app_id, {"allowed_origins": {"added": [], "removed": ["https://a.example"]}}),
        ("application.branded", app_id, {"name": became(None, "Acme!"), "logo": "set"}),
        ("app.configured", "sandbox", {"client_id": became(None, "one"), **configured}),
        ("app.configured", "sandbox", {"client_id": became("one", "two"), "client_secret": "removed"}),
        ("app.configured", "sandbox", own),
        ("app.shared", "sandbox", {"application": application.id}),
        ("webhook.created", hook, {"application": application.id, "host": "hooks.example", "event_types": []}),
        ("webhook.secret_added", hook, {"secrets": "added"}),
        ("webhook.secret_retired", hook, {"secrets": "removed"}),
        ("webhook.tested", hook, {}),
        ("webhook.resent", hook, {"delivery": tested.id, "event_id": tested.event_id}),
        ("webhook.disabled", hook, {"state": became("enabled", "disabled"), "state_reason": became(None, reason)}),
        ("webhook.enabled", hook, {"state": became("disabled", "enabled"), "state_reason": became(reason, None)}),
        ("webhook.removed", hook, {}),
        ("operator.added", "ada", {"role": "owner", "sees_contents": False}),
        ("operator.added", "vera", {"role": "viewer", "sees_contents": False}),
        ("operator.role_set", "vera", {"role": became("viewer", "developer")}),
        ("operator.password_set", "vera", {"password": "replaced"}),
        ("operator.removed", "vera", {}),
    ] == [(each.act, each.subject, each.changes) for each in trail]
    assert {("console", "olga", None, "192.0.2.1", "r-owner")} == {
        (each.via, each.actor, each.key_id, each.address, each.request_id) for each in trail
    }
    kept = str(dictionaries(database_url, "SELECT * FROM audit_events"))
    for hidden in (secret, second, signing, "not to be told", "hidden", "t0ken", "secret-path", "password'", "scrypt"):
        assert hidden not in kept.replace("operator.password", "")


@ON_SQLITE
async def test_what_changes_nothing_is_no_act(set_up: SetUp) -> None:
    """What is so already, can't be, or isn't allowed leaves no line."""
    application, _ = await set_up.admin.create_application(OWNER, "Acme", ["https://a.example"])
    await set_up.admin.allow_origin(OWNER, application, "https://a.example")
    await set_up.admin.configure_app(OWNER, sandbox(), client_id="")
    with pytest.raises(AdministrationError):
        await set_up.admin.retire_secret(OWNER, application, "0")
    with pytest.raises(NotAllowed):
        await set_up.admin.add_secret(VIEWER, application)

    assert ["application.created"] == [each.act for each in await set_up.trail()]


async def test_an_act_and_its_line_are_one(set_up: SetUp, database_url: str) -> None:
    """Where the line can't be written nothing is done."""
    application, _ = await set_up.admin.create_application(OWNER, "Acme", [])
    execute(database_url, "ALTER TABLE audit_events RENAME TO elsewhere")
    with pytest.raises(Exception, match="audit_events"):
        await set_up.admin.rename_application(OWNER, application, "Other")

    assert ["Acme"] == [each.name for each in await set_up.admin.applications.everyone()]


@ON_SQLITE
async def test_the_command_line_is_told_by_its_user(set_up: SetUp, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name of the system's user, or the number of one without a name."""
    monkeypatch.setenv("LOGNAME", "deploy")
    await set_up.admin.create_application(command_line(), "Acme", [])

    def nobody() -> str:
        raise KeyError("uid")

    monkeypatch.setattr("getpass.getuser", nobody)
    monkeypatch.setattr("os.getuid", lambda: 4711)
    await set_up.admin.create_application(command_line(), "Other", [])

    assert [("command_line", "deploy"), ("command_line", "user 4711")] == [
        (each.via, each.actor) for each in await set_up.trail()
    ]


@ON_SQLITE
async def test_an_act_is_told_in_the_log(set_up: SetUp) -> None:
    """Without what was typed in."""
    with capture_logs() as logged:
        await set_up.admin.create_application(OWNER, "Acme", [])

    told = {"act": "application.created", "actor": "olga", "via": "console", "subject": "1", "log_level": "info"}
    assert [{"event": "operator.acted", **told}] == logged


async def test_the_trail_is_narrowed_and_read_in_pages(set_up: SetUp) -> None:
    """By who, what, on what and when; newest first."""
    first, _ = await set_up.admin.create_application(OWNER, "One", [])
    await set_up.admin.create_application(command_line(), "Two", [])
    await set_up.admin.add_secret(OWNER, first)
    newest, middle, oldest = await set_up.audit.events(limit=9)
    for narrowed, expected in (
        (AuditFilter(), [newest, middle, oldest]),
        (AuditFilter(actor="olga"), [newest, oldest]),
        (AuditFilter(act="application.created"), [middle, oldest]),
        (AuditFilter(subject=str(first.id)), [newest, oldest]),
        (AuditFilter(since=middle.at), [newest, middle]),
        (AuditFilter(until=middle.at), [oldest]),
        (AuditFilter(actor="nobody\0"), []),
    ):
        assert expected == await set_up.audit.events(limit=9, matching=narrowed), narrowed
    assert [middle] == await set_up.audit.events(limit=1, before=newest.id)


async def test_the_trail_is_kept_as_long_as_is_set(set_up: SetUp, database_url: str) -> None:
    """Longer than calls: 400 days unless set otherwise."""
    await set_up.admin.create_application(OWNER, "Acme", [])
    execute(database_url, f"UPDATE audit_events SET at = '{timestamp(0)}'")
    await set_up.admin.create_application(OWNER, "Other", [])
    await Retention(set_up.database).forget(90, audit_days=400)

    assert ["Other"] == [each.changes["name"] for each in await set_up.trail()]
