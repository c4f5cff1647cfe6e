"""What Shopify needs beyond data: what an order or a stock is at now, which has to be said of what is to come of it."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

from service_server.catalog.hooks import InvalidRequest

_ALL = 100  # percent
_READY = ("OPEN", "IN_PROGRESS")


def tags_to_add(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the tags to add, and for the condition of the query whether there are any."""
    tags = arguments.get("tags") or []
    return {"tags": tags, "tagged": bool(tags)}


def parts_to_fulfill(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an order that wait to be sent from one location, which has to be named where it isn't one."""
    waiting = [each for each in before["parts"] if each["status"] in _READY]
    wanted = arguments.get("location_id")
    found = [each for each in waiting if wanted in (None, _location(each))]
    if not found:
        raise InvalidRequest("order_id" if wanted is None else "location_id", "has nothing that waits to be sent")
    if len({_location(each) for each in found}) > 1:
        names = ", ".join(sorted({each["assignedLocation"]["name"] for each in found}))
        raise InvalidRequest("location_id", f"has to be given, for the order is sent from several: {names}")
    return {"parts": [{"fulfillmentOrderId": each["id"]} for each in found]}


def _location(part: dict[str, Any]) -> str | None:
    return (part["assignedLocation"].get("location") or {}).get("id")


def refund(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write a refund of all that can be given back, or of a sum of it, by the ways in which it was paid."""
    left = sum((_sum(each["amountSet"]) for each in before["payments"]), Decimal(0))
    amount = Decimal(str(arguments["amount"])) if "amount" in arguments else left
    if not 0 < amount <= left:
        field = "amount" if "amount" in arguments else "order_id"
        raise InvalidRequest(field, f"has {left} {before['currency']} that can be given back")
    written: dict[str, Any] = {
        "orderId": arguments["order_id"],
        "currency": before["currency"],
        "transactions": _payments_back(arguments["order_id"], before["payments"], amount),
    }
    restock = arguments.get("restock", False)
    if restock or amount == left:
        written["refundLineItems"] = [_item_back(each, restock) for each in before["items"]]
    if amount == left and Decimal(before["shipping"]) > 0:
        written["shipping"] = {"amount": before["shipping"]}
    return {"refund": written, "key": str(uuid4())}


def _sum(money: dict[str, Any]) -> Decimal:
    return Decimal(money["presentmentMoney"]["amount"])


def _payments_back(order: str, payments: list[dict[str, Any]], amount: Decimal) -> list[dict[str, Any]]:
    """Give a sum back by one payment after the other."""
    back = []
    for each in payments:
        share = min(amount, _sum(each["amountSet"]))
        amount -= share
        if share > 0:
            parent = (each.get("parentTransaction") or {}).get("id")
            back.append(
                {
                    "orderId": order,
                    "kind": "REFUND",
                    "gateway": each["gateway"],
                    "parentId": parent,
                    "amount": f"{share}",
                }
            )
    return back


def _item_back(item: dict[str, Any], restock: bool) -> dict[str, Any]:
    back = {"lineItemId": item["lineItem"]["id"], "quantity": item["quantity"], "restockType": "NO_RESTOCK"}
    if restock:
        back |= {"restockType": item["restockType"], "locationId": (item.get("location") or {}).get("id")}
    return back


def stock(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write how many there are of something at a location from now on, or how many more, by how many there were."""
    were = {each["name"]: each["quantity"] for each in before.get("quantities") or []}.get("available")
    if were is None:
        raise InvalidRequest("location_id", "doesn't stock this")
    change = {
        "inventoryItemId": before["item"],
        "locationId": arguments["location_id"],
        "changeFromQuantity": were,
    }
    by_name = {"quantity": "quantity", "change": "delta"}
    change |= {sent: int(arguments[name]) for name, sent in by_name.items() if name in arguments}
    return {"change": change, "key": str(uuid4())}


def discount(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write what a code takes off: a share, which Shopify has as a part of one, or a sum."""
    off = Decimal(str(arguments["value"]))
    if arguments["kind"] == "amount":
        return {"value": {"discountAmount": {"amount": f"{off}", "appliesOnEachItem": False}}}
    if off > _ALL:
        raise InvalidRequest("value", "can't be more than 100 percent")
    return {"value": {"percentage": float(off / _ALL)}}
