"""
The one converter between resources and JSON values.

Unknown keys are ignored and absent optional keys left out. Where a model lists today's words, other words pass
unchanged: a newer service's new state must not make a whole list unreadable.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from service_client.models.call import CallResult, Outcome
from service_client.models.function import Function
from service_client.models.meta import DynamicFields, FieldMeta, Source
from service_client.models.prediction import Prediction

CONVERTER = Converter(omit_if_default=False, forbid_extra_keys=False)


def _scalar(*accepted: type) -> Callable[[Any, type], Any]:
    """Take a scalar as it is: a wrong one is a malformed answer, not something to be turned into text or a number."""

    def structure(value: Any, wanted: type) -> Any:
        if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
            raise TypeError(f"expected {wanted.__name__}, got {type(value).__name__}")
        return value

    return structure


for _wanted, _accepted in ((str, (str,)), (int, (int,)), (float, (float, int)), (bool, (bool,))):
    CONVERTER.register_structure_hook(_wanted, _scalar(*_accepted))


def _is_open_word(wanted: Any) -> bool:
    """Tell whether a type is a set of known words that also allows any other text."""
    choices = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else ()
    return str in choices and all(choice is str or get_origin(choice) is Literal for choice in choices)


CONVERTER.register_structure_hook_func(_is_open_word, lambda value, _: CONVERTER.structure(value, str))


def _read_moment(value: Any, _: type[datetime]) -> datetime:
    """Read a moment; one without a time zone is ambiguous, so refuse it."""
    moment = datetime.fromisoformat(CONVERTER.structure(value, str))
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return moment.astimezone(UTC)


def write_moment(moment: datetime) -> str:
    """Return a moment as the contract writes it: UTC, always with microseconds, so that it sorts as text."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


CONVERTER.register_structure_hook(datetime, _read_moment)
CONVERTER.register_unstructure_hook(datetime, write_moment)


def _omit_when_none(cls: type, *names: str) -> None:
    """Leave the named optional keys out of the JSON when they have no value, as the contract does."""
    known = {attribute.name for attribute in attrs.fields(cls)}
    assert known.issuperset(names), names  # noqa: S101  a wrong name here is a defect of this file
    overrides: dict[str, Any] = {name: override(omit_if_default=True) for name in names}
    CONVERTER.register_unstructure_hook(cls, make_dict_unstructure_fn(cls, CONVERTER, **overrides))


_omit_when_none(Source, "search")
_omit_when_none(DynamicFields, "title", "type", "required", "options")
_omit_when_none(FieldMeta, "options", "source", "dynamic_fields")
_omit_when_none(Prediction, "choices")
_omit_when_none(Function, "meta", "arguments", "prediction")
_omit_when_none(Outcome, "link")
_omit_when_none(CallResult, "next_page", "outcome")
