"""The Kinto connector against a real Kinto behind a real OpenID provider."""

from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import pytest

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import AccountIdentity, Connector
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from tests.connectors.calling import Account
from tests.real_apps.processes import Kinto, OidcProvider, find_missing, kinto, oidc_provider
from tests.real_apps.sign_in import tokens_of

pytestmark = pytest.mark.real_apps

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "What it is called."},
        "size": {"type": "string", "enum": ["small", "large"]},
        "weight": {"type": ["number", "null"]},
        "since": {"type": "string", "format": "date"},
    },
}


@pytest.fixture(scope="module")
def apps() -> Iterator[tuple[OidcProvider, Kinto]]:
    """The provider and Kinto, whose lists have two objects a page."""
    missing = find_missing()
    if missing is not None:
        pytest.skip(missing)
    with (
        oidc_provider("http://127.0.0.1:9/oauth/callback", access_token_seconds=600) as provider,
        kinto(provider, page_size=2) as server,
    ):
        yield provider, server


def kinto_connector() -> Connector:
    """Return the shipped connector."""
    connector, problems = load_connector(SHIPPED / "kinto")
    assert [] == problems
    assert connector is not None
    return connector


@pytest.fixture
async def alice(apps: tuple[OidcProvider, Kinto]) -> AsyncIterator[Account]:
    """Alice, signed in at the provider."""
    provider, server = apps
    context = {
        "vars": {"server_url": server.url.removesuffix("/v1"), "issuer": provider.url},
        "token": tokens_of(provider, "alice"),
    }
    async with Sender(OnwardSettings(allow_hosts=(urlsplit(server.url).netloc,))) as sender:
        yield Account(kinto_connector(), sender, "oidc", context)


async def test_identity(alice: Account) -> None:
    """The account is known by the provider's subject and shown by the person's name."""
    assert AccountIdentity("oidc:alice", "Account alice") == await alice.identity()


async def test_oauth_addresses_are_the_providers(alice: Account, apps: tuple[OidcProvider, Kinto]) -> None:
    """With the default paths, the addresses are those of the provider."""
    method = alice.connector.auth_method("oidc")
    defaults = {name: variable.default for name, variable in alice.connector.variables.items()}
    context = {"vars": {**defaults, **alice.context["vars"]}}

    assert isinstance(method, OAuth2Code)
    assert [f"{apps[0].url}{path}" for path in ("/auth", "/token", "/token/revocation")] == [
        method.authorize_url(context),
        method.token_url(context),
        method.revoke_url(context),
    ]


async def test_records_from_bucket_to_record(alice: Account) -> None:
    """Everything from a new bucket to a deleted record works, lists are paged, fields come from the schema."""
    assert 201 == (await alice.call("create-bucket", bucket="shop")).status
    made = await alice.call("create-collection", bucket="shop", collection="articles", schema=SCHEMA)
    assert 201 == made.status
    where = {"bucket": "shop", "collection": "articles"}
    for number in range(5):
        created = await alice.call("create-record", **where, data={"name": f"a{number}", "size": "small"})
        assert 201 == created.status

    pages = [page async for page in alice.pages("list-records", **where, sort="name")]
    assert [["a0", "a1"], ["a2", "a3"], ["a4"]] == [[row["name"] for row in page.output] for page in pages]
    assert ["shop"] == [row["id"] for row in (await alice.call("list-buckets")).output]
    assert ["articles"] == [row["id"] for row in (await alice.call("list-collections", bucket="shop")).output]

    record = pages[0].output[0]["id"]
    await alice.call("update-record", **where, record=record, data={"weight": 2})
    shown = (await alice.call("get-record", **where, record=record)).output
    assert ("a0", 2) == (shown["name"], shown["weight"])
    assert 200 == (await alice.call("delete-record", **where, record=record)).status
    assert 404 == (await alice.call("get-record", **where, record=record)).status


async def test_fields_come_from_the_collections_schema(alice: Account) -> None:
    """The JSON Schema of a collection is answered as rows, one a field; without one there are none."""
    await alice.call("create-bucket", bucket="fields")
    await alice.call("create-collection", bucket="fields", collection="with", schema=SCHEMA)
    await alice.call("create-collection", bucket="fields", collection="without")

    rows = (await alice.call("list-record-fields", bucket="fields", collection="with")).output
    assert [
        ("name", "Name", "string", True, []),
        ("size", "size", "string", False, ["small", "large"]),
        ("weight", "weight", "number", False, []),
        ("since", "since", "date", False, []),
    ] == [(row["key"], row["title"], row["type"], row["required"], row["options"]) for row in rows]
    assert [] == (await alice.call("list-record-fields", bucket="fields", collection="without")).output


async def test_kintos_refusal_comes_through(alice: Account) -> None:
    """A record against the schema is refused by Kinto in its own words."""
    await alice.call("create-bucket", bucket="strict")
    await alice.call("create-collection", bucket="strict", collection="c", schema=SCHEMA)

    answer = await alice.call("create-record", bucket="strict", collection="c", data={"size": "small"})

    assert 400 == answer.status
    assert "name" == answer.output["details"][0]["name"]
