"""What QuickBooks needs beyond data: its query language, and lines of sales, expenses and payments."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest

_PAGE = 200  # entries; QuickBooks gives 1,000 at most
_LATEST_FIRST = " ORDERBY TxnDate DESC"


def customers(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for customers."""
    return _select("Customer", arguments, "DisplayName", ["Active = true"])


def vendors(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for vendors."""
    return _select("Vendor", arguments, "DisplayName", ["Active = true"])


def items(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for products and services; categories are listed among them, and can't be sold."""
    conditions = ["Active = true", "Type IN ('Service', 'Inventory', 'NonInventory')"]
    return _select("Item", arguments, "Name", conditions)


def accounts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for the accounts of the books."""
    conditions = ["Active = true"]
    if "account_type" in arguments:
        conditions.append(f"AccountType = {_text(arguments['account_type'])}")
    return _select("Account", arguments, "Name", conditions)


def invoices(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for invoices."""
    conditions = _dated(arguments)
    if arguments.get("unpaid"):
        conditions.append("Balance > '0'")
    if "due_before" in arguments:
        conditions.append(f"DueDate < {_text(arguments['due_before'])}")
    return _select("Invoice", arguments, "DocNumber", conditions, _LATEST_FIRST)


def estimates(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for estimates."""
    return _select("Estimate", arguments, "DocNumber", _dated(arguments), _LATEST_FIRST)


def payments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for payments of customers."""
    return _select("Payment", arguments, "PaymentRefNum", _dated(arguments), _LATEST_FIRST)


def bills(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for bills of vendors."""
    conditions = _dated(arguments)
    if "vendor_id" in arguments:
        conditions.append(f"VendorRef = {_text(arguments['vendor_id'])}")
    if arguments.get("unpaid"):
        conditions.append("Balance > '0'")
    return _select("Bill", arguments, "DocNumber", conditions, _LATEST_FIRST)


def expenses(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for expenses."""
    return _select("Purchase", arguments, "DocNumber", _dated(arguments), _LATEST_FIRST)


def versions(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for one record, whose version a change has to name."""
    return _select(arguments["kind"], {}, "Id", [f"Id = {_text(arguments['id'])}"])


def sale(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the lines of an invoice, estimate or sales receipt."""
    return {"lines": [_sales_line(line) for line in arguments["lines"]]}


def expense(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the lines of a bill or expense."""
    return {"lines": [_expense_line(line) for line in arguments["lines"]]}


def payment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write what a payment pays; without an invoice it stays open as a credit of the customer."""
    if "invoice_id" not in arguments:
        return {}
    invoice = {"TxnId": arguments["invoice_id"], "TxnType": "Invoice"}
    return {"lines": [{"Amount": arguments["amount"], "LinkedTxn": [invoice]}]}


def version_to_change(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the version that is changed: the one that was seen, or the one there is now."""
    return {"version": arguments.get("version", before["version"])}


def changed_customer(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the version that is changed, and the whole of an address of which a part is given."""
    prepared = version_to_change(arguments, before)
    if "billing_address" in arguments:
        # Where the old address was on a map no longer holds.
        there = {key: value for key, value in (before.get("address") or {}).items() if key not in ("Lat", "Long")}
        prepared["address"] = there | arguments["billing_address"]
    return prepared


def bill_payment(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write how much of a bill is paid: where nobody says, all that is still owed."""
    amount = arguments.get("amount", before["owed"])
    if amount <= 0:
        raise InvalidRequest("bill_id" if "amount" not in arguments else "amount", "leaves nothing to pay")
    bill = {"TxnId": arguments["bill_id"], "TxnType": "Bill"}
    return {"amount": amount, "lines": [{"Amount": amount, "LinkedTxn": [bill]}]}


def _select(
    entity: str, arguments: dict[str, Any], searched: str, conditions: list[str], order: str = ""
) -> dict[str, Any]:
    if "search" in arguments:
        conditions = [*conditions, f"{searched} LIKE {_text('%' + arguments['search'] + '%')}"]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    first = (int(arguments.get("page", 1)) - 1) * _PAGE + 1
    # Every text in it is escaped.
    return {"query": f"SELECT * FROM {entity}{where}{order} STARTPOSITION {first} MAXRESULTS {_PAGE}"}  # noqa: S608


def _dated(arguments: dict[str, Any]) -> list[str]:
    """Write the conditions that all transactions know."""
    conditions = []
    if "customer_id" in arguments:
        conditions.append(f"CustomerRef = {_text(arguments['customer_id'])}")
    if "since" in arguments:
        conditions.append(f"TxnDate >= {_text(arguments['since'])}")
    if "until" in arguments:
        conditions.append(f"TxnDate <= {_text(arguments['until'])}")
    return conditions


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _sales_line(line: dict[str, Any]) -> dict[str, Any]:
    quantity = line.get("quantity", 1)
    detail = {"ItemRef": {"value": line["item_id"]}, "Qty": quantity, "UnitPrice": line["unit_price"]}
    amount = round(quantity * line["unit_price"], 2)
    return _line("SalesItemLineDetail", line, detail, amount)


def _expense_line(line: dict[str, Any]) -> dict[str, Any]:
    detail = {"AccountRef": {"value": line["account_id"]}}
    return _line("AccountBasedExpenseLineDetail", line, detail, line["amount"])


def _line(kind: str, line: dict[str, Any], detail: dict[str, Any], amount: float) -> dict[str, Any]:
    if "tax_code" in line:
        detail["TaxCodeRef"] = {"value": line["tax_code"]}
    written = {"DetailType": kind, "Amount": amount, kind: detail}
    if "description" in line:
        written["Description"] = line["description"]
    return written
