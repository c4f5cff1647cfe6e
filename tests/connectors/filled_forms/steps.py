"""What a person does in a form, one field after the other; fields are named as the form names them."""

import re
from collections.abc import Callable
from typing import TypeAlias

from playwright.sync_api import Locator, expect

from tests.comboboxes import add_choice
from tests.comboboxes import choose as choose_in

Step: TypeAlias = Callable[[Locator], None]


def fill(field: str, text: str) -> Step:
    """Type a text."""
    return lambda form: form.get_by_label(field, exact=True).fill(text)


def choose(field: str, words: str) -> Step:
    """Open the list of a field and press one of its choices."""
    return lambda form: choose_in(form, field, words)


def search(field: str, typed: str, words: str) -> Step:
    """Type a part of a name, and press the choice that is found."""

    def step(form: Locator) -> None:
        box = form.get_by_role("combobox", name=field, exact=True)
        box.fill(typed)
        form.get_by_role("listbox").get_by_role("option", name=words, exact=True).click()
        expect(box).to_have_value(words)

    return step


def add(field: str, *words: str) -> Step:
    """Take several choices of a field that has a list of them."""

    def step(form: Locator) -> None:
        for each in words:
            add_choice(form, field, each)

    return step


def write(field: str, *texts: str) -> Step:
    """Write the entries of a list, each in a field of its own."""

    def step(form: Locator) -> None:
        entries = form.get_by_role("group", name=field, exact=True)
        for position, text in enumerate(texts):
            if position:
                entries.get_by_role("button", name="Add").click()
            entries.get_by_role("textbox").nth(position).fill(text)

    return step


def select(field: str, words: str) -> Step:
    """Choose one of a few fixed values."""
    return lambda form: _selected(form.get_by_label(field, exact=True), words)


def press(field: str, words: str) -> Step:
    """Press one of the buttons of a truth value, or of a few fixed values."""

    def step(form: Locator) -> None:
        group = form.get_by_role("group", name=field, exact=True)
        segment = group.locator("label").filter(has_text=re.compile(f"^{words}$"))
        segment.click()
        expect(segment.get_by_role("radio")).to_be_checked()

    return step


def _selected(box: Locator, words: str) -> None:
    box.select_option(label=words)
