"""Hooks of the Stripe connector."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest

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


_EVERY = {"day": "a day", "week": "a week", "month": "a month", "year": "a year"}


def money(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a currency as Stripe does, in small letters."""
    return {"currency": arguments["currency"].lower()} if "currency" in arguments else {}


def part_of_subscription(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a subscription that changes: the one that is given, or the only one."""
    items = before["items"]
    if "item" in arguments:
        return {"item": arguments["item"]}
    if len(items) != 1:
        raise InvalidRequest("item", "must be given, since the subscription has several parts")
    return {"item": items[0]["id"]}


def product_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the search for products, and whether they can be bought where that is asked for, in Stripe's language."""
    conditions = [f'name~"{arguments["search"]}"']
    if "active" in arguments:
        conditions.append(f'active:"{str(arguments["active"]).lower()}"')
    return {"query": " AND ".join(conditions)}


def named_payments(body: Any) -> Any:
    """Give every payment words that people know it by: how much, what for or from whom, when, and how it stands."""
    return _labelled(body, _payment)


def named_customers(body: Any) -> Any:
    """Give every customer words that people know them by: the name and the e-mail address."""
    return _labelled(body, _customer)


def named_prices(body: Any) -> Any:
    """Give every price words that people know it by: product, name and amount; the product is an id again."""
    return _with_ids(_labelled(body, _price), "product")


def named_subscriptions(body: Any) -> Any:
    """Give every subscription words that people know it by: whose, and of what; the customer is an id again."""
    return _with_ids(_labelled(body, _subscription), "customer")


def named_items(body: Any) -> Any:
    """Give every part of a subscription words that people know it by: how many, and of what price."""
    return _labelled(body, _item)


def named_invoices(body: Any) -> Any:
    """Give every invoice words that people know it by: the number, whose it is, how much, and how it stands."""
    return _labelled(body, _invoice)


def named_payouts(body: Any) -> Any:
    """Give every payout words that people know it by: how much it is, when it arrives, and how it stands."""
    return _labelled(body, _payout)


def named_disputes(body: Any) -> Any:
    """Give every dispute words that people know it by: how much, why, how it stands, and with whom."""
    return _labelled(body, _dispute)


def _labelled(body: Any, words: Callable[[dict[str, Any]], list[Any]]) -> Any:
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return body
    named = [{**each, "label": _joined(words(each))} if isinstance(each, dict) else each for each in rows]
    return {**body, "data": named}


def _with_ids(body: Any, key: str) -> Any:
    """Put ids back in the place of what was asked for in whole, so that callers find what Stripe documents."""
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return body
    return {**body, "data": [_with_id(each, key) for each in rows]}


def _with_id(row: Any, key: str) -> Any:
    whole = row.get(key) if isinstance(row, dict) else None
    return {**row, key: whole.get("id")} if isinstance(whole, dict) else row


def _joined(parts: list[Any]) -> str:
    return ", ".join(str(part) for part in parts if part)


def _payment(payment: dict[str, Any]) -> list[Any]:
    about = payment.get("description") or payment.get("receipt_email") or payment.get("id")
    return [_sum(payment, "amount"), about, _day(payment.get("created")), _status(payment)]


def _customer(customer: dict[str, Any]) -> list[Any]:
    return [customer.get("name"), customer.get("email")] if _named(customer) else [customer.get("id")]


def _price(price: dict[str, Any]) -> list[Any]:
    product = price.get("product")
    parts = [product.get("name") if isinstance(product, dict) else "", price.get("nickname"), _rate(price)]
    return parts if any(parts) else [price.get("id")]


def _subscription(subscription: dict[str, Any]) -> list[Any]:
    customer = subscription.get("customer")
    who = _joined(_customer(customer)) if isinstance(customer, dict) else customer
    items = subscription.get("items")
    parts = items.get("data") if isinstance(items, dict) else None
    what = [_joined(_item(each)) for each in parts or [] if isinstance(each, dict)]
    return [who or subscription.get("id"), *what, _status(subscription)]


def _item(item: dict[str, Any]) -> list[Any]:
    price = item.get("price")
    words = _joined(_price(price)) if isinstance(price, dict) else item.get("id")
    quantity = item.get("quantity")
    return [f"{quantity} × {words}" if isinstance(quantity, int) and quantity != 1 else words]


def _invoice(invoice: dict[str, Any]) -> list[Any]:
    who = invoice.get("customer_name") or invoice.get("customer_email") or invoice.get("customer")
    return [invoice.get("number"), who, _sum(invoice, "total"), _day(invoice.get("created")), _status(invoice)]


def _payout(payout: dict[str, Any]) -> list[Any]:
    return [_sum(payout, "amount"), _day(payout.get("arrival_date")), _status(payout)]


def _dispute(dispute: dict[str, Any]) -> list[Any]:
    evidence = dispute.get("evidence") or {}
    who = evidence.get("customer_name") or evidence.get("customer_email_address")
    reason = str(dispute.get("reason") or "").replace("_", " ")
    return [_sum(dispute, "amount"), reason, _status(dispute), who]


def _named(customer: dict[str, Any]) -> bool:
    return bool(customer.get("name") or customer.get("email"))


def _rate(price: dict[str, Any]) -> str:
    amount, recurring = _sum(price, "unit_amount"), price.get("recurring")
    if not amount or not isinstance(recurring, dict):
        return amount
    count, interval = recurring.get("interval_count", 1), str(recurring.get("interval") or "")
    return f"{amount} {_EVERY.get(interval, '') if count == 1 else f'every {count} {interval}s'}".strip()


def _sum(row: dict[str, Any], key: str) -> str:
    amount = row.get(key)
    return _money(amount, str(row.get("currency") or "")) if isinstance(amount, int) else ""


def _day(created: Any) -> str:
    return datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%d") if isinstance(created, int) else ""


def _status(row: dict[str, Any]) -> str:
    return str(row.get("status") or "").replace("_", " ")


def _money(amount: int, currency: str) -> str:
    digits = 0 if currency in _WHOLE else 3 if currency in _THOUSANDTHS else 2
    return f"{amount / 10**digits:.{digits}f} {currency.upper()}".strip()


def refunded(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name what is refunded as Stripe takes it: a charge, which receipts and exports show, has a key of its own."""
    payment = str(arguments["payment_intent"])
    return {"charge" if payment.startswith(("ch_", "py_")) else "payment_intent": payment}
