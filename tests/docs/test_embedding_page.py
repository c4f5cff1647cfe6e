"""The page on embedding names what there is: options, methods, events, and what pages may style."""

import re
from functools import partial

import pytest

from examples.gallery import form_states, marketplace_states
from examples.gallery.pictures import FOLDER, LARGEST_BYTES, PICTURES
from tests.docs.code_blocks import section_of
from tests.real_apps.running import ROOT

PAGE = (ROOT / "docs" / "embedding.md").read_text()
TYPES = (ROOT / "web_assets" / "scripts" / "servicejs.d.ts").read_text()
EVENTS = (ROOT / "web_assets" / "scripts" / "events.js").read_text()
TEMPLATES = ROOT / "web_assets" / "templates"
STYLES = ROOT / "web_assets" / "styles"


section = partial(section_of, PAGE)


def first_column(title: str) -> set[str]:
    """The names in the first column of a section's table, without their parameters."""
    rows = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([\w-]+)", row)}


def declared(interface: str) -> set[str]:
    """The names that the types declare in an interface or class."""
    found = re.search(rf"export (?:interface|declare class) {interface}\b.*?\{{\n(.*?)\n\}}", TYPES, re.DOTALL)
    return set(re.findall(r"^  \"?([\w-]+)\"?\??[:<(]", found[1], re.MULTILINE)) - {"constructor"}


@pytest.mark.parametrize(("title", "interface"), [("Options", "Options"), ("Methods", "ServiceJS")])
def test_tables_list_what_the_types_declare(title: str, interface: str) -> None:
    """Nothing is left out, and nothing is made up."""
    assert declared(interface) == first_column(title)


def test_all_events_are_listed() -> None:
    """The table, the types and the SDK know the same events."""
    assert set(re.findall(r'^  "([a-z-]+)",$', EVENTS, re.MULTILINE)) == first_column("Events") == declared("Events")


def test_all_custom_properties_are_listed() -> None:
    """What a page may set is what the styles of the SDK read."""
    sheets = ("servicejs.css", "surface.css", "marketplace.css", "form.css", "controls.css", "connecting.css")
    used = {name for sheet in sheets for name in re.findall(r"--ifs-[a-z-]+", (STYLES / sheet).read_text())}

    assert used == set(re.findall(r"`(--ifs-[a-z-]+)`", section("Look").partition("Properties:")[2]))


def test_all_parts_are_listed() -> None:
    """What `::part` reaches is what the templates and the shell name."""
    files = [*TEMPLATES.glob("servicejs/*.html"), *TEMPLATES.glob("parts/*.html")]
    named = {
        part for file in files for each in re.findall(r'part="([^"]+)"', file.read_text()) for part in each.split()
    }
    surfaces = (ROOT / "web_assets" / "scripts" / "surfaces.js").read_text()
    named |= set(re.findall(r'\.part = "([^"]+)"', surfaces))

    assert named == set(re.findall(r"`([a-z-]+)`", section("Look").partition("Parts:")[2]))


def test_the_frames_permissions_are_those_tested() -> None:
    """The page asks for exactly what the test of sandboxed frames allows."""
    tested = (ROOT / "tests" / "browser" / "test_embedding_frames.py").read_text()
    (sandbox,) = re.findall(r'sandbox="([^"]+)"', section("Sandboxed frames"))

    assert f'NEEDED = "{sandbox}"' in tested


def test_the_pictures_are_those_of_the_gallery() -> None:
    """The page shows each, with words for who can't see it; nothing else lies there, and none is large."""
    shown = dict(re.findall(r"!\[([^\]]+)\]\(pictures/([\w-]+)\.png\)", PAGE))
    files = {path.name: path for path in FOLDER.iterdir()}

    assert sorted(PICTURES) == sorted(shown.values())
    assert {f"{name}.png" for name in PICTURES} == set(files)
    assert all(path.stat().st_size <= LARGEST_BYTES for path in files.values())
    assert {each.state for each in PICTURES.values()} <= {*form_states.STATES, *marketplace_states.STATES}
