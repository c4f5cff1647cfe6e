"""Reads what JavaScript passed to a method; anything of the wrong kind is a clear error before anything is sent."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from attrs import frozen

from service_client.models import Prediction, ValueChoice
from servicejs.errors import SdkError

_MOST_SHOWN = 200  # characters of a wrong value that its error repeats


def refuse(message: str) -> NoReturn:
    """Raise the error of an argument that cannot be used."""
    raise SdkError("invalid_argument", message)


def refuse_value(name: str, wanted: str, value: Any) -> NoReturn:
    """Raise the error of an argument that is missing or of the wrong kind, which is shown as JavaScript writes it."""
    if value is None:
        refuse(f"{name} is missing: it must be {wanted}.")
    shown = json.dumps(value, ensure_ascii=False)
    refuse(f"{name} must be {wanted}, not {shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + ' …'}.")


def account_id(value: Any, name: str) -> int | None:
    """Return a connected account's id, which may come as text or as a number; None when there is none."""
    match value:
        case None | "":
            return None
        case bool():
            pass
        case int() if value > 0:
            return value
        case float() if value > 0 and value.is_integer():
            return int(value)
        case str() if value.isascii() and value.isdigit():
            return int(value)
    refuse_value(name, "the id of a connected account", value)


def prediction_in(record: dict[str, Any]) -> Prediction:
    """Return the parts of a prediction that a form shows, as the page passes them on; invalid parts are ignored."""
    evidence, choices = record.get("evidence"), record.get("choices")
    return Prediction(
        confidence=0.0,
        evidence={name: words for name, words in _items(evidence) if isinstance(words, str)},
        choices={name: tuple(_choices(values)) for name, values in _items(choices) if isinstance(values, list)},
    )


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _choices(values: list[Any]) -> Iterator[ValueChoice]:
    for each in values:
        if isinstance(each, dict) and isinstance(label := each.get("label"), str):
            yield ValueChoice(value=each.get("value"), label=label)


@frozen
class CallArguments:
    """The arguments of one method call, by their documented names."""

    values: dict[str, Any]

    def text(self, name: str) -> str:
        """Return a required text."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value:
            refuse_value(name, "a text that is not empty", value)
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None when it was left out."""
        return None if self.values.get(name) is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; nothing given is an empty list."""
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(entry, str) and entry for entry in value):
            refuse_value(name, "a list of texts", value)
        return tuple(dict.fromkeys(value))

    def record(self, name: str) -> dict[str, Any]:
        """Return an object; nothing given is an empty one."""
        value = self.values.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            refuse_value(name, "an object", value)
        return value

    def account(self, name: str = "connectedAccountId") -> int | None:
        """Return a connected account's id, if one was given."""
        return account_id(self.values.get(name), name)
