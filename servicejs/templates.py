"""Turns the templates of `web_assets` into HTML, on CPython and from the bundle's zip alike."""

import pkgutil
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined


def _source(name: str) -> str | None:
    """Return a template's text; None when there is no such template, which Jinja reports by name."""
    try:
        data = pkgutil.get_data("web_assets", f"templates/{name}")  # the loader's own read: works inside a zip too
    except OSError:
        return None
    return None if data is None else data.decode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render(name: str, **context: Any) -> str:
    """
    Return the HTML of the template `name` (a path below `web_assets/templates/`) with the given values.

    Every value is escaped unless it is `markupsafe.Markup`; a name the template uses and the context lacks is an error.
    """
    return _environment().get_template(name).render(context)
