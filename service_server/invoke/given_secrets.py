"""Finds the secrets that the caller gave in a call's arguments, by the names of fields and query parameters."""

from collections.abc import Container
from typing import Any
from urllib.parse import unquote_plus

from attrs import define, field

from service_server.redaction.secret_names import names_secret, parameters_in, secrets_in_queries
from service_server.redaction.spellings import texts_in

MOST_NAMES = 5_000
MOST_PARAMETERS = 5_000
_CONTAINERS = (dict, list)


class TooMuchToLookThrough(Exception):
    """The arguments hold too many different names or query parameters to look through in time."""


def given_secrets(arguments: Any, sensitive: Container[str]) -> list[str]:
    """
    Return the texts in `sensitive` parameters, and in fields and query parameters whose names say that they are secret.

    Raises:
        TooMuchToLookThrough: rather than miss one.
    """
    found = _Found(sensitive)
    waiting = [("", arguments)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            for name, inner in value.items():
                if found.is_secret(path, name):
                    found.values.append(inner)
                elif isinstance(inner, _CONTAINERS):
                    waiting.append((f"{path}{name}.", inner))
                elif isinstance(inner, str) and "=" in inner:
                    found.look_into(inner)
        elif isinstance(value, list):
            inner_path = f"{path.removesuffix('.')}[]."
            for inner in value:
                if isinstance(inner, _CONTAINERS):
                    waiting.append((inner_path, inner))
                elif isinstance(inner, str) and "=" in inner:
                    found.look_into(inner)
    return [*texts_in(found.values), *found.in_queries]


@define
class _Found:
    sensitive: Container[str]
    values: list[Any] = field(factory=list)
    in_queries: list[str] = field(factory=list)
    _names: dict[str, bool] = field(factory=dict)
    _parameters: int = 0

    def is_secret(self, path: str, name: str) -> bool:
        """Whether a field is declared sensitive, or its name says that it is secret."""
        if self.sensitive and f"{path}{name}" in self.sensitive:
            return True
        known = self._names.get(name)
        if known is None:
            if len(self._names) == MOST_NAMES:
                raise TooMuchToLookThrough
            known = self._names[name] = names_secret(name)
        return known

    def look_into(self, text: str) -> None:
        """Collect the secrets in the queries of a text."""
        self._parameters += parameters_in(text)
        if self._parameters > MOST_PARAMETERS:
            raise TooMuchToLookThrough
        self.in_queries += map(unquote_plus, secrets_in_queries(text))
