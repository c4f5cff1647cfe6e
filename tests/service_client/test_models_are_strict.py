"""What the service answers is taken as it is, or not at all."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import CONVERTER, App, CallResult, ConnectedAccount, Prediction

APP: dict[str, Any] = {"id": 1, "name": "a", "title": "A", "icon_url": ""}


@pytest.mark.parametrize("change", [{"name": None}, {"name": 5}, {"id": "1"}, {"id": True}, {"id": 1.5}, {"title": []}])
def test_a_scalar_of_the_wrong_type_is_refused(change: dict[str, Any]) -> None:
    """Nothing is turned into text or a number that was none."""
    with pytest.raises(Exception, match="structuring App"):
        CONVERTER.structure({**APP, **change}, App)


def test_right_scalars_are_taken() -> None:
    """Whole numbers stand for numbers, and null for what may be absent."""
    account = {"id": 7, "display_name": "A", "modified_at": "2026-01-01T00:00:00.000000Z"}

    assert 1.0 == CONVERTER.structure({"confidence": 1}, Prediction).confidence
    assert CONVERTER.structure({"network_code": "200", "next_page": None}, CallResult).next_page is None
    assert (ConnectedAccount(**{**account, "modified_at": datetime(2026, 1, 1, tzinfo=UTC)}),) == CONVERTER.structure(
        {**APP, "connected_accounts": [account]}, App
    ).connected_accounts
