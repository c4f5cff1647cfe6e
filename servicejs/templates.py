"""
Turns the templates of `web_assets` into HTML.

The bundle holds them compiled, as modules below `servicejs.compiled_templates`, so that browsers need not compile
them; elsewhere they are compiled from their files when first used.
"""

import hashlib
import importlib
import pkgutil
from collections.abc import MutableMapping
from functools import cache
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FunctionLoader, StrictUndefined, Template, TemplateNotFound

from servicejs.language import gettext, ngettext

COMPILED = "servicejs.compiled_templates"


def render(name: str, **context: Any) -> str:
    """
    Return the HTML of the template `name` (a path below `web_assets/templates/`) with the given values.

    Every value is escaped unless it is `markupsafe.Markup`; a name the template uses and the context lacks is an error.
    """
    return _environment().get_template(name).render(context)


def compile_template(name: str, text: str) -> str:
    """Return the Python source of a template, for the bundle to hold as the module `compiled_name(name)`."""
    return str(_environment().compile(text, name, name, raw=True, defer_init=True))


def compiled_name(name: str) -> str:
    """Return the name of a compiled template's module."""
    return f"template_{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def load_compiled_templates() -> None:
    """Get every template of the bundle ready to render, so that none is looked for later."""
    package = importlib.import_module(COMPILED)
    for found in pkgutil.iter_modules(package.__path__):
        load_template(importlib.import_module(f"{COMPILED}.{found.name}").name)


def load_template(name: str) -> None:
    """Get a template ready to render."""
    _environment().get_template(name)


class _CompiledLoader(BaseLoader):
    has_source_access = False

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,
    ) -> Template:
        try:
            module = importlib.import_module(f"{COMPILED}.{compiled_name(name)}")
        except ModuleNotFoundError as error:
            raise TemplateNotFound(name) from error
        return environment.template_class.from_module_dict(environment, vars(module), globals or {})


def _source(name: str) -> str | None:
    """Return a template's text; None when there is no such template, which Jinja reports by name."""
    try:
        data = pkgutil.get_data("web_assets", f"templates/{name}")
    except OSError:
        return None
    return None if data is None else data.decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader([_CompiledLoader(), FunctionLoader(_source)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {"_": gettext, "ngettext": ngettext}
    return environment
