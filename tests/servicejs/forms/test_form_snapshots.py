"""The HTML of every form case, compared with the file beside the tests."""

import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

from examples.gallery.form_states import STATES

SNAPSHOTS = Path(__file__).parent / "snapshots"
VOID = {"img", "input"}


class _Prettifier(HTMLParser):
    """Writes one tag or text a line, indented, and a name in `bdi` as one; fails where tags don't match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.lines: list[str] = []
        self.opened: list[str] = []
        self.name: str | None = None

    def _write(self, text: str) -> None:
        if self.name is not None:
            self.name += text
            return
        self.lines.append("  " * len(self.opened) + text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "bdi":
            self.name = ""
        else:
            self._write((self.get_starttag_text() or "").replace("\n", "&#10;"))
        if tag not in VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._write(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.opened.pop()
        if tag == "bdi":
            self.lines.append("  " * len(self.opened) + f"<bdi>{self.name}</bdi>")
            self.name = None
        else:
            self._write(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        for line in filter(None, map(str.strip, data.splitlines())):
            self._write(line)

    def handle_entityref(self, name: str) -> None:
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._write(f"&#{name};")


def prettified(html: str) -> str:
    """Return the HTML one tag a line, so that differences can be read."""
    prettifier = _Prettifier()
    prettifier.feed(html)
    prettifier.close()
    assert [] == prettifier.opened
    return "\n".join(prettifier.lines) + "\n"


@pytest.mark.parametrize("name", STATES)
async def test_form_looks_as_agreed(name: str) -> None:
    """A form's HTML only changes on purpose: `UPDATE_SNAPSHOTS=1` writes what it is now."""
    driver = await STATES[name]()
    html = prettified(driver.screen.render())
    await driver.close()
    snapshot = SNAPSHOTS / f"{name}.html"
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        snapshot.parent.mkdir(exist_ok=True)
        snapshot.write_text(html)

    assert snapshot.read_text() == html


def test_every_snapshot_has_its_case() -> None:
    """No snapshot outlives its case."""
    assert sorted(STATES) == sorted(path.stem for path in SNAPSHOTS.glob("*.html"))


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.referred: list[str] = []
        self.labelled: set[str] = set()
        self.controls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") or name == "style" for name in given)
        assert tag not in ("script", "style")
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("aria-describedby", "aria-labelledby"):
            self.referred.extend(given.get(name, "").split())
        if "for" in given:
            self.labelled.add(given["for"])
        if tag in ("input", "select", "textarea") and given.get("type") not in ("radio", "checkbox"):
            self.controls.append("" if "aria-label" in given else given["id"])


@pytest.mark.parametrize("name", STATES)
async def test_ids_and_labels_hold_together(name: str) -> None:
    """Ids are unique, references lead somewhere, every control has a label, and nothing is inline."""
    driver = await STATES[name]()
    page = _Ids()
    page.feed(driver.screen.render())
    await driver.close()

    assert len(set(page.ids)) == len(page.ids)
    assert set() == set(page.referred) - set(page.ids)
    assert set() == set(filter(None, page.controls)) - page.labelled
