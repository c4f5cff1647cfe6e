"""Comboboxes of the SDK's forms, used as people use them."""

from playwright.sync_api import FrameLocator, Locator, Page, expect


def choose(form: Page | FrameLocator | Locator, field: str, words: str) -> None:
    """Open the list of a field, and press the choice of these words once it is there."""
    box = form.get_by_role("combobox", name=field, exact=True)
    box.click()
    form.get_by_role("listbox").get_by_role("option", name=words, exact=True).click()
    expect(box).to_have_value(words)


def add_choice(form: Page | FrameLocator | Locator, field: str, words: str) -> None:
    """Take one more value for a field that has several: of a list, or as it is typed."""
    box = form.get_by_role("combobox", name=field, exact=True)
    box.fill(words)
    offered = form.get_by_role("listbox").get_by_role("option")
    exact = offered.get_by_text(words, exact=True)
    exact.or_(offered.get_by_text(f"Use “{words}” as it is")).click()
    expect(form.get_by_role("list", name=f"Chosen: {field}")).to_contain_text(words)
