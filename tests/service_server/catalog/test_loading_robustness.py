"""Loading connectors that are wrong in ways nobody thought of."""

import copy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_server.catalog.document import read_document
from service_server.catalog.load import SHIPPED, load_connector
from tests.service_server.catalog.connector_folder import ConnectorFolder

pytestmark = pytest.mark.slow

CONNECTORS = ("kinto", "sandbox")
FILES = [
    SHIPPED / name / file
    for name in CONNECTORS
    for file in ("connector.yaml", *(f"functions/{path.name}" for path in (SHIPPED / name / "functions").iterdir()))
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 700)
    | st.sampled_from(["", "x", "get", "query", "string", "object", "/a/${args.x}", "${vars.y?}", "body.a", "[", "60s"])
    | st.sampled_from(["https://[x/", "https://[::1", "https://x:70000/", "http://x]/"])
    | st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "a", "...", "get"]), inner),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside another."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


@settings(max_examples=30)
@given(st.data())
def test_any_mistake_is_a_problem_and_never_a_crash(data: st.DataObject) -> None:
    """Whatever stands in place of one value of a file, loading gives a connector or problems with real lines."""
    file = data.draw(st.sampled_from(FILES))
    folder = file.parent if file.name == "connector.yaml" else file.parent.parent
    content = copy.deepcopy(read_document(file).value)
    *path, last = data.draw(st.sampled_from(list(places(content))))
    place = content
    for key in path:
        place = place[key]
    if data.draw(st.booleans()):
        del place[last]
    else:
        place[last] = data.draw(VALUES)

    written = ConnectorFolder(connector=read_document(folder / "connector.yaml").value, functions={})
    for other in (folder / "functions").iterdir():
        written.functions[other.stem] = read_document(other).value
    if file.name == "connector.yaml":
        written.connector = content
    else:
        written.functions[file.stem] = content
    with tempfile.TemporaryDirectory() as directory:
        connector, problems = load_connector(written.write(Path(directory), folder.name))
        lines = {problem.file: len(problem.file.read_text().splitlines()) for problem in problems}

    assert (connector is None) == bool(problems)
    assert all(1 <= problem.line <= lines[problem.file] for problem in problems)
    assert all(problem.message for problem in problems)
