"""From arguments to a form and back."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service_client.models import Function
from servicejs.forms.form import Form
from servicejs.forms.values import Leaf, walk
from tests.servicejs.forms.functions_under_test import functions_with_arguments

pytestmark = pytest.mark.slow


@given(functions_with_arguments())
@settings(max_examples=150, deadline=None)
def test_valid_arguments_survive(case: tuple[Function, dict[str, Any]]) -> None:
    """Arguments that are valid come out of the form as they went in, for any schema."""
    tested, arguments = case
    form = Form(tested, arguments)

    assert arguments == form.submit(), form.problems


@given(functions_with_arguments(), st.data())
@settings(max_examples=100, deadline=None)
def test_any_text_is_taken(case: tuple[Function, dict[str, Any]], data: st.DataObject) -> None:
    """Whatever is typed, the form never fails: it gives arguments or says what is wrong, and keeps the text."""
    tested, arguments = case
    form = Form(tested, arguments)
    leaves = [path for path, node in walk(form.root) if isinstance(node, Leaf)]
    for path in leaves[:5]:
        text = data.draw(st.text() | st.sampled_from(["1e999", "-", "1" * 5000, "[" * 2000, "NaN", "0000-00-00"]))
        form.set_text(path, text)
        form.check(path)
    outcome = form.submit()

    assert (outcome is None) == bool(form.problems)
