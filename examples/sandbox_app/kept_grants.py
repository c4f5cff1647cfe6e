"""Keeps grants in a file, so that connected accounts outlive a restart of the app; tickets are seeded again."""

import json
import os
from pathlib import Path
from typing import Any

from examples.sandbox_app.grants import Grant, Grants
from examples.sandbox_app.users import USERS


class KeptGrants:
    """The file of grants: read once at the start, replaced as a whole after each change."""

    def __init__(self, path: Path, grants: Grants) -> None:
        self._path = path
        self._grants = grants

    def restore(self) -> None:
        """Bring back what the file holds; one that is missing or damaged holds nothing."""
        try:
            kept = json.loads(self._path.read_text())
            users = {user.username: user for user in USERS}
            grants = [Grant(users[each["user"]], frozenset(each["scopes"])) for each in kept["grants"]]
            for kind in ("access", "refresh"):
                for secret, index, expires_at, used in kept[kind]:
                    self._grants.bring_back(kind, secret, grants[index], expires_at, used)
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            self._grants.reset()

    def save(self) -> None:
        """Write all living grants and their tokens, for the owner of the file only."""
        grants: list[Grant] = []
        kept: dict[str, list[Any]] = {"access": [], "refresh": []}
        for kind, secret, token in self._grants.living():
            if token.grant not in grants:
                grants.append(token.grant)
            kept[kind].append([secret, grants.index(token.grant), token.expires_at, token.used])
        described = [{"user": each.user.username, "scopes": sorted(each.scopes)} for each in grants]
        partial = self._path.with_name(self._path.name + ".partial")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({"grants": described, **kept}, file)
        partial.replace(self._path)
