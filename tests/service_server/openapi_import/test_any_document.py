"""Whatever a document holds: it is imported to a connector that passes the check, or refused with what is wrong."""

import copy
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service_server.catalog.check import check
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.load import load_connector
from service_server.openapi_import.document import ImportRefused
from service_server.openapi_import.steps import Choice, Imported, import_document
from service_server.openapi_import.write import write_connector
from tests.connectors.arguments import every_argument
from tests.service_server.openapi_import.made_documents import DOCUMENTS, SWAGGER

pytestmark = pytest.mark.slow

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.builds(lambda: {"a": {}}),
)
SLOW = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(DOCUMENTS)
def test_what_is_imported_passes_the_check(made: dict[str, Any]) -> None:
    """
    A well-formed document is refused in words, or becomes a folder that `connector check` finds no fault with.

    The same document gives the same files, and is itself left as it was.
    """
    before = copy.deepcopy(made)
    first, second = imported_or_refused(made), imported_or_refused(made)

    assert before == made
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.connector == second.connector
        assert first.functions == second.functions
        assert first.report.described() == second.report.described()
        assert_it_passes(first)


@SLOW
@given(st.one_of(DOCUMENTS, st.just(SWAGGER)), st.data())
def test_a_broken_document_is_refused_or_imported(made: dict[str, Any], data: st.DataObject) -> None:
    """A document in which anything is replaced by anything else never makes the import fail in another way."""
    broken = copy.deepcopy(made)
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(list(places(broken))))
        holder[key] = data.draw(JUNK)
    imported = imported_or_refused(broken)
    if imported is not None:
        assert_it_passes(imported)


def imported_or_refused(made: Any) -> Imported | None:
    """Import a document; None where it is refused, with something to read."""
    try:
        return import_document(made, Choice("acme"))
    except ImportRefused as error:
        told = [fault.message for fault in error.faults]
    assert all(told)
    assert told
    return None


def assert_it_passes(imported: Imported) -> None:
    """Write a connector, check it from its files, and build every function's request."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory) / "acme"
        write_connector(folder, imported.connector, imported.texts, imported.report.markdown("Acme"))

        assert [] == check(folder)
        connector, _ = load_connector(folder)
    variables = {name: each.default or "https://x.example" for name, each in connector.variables.items()}
    for function in connector.functions.values():
        arguments = every_argument(function)
        if function.type != "passthrough" and function.validator.is_valid(arguments):
            with suppress(InvalidRequest):  # such as a file that isn't base64
                function.request.build("https://x.example", {"args": arguments, "vars": variables})


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a document as the holder and the key in it."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield value, key
        yield from places(inner)
