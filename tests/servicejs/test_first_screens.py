"""What a service has ready before the first screen is asked for."""

import pytest
from jinja2 import Environment

from service_client.models import AppList
from servicejs import first_screens, language
from servicejs.first_screens import Call


@pytest.mark.parametrize("locale", language.LOCALES)
def test_nothing_is_compiled_once_it_is_prepared(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is the first to see the marketplace waits for no template and no translation."""
    first_screens.prepare()

    def refuse(*values: object) -> None:
        raise AssertionError("It was to be ready.")

    monkeypatch.setattr(Environment, "compile", refuse)
    monkeypatch.setattr(language, "compile_catalog", refuse)

    drawn = first_screens.marketplace(Call.read("showApps", {"modal": True}, locale), AppList(apps=(), cursor=None))

    assert drawn.html
