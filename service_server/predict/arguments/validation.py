"""Compile the schemas that predicted values are checked against."""

from typing import Any

from jsonschema_rs import Draft202012Validator

from service_server.catalog.formats import FORMATS


def compiled(schema: Any) -> Draft202012Validator | None:
    """Return a validator that checks formats too, or None for a schema that cannot be used."""
    try:
        return Draft202012Validator(schema, validate_formats=True, formats=FORMATS, retriever=_refuse)
    except ValueError:
        return None


def _refuse(uri: str) -> Any:
    """Refuse to load a schema from elsewhere: a prediction reads nothing but the prompt and the catalogue."""
    raise ValueError(f"a parameter schema refers to {uri}")
