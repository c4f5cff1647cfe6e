"""Addresses that no page of the console links to."""

import pytest

from tests.service_server.console.operator_browser import OperatorBrowser


@pytest.mark.parametrize("number", ["0", "-1", "9" * 30, f"-{'9' * 30}", "9" * 5000])
def test_a_number_that_no_application_can_have(operator: OperatorBrowser, number: str) -> None:
    """It is a page that is not there, not a defect, however large the number is."""
    assert 404 == operator.get(f"/console/applications/{number}").status_code
