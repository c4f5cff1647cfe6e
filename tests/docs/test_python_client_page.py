"""docs/python-client.md: its code runs, in its order, and it leaves nothing of the client out."""

import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import service_client as sc
from service_client.plans import listed, operation, paged
from service_client.testing import AsyncMemoryTransport, FakeService, MemoryTransport

PAGE = (Path(__file__).parents[2] / "docs" / "python-client.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> FakeService:
    """Answer what the page's clients ask."""
    service = FakeService(page_size=1)
    service.add_app("sandbox", title="Tickets", accounts=["alice"])
    service.add_app("wiki")
    for name in ("sandbox-list-projects", "sandbox-list-users"):
        service.function(name)(lambda arguments: [])
    service.function(
        "sandbox-create-ticket", type="mutation", properties={"title": {"type": "string"}}, required=["title"]
    )(lambda arguments: {"id": 1, **arguments})
    monkeypatch.setattr("service_client.client.default_transport", lambda: MemoryTransport(service.handle))
    monkeypatch.setattr("service_client.client.default_async_transport", lambda: AsyncMemoryTransport(service.handle))
    return service


def test_the_code_of_the_page_runs(service: FakeService, capsys: pytest.CaptureFixture[str]) -> None:
    """All blocks, one after the other in one module, with the key and the secret given."""
    names: dict[str, Any] = {"KEY": "key", "SECRET": "secret"}
    for block in BLOCKS:
        exec(compile(block, "docs/python-client.md", "exec"), names)  # noqa: S102  our own page
    data, apps = asyncio.run(names["names_of_apps"]())

    printed = capsys.readouterr().out
    assert len(BLOCKS) > 6
    assert "Tickets ['alice']" in printed
    assert "{'id': 1, 'title': 'Printer on fire'}" in printed
    assert "expired None" in printed
    assert ["sandbox-list-projects", "sandbox-list-users"] == names["names"]
    assert (1, ["sandbox", "wiki"]) == (len(data), apps)


def test_the_page_speaks_of_the_clients_options() -> None:
    """Each parameter of a client stands on the page."""
    for name in inspect.signature(sc.Client).parameters:
        assert re.search(rf"\b{name}\b", PAGE) or name == "base_url", name


def test_the_page_speaks_of_every_noun() -> None:
    """What the page uses exists, and each way of listing is on it."""
    used = set(re.findall(r"\b(?:ann|client)\.(\w+)\.(\w+)\(", PAGE))
    client = FakeService().client()

    assert len(used) > 4
    for noun, name in used:
        assert isinstance(inspect.getattr_static(getattr(client, noun), name), (listed, operation, paged))
    for name in dir(sc.Page):
        assert name.startswith("_") or re.search(rf"\b{name}\b", PAGE), name
