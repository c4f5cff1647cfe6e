"""RabbitMQ accounts by password and by the client credentials of a provider that RabbitMQ trusts."""

import time

import pytest

from tests.real_apps.rabbitmq_world import RabbitMQWorld

QUEUES, HERE = "rabbitmq-list-queues", {"vhost": "/"}
ACCESS_TOKEN_SECONDS = 5


@pytest.mark.parametrize(("way", "secret"), [("password", "password"), ("service", "client_secret")])
def test_a_wrong_secret_connects_nothing(at_rabbitmq: RabbitMQWorld, way: str, secret: str) -> None:
    """The refusal of RabbitMQ, or of the provider, is said on the page, which doesn't show the secret again."""
    machine = at_rabbitmq.rabbitmq.register()
    at_rabbitmq.rabbitmq.add_user("olga")
    fields = at_rabbitmq.by_client(machine) if way == "service" else at_rabbitmq.by_password("olga", "")
    attempt = at_rabbitmq.front.try_to_connect("wrong", way, {**fields, f"field.{secret}": "not-the-secret"})

    assert (422, "pending") == (attempt.page.status_code, attempt.status)
    assert "RabbitMQ did not accept this." in attempt.problem()
    assert ("invalid_client" if way == "service" else "") in attempt.problem()
    assert (machine.client_id if way == "service" else 'value="olga"') in attempt.page.text
    assert "not-the-secret" not in attempt.page.text
    assert [] == at_rabbitmq.front.accounts("wrong")


def test_a_client_connects_by_its_own_credentials(at_rabbitmq: RabbitMQWorld) -> None:
    """The provider's token, whose scopes RabbitMQ takes for rights, makes an account under the client's name."""
    machine = at_rabbitmq.rabbitmq.register()
    account = at_rabbitmq.front.connect("machine", "service", at_rabbitmq.by_client(machine))
    with at_rabbitmq.front.client("machine") as client:
        made = client.functions.call("rabbitmq-create-queue", {**HERE, "queue": "by-token"})
        whoami = client.functions.passthrough("rabbitmq", "GET", "/whoami").output

    assert [(account, f"{machine.client_id} at {at_rabbitmq.rabbitmq.url}")] == [
        (each.id, each.display_name) for each in at_rabbitmq.front.accounts("machine")
    ]
    assert "201" == made.network_code
    assert {"name": machine.client_id, "tags": ["management"]} == whoami


def test_one_identity_is_one_account(at_rabbitmq: RabbitMQWorld) -> None:
    """A user of RabbitMQ and a client of the provider by the same name are one account, in either order."""
    front, machine = at_rabbitmq.front, at_rabbitmq.rabbitmq.register()
    by_password = at_rabbitmq.by_password(machine.client_id, at_rabbitmq.rabbitmq.add_user(machine.client_id))
    accounts = [
        front.connect("once", auth, fields)
        for auth, fields in (
            ("service", at_rabbitmq.by_client(machine)),
            ("password", by_password),
            ("service", at_rabbitmq.by_client(machine)),
        )
    ]
    machine.delete()
    accounts.append(front.connect("once", "password", by_password))
    time.sleep(ACCESS_TOKEN_SECONDS)
    with front.client("once") as client:
        assert "200" == client.functions.call(QUEUES, HERE).network_code

    assert 1 == len(set(accounts))
    assert [accounts[0]] == [each.id for each in front.accounts("once")]


def test_a_deleted_client_asks_for_reconnecting(at_rabbitmq: RabbitMQWorld) -> None:
    """An account whose client the provider has forgotten says so; a password of the same name brings it back."""
    front, machine = at_rabbitmq.front, at_rabbitmq.rabbitmq.register()
    account = front.connect("deleted", "service", at_rabbitmq.by_client(machine))
    machine.delete()
    time.sleep(ACCESS_TOKEN_SECONDS)
    for _ in range(2):
        assert account == front.must_reconnect("deleted", QUEUES, HERE, "invalid_client")
    fields = at_rabbitmq.by_password(machine.client_id, at_rabbitmq.rabbitmq.add_user(machine.client_id))
    assert account == front.connect("deleted", "password", fields, reconnect=account)
    with front.client("deleted") as client:
        assert "200" == client.functions.call(QUEUES, HERE).network_code


def test_a_token_that_rabbitmq_refuses_asks_for_reconnecting(at_rabbitmq: RabbitMQWorld) -> None:
    """A JWT that can't be verified is replaced once, then the account is marked; reconnecting helps in place."""
    front, machine = at_rabbitmq.front, at_rabbitmq.rabbitmq.register()
    fields = at_rabbitmq.by_client(machine)
    account = front.connect("unverified", "service", fields)
    with front.client("unverified") as client:
        with at_rabbitmq.rabbitmq.trusting_another_key():
            given = at_rabbitmq.tokens_given()
            noticed = client.functions.call(QUEUES, HERE)
            renewed = at_rabbitmq.tokens_given() - given
            attempt = front.try_to_connect("unverified", "service", fields, reconnect=account)
        assert account == front.must_reconnect("unverified", QUEUES, HERE, "refused its credentials")
        assert account == front.connect("unverified", "service", fields, reconnect=account)
        assert "200" == client.functions.call(QUEUES, HERE).network_code

    assert ("401", "Login failed") == (noticed.network_code, noticed.output["reason"])
    assert renewed >= 1
    assert "pending" == attempt.status
    assert "RabbitMQ did not accept this." in attempt.problem()


def test_a_changed_password_asks_for_reconnecting(at_rabbitmq: RabbitMQWorld) -> None:
    """RabbitMQ's 401 is relayed and marks the account; the new password brings it back under its id."""
    front, rabbitmq = at_rabbitmq.front, at_rabbitmq.rabbitmq
    account = front.connect("changed", "password", at_rabbitmq.by_password("petra", rabbitmq.add_user("petra")))
    fields = at_rabbitmq.by_password("petra", rabbitmq.add_user("petra"))
    with front.client("changed") as client:
        noticed = client.functions.call(QUEUES, HERE)
        assert account == front.must_reconnect("changed", QUEUES, HERE, "refused its credentials")
        other = at_rabbitmq.by_password("quentin", rabbitmq.add_user("quentin"))
        mistaken = front.try_to_connect("changed", "password", other, reconnect=account)
        assert account == front.connect("changed", "password", fields, reconnect=account)
        assert "200" == client.functions.call(QUEUES, HERE).network_code

    assert ("401", "Login failed") == (noticed.network_code, noticed.output["reason"])
    assert "connected" != mistaken.status
    assert all(name in mistaken.problem() for name in ("petra at", "quentin at"))
    assert [f"petra at {rabbitmq.url}"] == [each.display_name for each in front.accounts("changed")]


def test_a_missing_right_is_no_matter_of_the_credentials(at_rabbitmq: RabbitMQWorld) -> None:
    """RabbitMQ answers 401 where a user has no right, too: that is relayed, and the account stays as it is."""
    with at_rabbitmq.rabbitmq.api() as api:
        api.put("/vhosts/foreign").raise_for_status()
    password = at_rabbitmq.rabbitmq.add_user("oskar")
    at_rabbitmq.front.connect("oskar", "password", at_rabbitmq.by_password("oskar", password))
    with at_rabbitmq.front.client("oskar") as client:
        refused = client.functions.call("rabbitmq-create-queue", {"vhost": "foreign", "queue": "mine"})

    assert ("401", "not_authorised") == (refused.network_code, refused.output["error"])
    assert ["active"] == [each.state for each in at_rabbitmq.front.accounts("oskar")]
