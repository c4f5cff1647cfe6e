"""The HTML of form cases, compared with the files beside the tests; what holds for every case."""

import os
from difflib import unified_diff
from html.parser import HTMLParser
from pathlib import Path

import pytest

from examples.gallery.form_states import STATES

SNAPSHOTS = Path(__file__).parent / "snapshots"
LONGEST_LINE = 200
VOID = {"img", "input"}
LIKE = {"problems": "every-control"}
"""The cases of which a snapshot keeps only how they differ from another one."""


class _Prettifier(HTMLParser):
    """Writes an element a line where it is short, else its parts below it; fails where tags don't match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.opened: list[tuple[str, str]] = []
        self.lines: list[list[str]] = [[]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text = (self.get_starttag_text() or "").replace("\n", "&#10;")
        if tag in VOID:
            self.lines[-1].append(text)
        else:
            self.opened.append((tag, text))
            self.lines.append([])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.lines[-1].append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        opened, start = self.opened.pop()
        assert tag == opened
        within, end = self.lines.pop(), f"</{tag}>"
        one = "".join([start, *within, end])
        is_short = len(one) <= LONGEST_LINE and not any(line.startswith("  ") for line in within)
        self.lines[-1] += [one] if is_short else [start, *(f"  {line}" for line in within), end]

    def handle_data(self, data: str) -> None:
        self.lines[-1] += filter(None, map(str.strip, data.splitlines()))

    def handle_entityref(self, name: str) -> None:
        self.lines[-1].append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.lines[-1].append(f"&#{name};")


async def shown(name: str) -> str:
    """The HTML of a case."""
    driver = await STATES[name]()
    html = driver.screen.render()
    await driver.close()
    return html


def prettified(html: str) -> list[str]:
    """The HTML in lines, so that differences can be read."""
    prettifier = _Prettifier()
    prettifier.feed(html)
    prettifier.close()
    (lines,) = prettifier.lines
    return lines


def differences(before: list[str], after: list[str]) -> list[str]:
    """How some lines became others, each with the lines beside it."""
    _, _, *lines = unified_diff(before, after, n=1, lineterm="")
    return ["@@" if line.startswith("@@") else line for line in lines]


@pytest.mark.parametrize("snapshot", sorted(SNAPSHOTS.iterdir()), ids=lambda path: path.stem)
async def test_form_looks_as_agreed(snapshot: Path) -> None:
    """A form's HTML only changes on purpose: `UPDATE_SNAPSHOTS=1` writes what it is now."""
    lines = prettified(await shown(snapshot.stem))
    if other := LIKE.get(snapshot.stem):
        lines = differences(prettified(await shown(other)), lines)
    found = "\n".join(lines) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        snapshot.write_text(found)

    assert snapshot.read_text() == found


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
    page = _Ids()
    page.feed(await shown(name))

    assert len(set(page.ids)) == len(page.ids)
    assert set() == set(page.referred) - set(page.ids)
    assert set() == set(filter(None, page.controls)) - page.labelled
