"""A connector that was imported from Kinto's own description (Swagger 2), against the very Kinto that gave it."""

from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service_server.catalog.load import load_connector
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.openapi_import.steps import Choice, import_file
from tests.connectors.calling import Account
from tests.real_apps.processes import find_missing, kinto, oidc_provider
from tests.real_apps.sign_in import tokens_of

pytestmark = pytest.mark.real_apps


async def test_a_record_from_its_creation_to_its_end(tmp_path: Path) -> None:
    """Functions that nobody wrote create, list, change and delete in the real app, with the account's credentials."""
    missing = find_missing()
    if missing is not None:
        pytest.skip(missing)
    with oidc_provider("http://127.0.0.1:9/callback", access_token_seconds=600) as provider, kinto(provider) as server:
        async with httpx.AsyncClient(trust_env=False) as client:
            description = await client.get(f"{server.url}/__api__")
        (tmp_path / "kinto.json").write_bytes(description.raise_for_status().content)
        folder, imported = import_file(tmp_path / "kinto.json", Choice("own_kinto"), tmp_path)
        connector, problems = load_connector(folder)
        assert ([], []) == (problems, imported.report.operations_left_out)
        assert connector is not None
        context = {
            "vars": {"server_url": server.url.removesuffix("/v1")},
            "creds": {"token": tokens_of(provider, "alice")["access_token"]},
        }
        async with Sender(OnwardSettings(allow_hosts=(urlsplit(server.url).netloc,))) as sender:
            alice = Account(connector, sender, "oidc", context)
            await alice.call("create-bucket", data={"id": "crm"})
            await alice.call("create-collection", bucket_id="crm", data={"id": "companies"})
            place = {"bucket_id": "crm", "collection_id": "companies"}
            made = [await alice.call("create-record", **place, data={"name": name}) for name in ("Acme", "Bolt")]
            record = {**place, "id": made[0].body["data"]["id"]}
            listed = await alice.call("list-records", **place)
            changed = await alice.call("update-record", **record, data={"name": "Ada"})
            shown = await alice.call("get-record", **record)
            removed = await alice.call("delete-record", **record)

    assert [201, 201] == [answer.status for answer in made]
    assert {"Acme", "Bolt"} == {each["name"] for each in listed.output}
    assert (200, 200, "Ada") == (changed.status, shown.status, shown.output["data"]["name"])
    assert (200, True) == (removed.status, removed.body["data"]["deleted"])
