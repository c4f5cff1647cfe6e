"""Templates: escaping, missing values, and the compiled form that browsers get."""

import sys
from types import ModuleType

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from servicejs.bundle.contents import ROOT
from servicejs.templates import COMPILED, _environment, compile_template, compiled_name, render

FOLDER = ROOT / "web_assets" / "templates"
NAMES = [
    file.relative_to(FOLDER).as_posix() for part in ("servicejs", "parts") for file in FOLDER.glob(f"{part}/*.html")
]


def test_missing_values_and_templates_are_errors() -> None:
    """A forgotten value or a misspelt template fails, rather than leaving a hole in the page."""
    with pytest.raises(UndefinedError, match="app_title"):
        render("servicejs/connect_first.html", problem="")
    with pytest.raises(TemplateNotFound, match=r"nothing\.html"):
        render("nothing.html")


def test_compiled_templates_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template that was compiled for the bundle gives the same HTML as its file, without that file."""
    context = {"app_title": "Desk & Co", "problem": ""}
    name = "servicejs/connect_first.html"
    expected = render(name, **context)
    module = ModuleType(compiled_name(name))
    module.__file__ = f"{name}.py"
    exec(compile_template(name, (FOLDER / name).read_text()), vars(module))  # noqa: S102  what the bundle imports
    monkeypatch.setitem(sys.modules, COMPILED, ModuleType(COMPILED))
    monkeypatch.setitem(sys.modules, f"{COMPILED}.{compiled_name(name)}", module)
    monkeypatch.setattr("servicejs.templates._source", lambda name: None)
    _environment.cache_clear()

    try:
        assert expected == render(name, **context)
    finally:
        _environment.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_no_template_needs_what_strict_policies_forbid(name: str) -> None:
    """Inline styles, scripts and event handlers do not run under a host's strict policy, so that none may be used."""
    text = (FOLDER / name).read_text()

    assert not [
        word for word in (" style=", "<style", "<script", " onclick=", " onload=", "javascript:") if word in text
    ]
