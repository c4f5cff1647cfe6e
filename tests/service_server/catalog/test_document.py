"""Reading YAML files to plain values."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from service_server.catalog import document
from service_server.catalog.document import MAX_DEPTH, DocumentError, read_document
from service_server.catalog.load import SHIPPED
from tests.service_server.catalog.test_loading_robustness import places


def written(directory: Path, content: str | bytes) -> Path:
    """Write a file and return it."""
    file = directory / "file.yaml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("12", 12),
        ("-0", 0),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("1.50", 1.5),
        ("2e3", 2000.0),
        ("1e999", "1e999"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2026-11-21", "2026-11-21"),
        ("'12'", "12"),
        ("!!python/name:os.system x", "x"),
        ("[a, {b: 1}]", ["a", {"b": 1}]),
    ],
)
def test_plain_scalars_have_the_types_of_yaml_1_2(tmp_path: Path, text: str, value: Any) -> None:
    """A value is what YAML 1.2's core schema says, never a date, an object of Python or a number JSON can't say."""
    found = read_document(written(tmp_path, f"key: {text}")).value["key"]

    assert (type(value), value) == (type(found), found)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "- " * 100_000, "? " * 100_000, "{a: " * 1000, "&a [*a]", "[" * (MAX_DEPTH + 1) + "]" * 41],
    ids=["flow lists", "block lists", "block keys", "flow objects", "itself", "one level too many"],
)
def test_what_is_nested_too_deeply_is_a_problem(tmp_path: Path, text: str) -> None:
    """However a file is nested, it is refused with a message and never ends the process."""
    with pytest.raises(DocumentError, match="levels"):
        read_document(written(tmp_path, text))


TENFOLD = [
    "a: &a [1,1,1,1,1,1,1,1,1,1]",
    *(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]" for a, b in ("ab", "bc", "cd", "de")),
]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("a: 1\nb: [", 3, "is not YAML"),
        ("a: b: c\n", 1, "is not YAML"),
        ("a: 1\nb: !!int x", 2, "is not a number"),
        ("a: 1\nb: " + "9" * 5000, 2, "is not a number"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("a: 1\nb: \x01", 1, "is not YAML"),
        ("a: 1\na: 2", 2, "twice"),
        ("a: 1\n[b]: 2", 2, "not a plain word"),
        ("# nothing", 1, "is empty"),
        ("", 1, "is empty"),
        (b"\xff\xfe", 1, "is not UTF-8"),
        ("x" * 300_000, 1, "is larger than"),
        ("\n".join(TENFOLD), 5, "values"),
    ],
)
def test_what_can_not_be_read_is_told(tmp_path: Path, content: str | bytes, line: int, message: str) -> None:
    """A file that has no one meaning is refused at the line where that shows."""
    with pytest.raises(DocumentError, match=message) as caught:
        read_document(written(tmp_path, content))

    assert line == caught.value.line


def test_libyaml_and_python_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyYAML has no libyaml, the catalogue is read to the same values and lines."""
    files = sorted((SHIPPED / "sandbox").rglob("*.yaml"))
    fast = [read_document(file) for file in files]
    monkeypatch.setattr(document, "_COMPOSER", document._composer(yaml.BaseLoader))
    slow = [read_document(file) for file in files]

    assert fast == slow
    for one, other in zip(fast, slow, strict=True):
        assert [one.line(path) for path in places(one.value)] == [other.line(path) for path in places(other.value)]
