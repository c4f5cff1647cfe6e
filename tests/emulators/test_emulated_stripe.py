"""
Stripe's connector against localstripe, which somebody else wrote to stand in for Stripe.

It takes any key that looks like one, refuses unknown parameters, and has no prices, payment links or search.
"""

from collections.abc import Iterator

import pytest

from tests.emulators.app import App
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps


@pytest.fixture(scope="module")
def stripe(emulators: Emulated) -> Iterator[App]:
    """Stripe for a user with a key."""
    emulators.front("stripe").connect("seller", "key", {"field.api_key": "sk_test_madeup1"})
    with emulators.front("stripe").client("seller") as client:
        yield App(client, "stripe")


def test_an_invoice_from_its_creation_to_its_end(stripe: App) -> None:
    """A customer gets an invoice with an item in the right amount; what Stripe keeps beside it arrives too."""
    customer = stripe.output("create-customer", name="Ada", email="ada@example.com", metadata={"desk": "7"})
    stripe.output("update-customer", customer=customer["id"], description="Engines")
    stripe.output("add-invoice-item", customer=customer["id"], amount=1250, currency="eur", description="Brass")
    invoice = stripe.output("create-invoice", customer=customer["id"], days_until_due=14)
    finalized = stripe.output("finalize-invoice", invoice=invoice["id"])
    shown = stripe.output("get-customer", customer=customer["id"])

    assert {"desk": "7"} == shown["metadata"]
    assert "Engines" == shown["description"]
    assert 1250 == finalized["total"]
    assert [invoice["id"]] == [each["id"] for each in stripe.output("list-invoices", customer=customer["id"])]


def test_all_pages_of_customers_come(stripe: App) -> None:
    """Lists go on behind the last item, each customer once."""
    made = {stripe.output("create-customer", name=f"Customer {number}")["id"] for number in range(103)}
    listed = [each["id"] for each in stripe.items("list-customers")]

    assert made <= set(listed)
    assert len(listed) == len(set(listed))
    assert made <= {value for value, _ in stripe.choices("create-invoice", "customer")}


def test_refusals_are_relayed(stripe: App) -> None:
    """What Stripe doesn't find is an executed call with its own words."""
    missing = stripe.call("get-customer", customer="cus_nobody")

    assert ("404", "invalid_request_error") == (missing.network_code, missing.output["error"]["type"])
