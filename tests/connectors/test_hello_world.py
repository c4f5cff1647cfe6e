"""The example connector against its example app."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from service_server.catalog.load import load_connector
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from tests.connectors.calling import Account
from tests.real_apps.running import free_port, running

FOLDER = Path(__file__).parents[2] / "examples" / "connector" / "hello_world"


async def test_hello_world_says_hello() -> None:
    """The smallest connector loads and its one function works."""
    connector, problems = load_connector(FOLDER)
    assert [] == problems
    assert connector is not None
    url = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "http.server", url.rpartition(":")[2], "--bind", "127.0.0.1"]
    with running([*command, "--directory", FOLDER / "app"]) as program:
        program.answers(url)
        async with Sender(OnwardSettings(allow_hosts=(urlsplit(url).netloc,))) as sender:
            account = Account(connector, sender, "open", {"vars": {"base_url": url}})
            answer = await account.call("say-hello", language="fr")

    assert (200, {"text": "Bonjour, le monde"}) == (answer.status, answer.output)
