"""What a person does in a form, one field after the other; fields are named as the form names them."""

import re

from playwright.sync_api import Locator, expect

from tests.comboboxes import add_choice
from tests.comboboxes import choose as choose_in


def fill(form: Locator, field: str, text: str) -> None:
    """Type a text."""
    form.get_by_label(field, exact=True).fill(text)


def choose(form: Locator, field: str, words: str) -> None:
    """Open the list of a field and press one of its choices."""
    choose_in(form, field, words)


def search(form: Locator, field: str, typed: str, words: str) -> None:
    """Type a part of a name, and press the choice that is found."""
    box = form.get_by_role("combobox", name=field, exact=True)
    box.fill(typed)
    form.get_by_role("listbox").get_by_role("option", name=words, exact=True).click()
    expect(box).to_have_value(words)


def add(form: Locator, field: str, *words: str) -> None:
    """Take several choices of a field that has a list of them."""
    for each in words:
        add_choice(form, field, each)


def write(form: Locator, field: str, *texts: str) -> None:
    """Write the entries of a list, each in a field of its own."""
    entries = form.get_by_role("group", name=field, exact=True)
    for position, text in enumerate(texts):
        if position:
            entries.get_by_role("button", name="Add").click()
        entries.get_by_role("textbox").nth(position).fill(text)


def select(form: Locator, field: str, words: str) -> None:
    """Choose one of a few fixed values."""
    form.get_by_label(field, exact=True).select_option(label=words)


def press(form: Locator, field: str, words: str) -> None:
    """Press one of the buttons of a truth value, or of a few fixed values."""
    group = form.get_by_role("group", name=field, exact=True)
    segment = group.locator("label").filter(has_text=re.compile(f"^{words}$"))
    segment.click()
    expect(segment.get_by_role("radio")).to_be_checked()


STEPS = {step.__name__: step for step in (fill, choose, search, add, write, select, press)}
