"""Hooks of the Stripe connector."""

from datetime import UTC, datetime
from typing import Any

# Currencies whose amounts Stripe gives in whole units, or in thousandths.
_WHOLE = (
    "bif",
    "clp",
    "djf",
    "gnf",
    "jpy",
    "kmf",
    "krw",
    "mga",
    "pyg",
    "rwf",
    "ugx",
    "vnd",
    "vuv",
    "xaf",
    "xof",
    "xpf",
)
_THOUSANDTHS = ("bhd", "jod", "kwd", "omr", "tnd")


def named_payments(body: Any) -> Any:
    """Give every payment words that people know it by: how much, what for or from whom, when, and how it stands."""
    payments = body.get("data") if isinstance(body, dict) else None
    if not isinstance(payments, list):
        return body
    return {**body, "data": [{**each, "label": _label(each)} if isinstance(each, dict) else each for each in payments]}


def _label(payment: dict[str, Any]) -> str:
    amount, created = payment.get("amount"), payment.get("created")
    parts = [
        _money(amount, str(payment.get("currency") or "")) if isinstance(amount, int) else "",
        payment.get("description") or payment.get("receipt_email") or payment.get("id") or "",
        datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%d") if isinstance(created, int) else "",
        str(payment.get("status") or "").replace("_", " "),
    ]
    return ", ".join(str(part) for part in parts if part)


def _money(amount: int, currency: str) -> str:
    digits = 0 if currency in _WHOLE else 3 if currency in _THOUSANDTHS else 2
    return f"{amount / 10**digits:.{digits}f} {currency.upper()}".strip()


def refunded(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name what is refunded as Stripe takes it: a charge, which receipts and exports show, has a key of its own."""
    payment = str(arguments["payment_intent"])
    return {"charge" if payment.startswith(("ch_", "py_")) else "payment_intent": payment}
