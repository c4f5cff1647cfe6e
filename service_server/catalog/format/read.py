"""Reads what a file says, once its form is right, to the values of the format's classes."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override

from service_server.catalog.format.json_schema import is_union
from service_server.catalog.format.keys import Form, key_fields, key_of

T = TypeVar("T")


def read(declared: type[T], value: Any) -> T:
    """Return a value, whose form is right, as one of a class."""
    return _converter.structure(value, declared)


def _class_hook(declared: type) -> Callable[[Any, Any], Any]:
    attrs.resolve_types(declared, include_extras=True)
    names = {each.name: override(omit=True) for each in attrs.fields(declared)}
    names |= {each.name: override(rename=key_of(each)) for each in key_fields(declared)}
    return make_dict_structure_fn(declared, _converter, **names)  # type: ignore[arg-type]


def _union_hook(declared: Any) -> Callable[[Any, Any], Any]:
    """Each member is another type of JSON; of several classes the key `type` says which one it is."""
    targets: dict[type, Any] = {}
    tagged: dict[str, type] = {}
    for member in get_args(declared):
        plain = get_args(member)[0] if get_origin(member) is Annotated else member
        if attrs.has(member):
            targets[dict] = member
            tagged |= dict.fromkeys(get_args(get_type_hints(member).get("type")), member)
        elif get_origin(plain) in (Mapping, tuple):
            targets[dict if get_origin(plain) is Mapping else list] = member
    several = len(set(tagged.values())) > 1

    def structure(value: Any, _: Any) -> Any:
        target = tagged[value["type"]] if several and isinstance(value, dict) else targets.get(type(value))
        return value if target is None else _converter.structure(value, target)

    return structure


_converter = Converter(detailed_validation=False)
for _type in (str, int, float, bool):
    _converter.register_structure_hook(_type, lambda value, _: value)
_converter.register_structure_hook_factory(attrs.has, _class_hook)
_converter.register_structure_hook_factory(is_union, _union_hook)
_converter.register_structure_hook_func(
    lambda declared: any(isinstance(each, Form) for each in getattr(declared, "__metadata__", ())),
    lambda value, _: value,
)
