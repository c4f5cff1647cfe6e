"""The values that a field may take, and the words shown for them."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen


@frozen(kw_only=True)
class Option:
    """One value a user can choose, and the words shown for it."""

    value: Any
    label: str

    @property
    def text(self) -> str:
        """The value as the text a control carries."""
        return scalar_text(self.value)


def options_from(values: Iterable[Any]) -> tuple[Option, ...]:
    """Read a list of choices: bare values, or objects that name a value and a label in one of the usual ways."""
    options: dict[str, Option] = {}
    for value in values:
        label: Any = None
        if isinstance(value, dict):
            label = _first(value, "label", "title", "name", "text", "display_name")
            value = _first(value, "value", "id", "key", "name", "label")
        if is_scalar(value) and value != "":
            option = Option(value=value, label=_label(value, label))
            options.setdefault(option.text, option)
    return tuple(options.values())


def named(options: Iterable[Option], text: str) -> Option | None:
    """Return the one option that a text names, by its words or its value; None unless it is exactly one."""
    words = text.casefold()
    found = [option for option in options if text == option.text or words == option.label.casefold()]
    return found[0] if len(found) == 1 else None


def having_words(options: Iterable[Option], search: str) -> tuple[Option, ...]:
    """Return the options whose label has all words of a search in it."""
    words = search.casefold().split()
    return tuple(option for option in options if all(word in option.label.casefold() for word in words))


def is_scalar(value: Any) -> bool:
    """Whether a value can be carried by one control: text, a number or a truth value."""
    return isinstance(value, str | int | float)


def scalar_text(value: Any) -> str:
    """Write a scalar as the text a control carries."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def _label(value: Any, label: Any) -> str:
    return scalar_text(label) if is_scalar(label) and label != "" else scalar_text(value)


def _first(item: Mapping[str, Any], *keys: str) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)
