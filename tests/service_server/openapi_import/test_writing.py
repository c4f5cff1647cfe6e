"""A connector's folder is written whole or not at all, and its files read back as what they were made of."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.catalog.document import read_document
from service_server.catalog.folders import connector_folders
from service_server.catalog.icons import plain_icon, read_icon
from service_server.catalog.problems import Problem
from service_server.openapi_import import write
from service_server.openapi_import.document import ImportRefused
from service_server.openapi_import.report import Flattening, Report
from service_server.openapi_import.write import write_connector, yaml_of
from tests.service_server.openapi_import.made_documents import TEXT, answer, document, holding, in_path, in_query, taken

pytestmark = pytest.mark.slow

CONNECTOR = {"name": "acme", "title": "Acme", "description": "T.", "base_url": "https://x", "auth": [{"id": "open"}]}
FUNCTIONS = {"get-thing": "type: query\ntitle: Get a thing\n"}

_TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(alphabet=" :#-{}[]'\"\\\n,&*!|>%@`~?=<.+0123456789abnotruefalsenull", max_size=160),
    st.lists(st.text(alphabet="abc:#'\"-", min_size=1, max_size=12), max_size=30).map(" ".join),
)
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXTS)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4)),
    max_leaves=20,
)


@given(st.dictionaries(_TEXTS, _VALUES, max_size=5))
def test_yaml_reads_back(tmp_path_factory: pytest.TempPathFactory, value: dict[str, Any]) -> None:
    """Whatever is written as YAML is read as the same values."""
    file = tmp_path_factory.getbasetemp() / "value.yaml"
    file.write_text(yaml_of(value), encoding="utf-8", newline="")

    assert value == (read_document(file).value if value else {})


def test_yaml_looks_as_people_write_it() -> None:
    """Short things stand on one line, fields in blocks, long texts are folded, and only what needs quotes has them."""
    text = yaml_of(
        {
            "request": {"get": "/things/${args.id}", "query": {"q": "${args.q?}"}},
            "parameters": {"type": "object", "properties": {"id": {"type": "string", "description": 'It: "the" one.'}}},
            "description": "word " * 30 + "end.",
        }
    )

    assert text == (
        "request: {get: '/things/${args.id}', query: {q: '${args.q?}'}}\n"
        "parameters:\n"
        "  type: object\n"
        "  properties:\n"
        "    id:\n"
        "      type: string\n"
        "      description: 'It: \"the\" one.'\n"
        "description: >-\n"
        f"  {' '.join(['word'] * 22)}\n"
        f"  {' '.join(['word'] * 8)} end.\n"
    )


@pytest.mark.parametrize("title", ["Acme", "ünï", "<&>", "9 lives", "✨"])
def test_icons_are_tiles(title: str, tmp_path: Path) -> None:
    """The icon is a tile with a letter that is served as any icon, and is the same every time."""
    (tmp_path / "icon.svg").write_text(plain_icon("acme", title), encoding="utf-8")

    assert read_icon(tmp_path / "icon.svg").content == plain_icon("acme", title).encode()
    assert plain_icon("acme", title) != plain_icon("bcme", title)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """A folder that is there already stays as it is, and so does a link that leads nowhere."""
    (tmp_path / "acme").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        write_connector(tmp_path / "acme", CONNECTOR, FUNCTIONS, "")
    assert [tmp_path / "acme"] == list(tmp_path.iterdir())


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When writing fails midway there is no folder, neither the connector's nor the one it was prepared in."""

    def fail(value: Any) -> str:
        raise OSError("no space left")

    monkeypatch.setattr(write, "yaml_of", fail)
    with pytest.raises(OSError, match="no space"):
        write_connector(tmp_path / "acme", CONNECTOR, FUNCTIONS, "")
    assert [] == list(tmp_path.iterdir())


def test_a_service_that_watches_sees_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a connector is being written, whoever looks for connectors there finds neither a part of it nor a fault."""
    seen: list[Any] = []

    def look(value: Any) -> str:
        problems: list[Problem] = []
        seen.extend([*connector_folders(tmp_path, problems), *problems])
        return yaml_of(value)

    monkeypatch.setattr(write, "yaml_of", look)
    write_connector(tmp_path / "acme", CONNECTOR, FUNCTIONS, "")

    assert [] == seen
    assert [tmp_path / "acme"] == list(connector_folders(tmp_path, []))


def test_what_would_be_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function whose file no catalogue would read is left out, and so are the choices that it gave others."""
    items = answer({"type": "array", "items": holding(id=TEXT, name=TEXT)})
    several = [in_query(f"filter_{number}") for number in range(60)]
    listing = {"get": {"parameters": several, "responses": items}}
    made = document({"/things": listing, "/things/{id}": {"delete": {"parameters": [in_path("id")]}}})
    whole = taken(made)
    monkeypatch.setattr(write, "MAX_BYTES", 2000)
    rest = taken(made)

    assert "x-source" in whole.functions["delete-thing"]["parameters"]["properties"]["id"]
    assert "x-typed-in" in rest.functions["delete-thing"]["parameters"]["properties"]["id"]
    [(operation, reason)] = rest.report.operations_left_out
    assert "GET /things" == operation
    assert "larger than a connector's file may be" in reason
    monkeypatch.setattr(write, "MAX_BYTES", 100)
    with pytest.raises(ImportRefused, match="no function passes the check"):
        taken(made)


def test_the_report_groups_what_is_alike() -> None:
    """What is the same in many functions is told once, and a document's own words are no markup."""
    report = Report(flattened=[Flattening(f"get-{letter}", "token", "left out") for letter in "abcde"])
    report.operations_left_out.append(("GET /<b>", "because *so*"))

    assert "- 5 functions (get-a, get-b, get-c, …): token: left out" in report.markdown("Acme")
    assert r"- GET /\<b\>: because \*so\*" in report.markdown("Acme")
