"""Functions of RabbitMQ through the whole service: what a user's calls do there, and what comes back."""

from collections.abc import Iterator

import pytest

from service_client import CallResult, Client
from tests.real_apps.lists import choices, field_of, pages_of
from tests.real_apps.rabbitmq_world import RabbitMQWorld

HERE = {"vhost": "/"}


@pytest.fixture(scope="module")
def keeper(at_rabbitmq: RabbitMQWorld) -> Iterator[Client]:
    """The client of a user with the account of a user of RabbitMQ who may do anything in two virtual hosts."""
    with at_rabbitmq.rabbitmq.api() as api:
        api.put("/vhosts/many").raise_for_status()
    at_rabbitmq.rabbitmq.add_user("keeper", vhost="many")
    password = at_rabbitmq.rabbitmq.add_user("keeper")
    at_rabbitmq.front.connect("keeper", "password", at_rabbitmq.by_password("keeper", password))
    with at_rabbitmq.front.client("keeper") as client:
        yield client


def call(client: Client, function: str, **arguments: object) -> CallResult:
    """Call a function of RabbitMQ in the first virtual host, whose name is a slash."""
    return client.functions.call(f"rabbitmq-{function}", {**HERE, **arguments})


def test_a_message_from_its_exchange_to_its_end(keeper: Client) -> None:
    """Exchange, queue and binding are made (201 without a body), and a message goes through and out of the queue."""
    made = [
        call(keeper, "create-exchange", exchange="events", type="topic", durable=True),
        call(keeper, "create-queue", queue="orders", durable=True, arguments={"x-max-length": 10}),
        call(keeper, "bind-queue", exchange="events", queue="orders", routing_key="orders.#"),
    ]
    again = call(keeper, "create-queue", queue="orders", durable=True, arguments={"x-max-length": 10})
    message = {"exchange": "events", "payload": "Größe 42", "delivery_mode": 2, "headers": {"try": 1}}
    sent = call(keeper, "publish-message", routing_key="orders.new", **message)
    looked = call(keeper, "get-messages", queue="orders", count=5, ackmode="ack_requeue_true")
    taken = call(keeper, "get-messages", queue="orders", count=5, ackmode="ack_requeue_false")
    empty = call(keeper, "get-messages", queue="orders", count=5, ackmode="ack_requeue_false")
    bindings = call(keeper, "list-bindings", queue="orders")
    removed = call(keeper, "delete-queue", queue="orders")
    gone = call(keeper, "get-queue", queue="orders")

    assert [("201", None)] * 3 == [(each.network_code, each.output) for each in made]
    assert ("204", None) == (again.network_code, again.output)
    assert ("200", {"routed": True}) == (sent.network_code, sent.output)
    assert [("Größe 42", {"delivery_mode": 2, "headers": {"try": 1}})] == [
        (each["payload"], each["properties"]) for each in looked.output
    ]
    assert [("Größe 42", True)] == [(each["payload"], each["redelivered"]) for each in taken.output]
    assert [] == empty.output
    assert {"", "events"} == {each["source"] for each in bindings.output}
    assert ("204", None) == (removed.network_code, removed.output)
    assert ("404", "Not Found") == (gone.network_code, gone.output["reason"])


def test_a_message_that_nobody_took_is_no_error(keeper: Client) -> None:
    """RabbitMQ answers 200 for it, and says so in the body."""
    lost = call(keeper, "publish-message", exchange="amq.topic", routing_key="nobody", payload="Hello")

    assert ("200", {"routed": False}) == (lost.network_code, lost.output)


def test_the_default_exchange_leads_to_queues_by_name(keeper: Client) -> None:
    """The exchange without a name is reached as amq.default; purging empties the queue."""
    call(keeper, "create-queue", queue="direct")
    sent = call(keeper, "publish-message", exchange="amq.default", routing_key="direct", payload="Hello")
    purged = call(keeper, "purge-queue", queue="direct")
    left = call(keeper, "get-messages", queue="direct", count=1, ackmode="ack_requeue_true")

    assert {"routed": True} == sent.output
    assert ("204", None) == (purged.network_code, purged.output)
    assert [] == left.output


def test_every_queue_comes_once_and_nothing_behind_the_end(keeper: Client, at_rabbitmq: RabbitMQWorld) -> None:
    """Pages by number give all 230 queues once; a page that is behind the end meanwhile is empty and the last."""
    names = [f"queue-{number:03}" for number in range(230)]
    with at_rabbitmq.rabbitmq.api() as api:
        for name in names:
            api.put(f"/queues/many/{name}", json={}).raise_for_status()
    where = {"vhost": "many"}
    pages = pages_of(keeper, "rabbitmq-list-queues", where)
    some = call(keeper, "list-queues", **where, name="queue-1")
    with at_rabbitmq.rabbitmq.api() as api:
        for name in names[10:]:
            api.delete(f"/queues/many/{name}").raise_for_status()
    behind = call(keeper, "list-queues", **where, next_page=pages[-2].next_page)

    assert [100, 100, 30] == [len(page.output) for page in pages]
    assert names == [queue["name"] for page in pages for queue in page.output]
    assert 100 == len(some.output)
    assert ([], "") == (behind.output, behind.next_page)


def test_dropdowns_come_from_rabbitmq(keeper: Client) -> None:
    """The sources of a form's dropdowns follow each other: virtual hosts, then the exchanges and queues of one."""
    call(keeper, "create-queue", queue="listed")

    assert {"/", "many"} == set(choices(keeper, "rabbitmq-bind-queue", "vhost"))
    assert {"amq.direct", "amq.topic"} <= set(choices(keeper, "rabbitmq-bind-queue", "exchange", HERE))
    assert "listed" in choices(keeper, "rabbitmq-bind-queue", "queue", HERE)
    for field, depends_on in (("vhost", ()), ("exchange", ("vhost",)), ("queue", ("vhost",))):
        source = field_of(keeper, "rabbitmq-bind-queue", field).source
        assert depends_on == source.depends_on
