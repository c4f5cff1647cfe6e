"""What a notebook shows of apps, functions and results: escaped, bounded, in the colours around it."""

import re
from datetime import UTC, datetime
from typing import Any

from service_client import App, ConnectedAccount, ExecutedCall, Function, Parameters

EVIL = '<script>alert("x")</script>'


def shown(value: Any) -> str:
    """The HTML, which has nothing in it that runs, loads or sets a colour of its own."""
    html: str = value._repr_html_()
    assert "<script" not in html
    assert not re.search(r"\b(src|href|on\w+)=", html)
    assert {"inherit"} >= set(re.findall(r"[;\"](?:color|background)[\w-]*:([^;\"]*)", html))
    return html


def test_an_app_shows_its_accounts() -> None:
    """Their ids and states; or that there are none."""
    account = ConnectedAccount(
        id=7, display_name=EVIL, modified_at=datetime.now(UTC), state="reconnect_required", state_reason="Ended"
    )
    app = App(id=1, name="desk", title="Desk & Co", icon_url="", connected_accounts=(account,))
    assert "<strong>Desk &amp; Co</strong>" in shown(app)
    assert "&lt;script&gt;" in shown(app)
    assert "reconnect_required: Ended" in shown(app)
    assert "No account is connected." in shown(App(id=1, name="desk", title="Desk", icon_url=""))


def test_a_function_shows_its_arguments() -> None:
    """Which are required, and what a prompt gave."""
    properties = {"title": {"type": "string", "description": EVIL}, "hours": {"type": "number"}}
    parameters = Parameters(properties=properties, required=("title",))
    function = Function(name="desk-make", description="Make.", parameters=parameters, arguments={"title": "Ice"})
    html = shown(function)
    assert re.search(r">title</td><td[^>]*>string</td><td[^>]*>required<", html)
    assert "&quot;Ice&quot;" in html
    assert "no arguments" in shown(Function(name="desk-list", description="", parameters=Parameters()))


def test_a_result_is_a_table_or_json_and_never_endless() -> None:
    """Rows, columns and texts end somewhere, and it is said that there is more."""
    rows = [{f"column{column}": EVIL * 100 for column in range(50)} for _ in range(5000)]
    table = shown(ExecutedCall(network_code="200", output=rows, next_page="2"))
    assert len(table) < 100_000
    assert "and 4980 more" in table
    assert "column49" in table
    assert "next_page" in table
    assert len(shown(ExecutedCall(network_code="500", output={"error": "x" * 100_000}))) < 10_000
    assert "answered with an error" in shown(ExecutedCall(network_code="500", output=None))
    assert shown(ExecutedCall(network_code="200", output=[1, {"a": 2}]))
