"""A connector that was imported from Kinto's own description, against the very Kinto that gave it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service_server.catalog.load import load_connector
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.openapi_import.steps import Choice, import_file
from tests.connectors.calling import Account
from tests.real_apps.processes import Kinto, OidcProvider, find_missing, kinto, oidc_provider
from tests.real_apps.sign_in import tokens_of

pytestmark = pytest.mark.real_apps


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


@pytest.fixture
async def alice(apps: tuple[OidcProvider, Kinto], tmp_path: Path) -> AsyncIterator[Account]:
    """Alice with a token of the provider, in a connector made of what Kinto says of itself (Swagger 2)."""
    provider, server = apps
    async with httpx.AsyncClient(trust_env=False) as client:
        description = await client.get(f"{server.url}/__api__")
    (tmp_path / "kinto.json").write_bytes(description.raise_for_status().content)
    folder, imported = import_file(tmp_path / "kinto.json", Choice("own_kinto"), tmp_path)
    connector, problems = load_connector(folder)
    assert [] == problems
    assert [] == imported.report.operations_left_out
    assert connector is not None
    context = {
        "vars": {"server_url": server.url.removesuffix("/v1")},
        "creds": {"token": tokens_of(provider, "alice")["access_token"]},
    }
    async with Sender(OnwardSettings(allow_hosts=(urlsplit(server.url).netloc,))) as sender:
        yield Account(connector, sender, "oidc", context)


async def test_a_record_from_its_creation_to_its_end(alice: Account) -> None:
    """Functions that nobody wrote create, list, change and delete in the real app, with the account's credentials."""
    bucket = await alice.call("create-bucket", data={"id": "crm"})
    within = {"bucket_id": bucket.body["data"]["id"]}
    await alice.call("create-collection", **within, data={"id": "companies"})
    place = {**within, "collection_id": "companies"}
    made = [await alice.call("create-record", **place, data={"name": name}) for name in ("Acme", "Bolt", "Core")]
    listed = await alice.call("list-records", **place)
    changed = await alice.call("update-record", **place, id=made[0].body["data"]["id"], data={"name": "Ada"})
    shown = await alice.call("get-record", **place, id=made[0].body["data"]["id"])
    removed = await alice.call("delete-record", **place, id=made[0].body["data"]["id"])

    assert [201, 201, 201] == [answer.status for answer in made]
    assert {"Acme", "Bolt", "Core"} >= {record["name"] for record in listed.output}
    assert (200, 200, "Ada") == (changed.status, shown.status, shown.output["data"]["name"])
    assert (200, True) == (removed.status, removed.body["data"]["deleted"])
