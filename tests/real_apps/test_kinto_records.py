"""Functions of Kinto through the whole service: what a user's calls do there, and what comes back."""

from collections.abc import Iterator

import pytest

from service_client import Client
from tests.real_apps.kinto_world import KintoWorld, create_companies
from tests.real_apps.lists import choices, field_of, pages_of


@pytest.fixture(scope="module")
def keeper(world: KintoWorld) -> Iterator[Client]:
    """The client of a user with one account."""
    world.connect("keeper", "keeper")
    with world.client("keeper") as client:
        yield client


@pytest.fixture(scope="module")
def companies(keeper: Client) -> dict[str, str]:
    """A collection whose records follow the schema."""
    return create_companies(keeper, "crm")


def test_a_record_from_its_creation_to_its_end(keeper: Client, companies: dict[str, str]) -> None:
    """Create, get, update and delete happen in Kinto, in the user's name, and its answers are relayed."""
    made = keeper.functions.call("kinto-create-record", {**companies, "data": {"name": "Acme", "stage": "lead"}})
    assert "201" == made.network_code
    record = {**companies, "record": made.output["data"]["id"]}
    shown = keeper.functions.call("kinto-get-record", record)
    changed = keeper.functions.call("kinto-update-record", {**record, "data": {"stage": "won", "employees": 12}})
    again = keeper.functions.call("kinto-get-record", record)
    removed = keeper.functions.call("kinto-delete-record", record)
    gone = keeper.functions.call("kinto-get-record", record)

    assert ("200", "Acme", "lead") == (shown.network_code, shown.output["name"], shown.output["stage"])
    assert ["oidc:keeper"] == made.output["permissions"]["write"]
    assert "200" == changed.network_code
    assert ("Acme", "won", 12) == tuple(again.output[key] for key in ("name", "stage", "employees"))
    assert ("200", True) == (removed.network_code, removed.output["data"]["deleted"])
    assert ("404", 110) == (gone.network_code, gone.output["errno"])


def test_the_forms_fields_come_from_the_schema(keeper: Client, companies: dict[str, str]) -> None:
    """The function's meta names the function that lists a collection's fields, and that lists them."""
    source = field_of(keeper, "kinto-create-record", "data").dynamic_fields
    assert ("kinto-list-record-fields", ("bucket", "collection")) == (source.function, source.depends_on)
    arguments = {name: companies[value[2:-1]] for name, value in source.arguments.items()}
    rows = list(keeper.functions.items(source.function, arguments))

    fields = {row[source.key]: [row[key] for key in (source.title, source.type, source.required)] for row in rows}
    assert {
        "name": ["Company name", "string", True],
        "stage": ["Stage", "string", False],
        "employees": ["Employees", "number", False],
        "active": ["Active customer", "boolean", False],
    } == fields
    assert ["lead", "won", "lost"] == next(row[source.options] for row in rows if row[source.key] == "stage")


def test_dropdowns_come_from_kinto(keeper: Client, companies: dict[str, str]) -> None:
    """The sources of a form's dropdowns follow each other: buckets, then the collections of the one chosen."""
    source = field_of(keeper, "kinto-create-record", "collection").source

    assert ("kinto-list-collections", ("bucket",)) == (source.function, source.depends_on)
    assert ["companies"] == list(choices(keeper, "kinto-create-record", "collection", companies))


def test_every_record_comes_once(keeper: Client) -> None:
    """Pages of two, one after the other by next_page, give every record exactly once and end with an empty one."""
    where = create_companies(keeper, "paged")
    names = [f"Company {number}" for number in range(7)]
    for name in names:
        assert keeper.functions.call("kinto-create-record", {**where, "data": {"name": name}}).succeeded
    pages = pages_of(keeper, "kinto-list-records", {**where, "sort": "name"})

    assert [2, 2, 2, 1] == [len(page.output) for page in pages]
    assert names == [record["name"] for page in pages for record in page.output]
    newest_first = [record["name"] for record in keeper.functions.items("kinto-list-records", where)]
    assert names[::-1] == newest_first
