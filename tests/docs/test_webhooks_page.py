"""docs/webhooks.md: its code runs, and it leaves no event out."""

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import attrs

from service_client.models.event import AccountEvent, CallEvent, EventType, webhook_signature

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
SECRET = "whsec_" + "a" * 43 + "="
ROWS = dict(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE))


def request(event_type: str, data: dict[str, Any]) -> SimpleNamespace:
    """A request as a framework hands it over."""
    body = json.dumps({"type": event_type, "timestamp": "2026-01-01T00:00:00.000000Z", "data": data}).encode()
    moment = str(int(time.time()))
    signature = webhook_signature(SECRET, "evt_1", moment, body)
    headers = {"webhook-id": "evt_1", "webhook-timestamp": moment, "webhook-signature": signature}
    return SimpleNamespace(body=body, headers=headers)


def test_the_table_has_every_type_with_its_data() -> None:
    """By the names that are sent."""
    assert set(get_args(EventType)) == set(ROWS)
    of_calls, of_accounts = ([field.name for field in attrs.fields(each)] for each in (CallEvent, AccountEvent))
    assert of_calls == re.findall(r"`(\w+)`", ROWS["call.finished"])
    assert of_accounts[:3] == re.findall(r"`(\w+)`", ROWS["account.connected"])
    assert of_accounts[3:] == re.findall(r"`(\w+)`", ROWS["account.refresh_failed"])


def test_the_python_code_reads_events() -> None:
    """Ours answers and hands on what came; a forged one is refused."""
    told: list[Any] = []
    names: dict[str, Any] = {"SECRET": SECRET, "remind": lambda *each: told.append(each), "count": None}
    ours, theirs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(ours, "docs/webhooks.md", "exec"), names)  # noqa: S102  our own page
    account = {"user_id": "ann", "app": "github", "connected_account_id": 7, "reason": "r"}
    sent = request("account.reconnect_required", account)
    assert 204 == names["hook"](sent)
    assert 400 == names["hook"](SimpleNamespace(body=sent.body + b" ", headers=sent.headers))
    exec(compile(theirs, "docs/webhooks.md", "exec"), names)  # noqa: S102

    assert "account.reconnect_required" == names["hook"](sent)
    assert [("ann", "github")] == told
