"""A service with keys of every role, beside the sandbox app."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from attrs import frozen

from tests.service_server.processes import RunningService, command, http


@frozen
class AdminWorld:
    """A running service, and clients of its admin API by role; `allowed` is a viewer who sees contents."""

    service: RunningService
    clients: dict[str, httpx.Client]
    keys: dict[str, str]

    @property
    def owner(self) -> httpx.Client:
        """The client that may do everything."""
        return self.clients["owner"]

    def made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What a POST of the owner's answers, which has to succeed."""
        answer = self.owner.post(path, json=body)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def found(self, path: str, **query: Any) -> dict[str, Any]:
        """What a GET of the owner's answers, which has to succeed."""
        answer = self.owner.get(path, params=query)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture(scope="session")
def admin(running_service: RunningService) -> Iterator[AdminWorld]:
    """The service that other tests share, with its keys."""
    arguments = ("operator", "create", "root", "--password-file", "-")
    command(running_service.data_directory, *arguments, stdin="a password")
    clients, keys = {}, {}
    for name, options in {
        "owner": ["--role", "owner"],
        "developer": ["--role", "developer"],
        "viewer": [],
        "allowed": ["--contents", "--days", "30"],
    }.items():
        made = command(running_service.data_directory, "admin-key", "create", name, "--json", *options)
        keys[name] = json.loads(made)["key"]
        clients[name] = http(running_service.url, {"Authorization": f"Bearer {keys[name]}"})
    yield AdminWorld(running_service, clients, keys)
    for each in clients.values():
        each.close()
