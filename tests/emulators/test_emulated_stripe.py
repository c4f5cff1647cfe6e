"""
Stripe's connector against localstripe, which somebody else wrote to stand in for Stripe.

It takes any key that looks like one, refuses unknown parameters, and has no invoices that are sent, no prices, no
payment links, no promotion codes, no disputes and no search.
"""

import pytest

from tests.emulators.app import App, connected

pytestmark = pytest.mark.real_apps


stripe = connected("stripe", "seller", "key", {"field.api_key": "sk_test_madeup1"})


def test_a_customer_is_kept_with_what_stands_beside_it(stripe: App) -> None:
    """A customer is made and changed by forms with nested names, gets something to pay, and goes; so with products."""
    customer = stripe.output("create-customer", name="Ada", email="ada@example.com", metadata={"desk": "7"})["id"]
    stripe.output("update-customer", customer=customer, description="Engines", metadata={"floor": "2"})
    item = stripe.output("add-invoice-item", customer=customer, amount=1250, currency="eur", description="Brass")
    product = stripe.output("create-product", name="Desk")["id"]
    offered = stripe.choices("create-price", "product")
    stripe.output("update-product", product=product, name="Table")
    shown = stripe.output("get-customer", customer=customer)
    stripe.output("delete-customer", customer=customer)

    assert {"desk": "7", "floor": "2"} == shown["metadata"]
    assert ("Ada", "ada@example.com", "Engines") == (shown["name"], shown["email"], shown["description"])
    assert (1250, "eur", customer) == (item["amount"], item["currency"], item["customer"])
    assert "Desk" == offered[product]
    assert (product, "Table") in [(each["id"], each["name"]) for each in stripe.output("list-products")]
    assert customer not in [each["id"] for each in stripe.output("list-customers")]


def test_coupons(stripe: App) -> None:
    """A coupon is made, listed and deleted; those of the emulator have no names."""
    made = stripe.output("create-coupon", id="SUMMER", percent_off=25, duration="once")["id"]
    listed = {each["id"]: each for each in stripe.output("list-coupons")}
    stripe.output("delete-coupon", coupon=made)

    assert (25, "once") == (listed[made]["percent_off"], listed[made]["duration"])
    assert made not in [each["id"] for each in stripe.output("list-coupons")]


def test_a_payment_is_called_off(stripe: App) -> None:
    """A payment that nobody completed is offered and canceled; nothing was paid back or out."""
    wanted = {"method": "POST", "url": "/v1/payment_intents", "body": {"amount": 1250, "currency": "eur"}}
    payment = stripe.output("passthrough-request", **wanted)["id"]
    offered = stripe.choices("cancel-payment", "payment_intent")
    canceled = stripe.output("cancel-payment", payment_intent=payment)

    assert payment in offered
    assert "canceled" == canceled["status"]
    assert [] == stripe.output("list-refunds")
    assert [] == stripe.output("list-payouts")


def test_all_pages_of_customers_come(stripe: App) -> None:
    """Lists go on behind the last item, each customer once."""
    made = {stripe.output("create-customer", name=f"Customer {number}")["id"] for number in range(103)}
    listed = [each["id"] for each in stripe.items("list-customers")]

    assert made <= set(listed)
    assert len(listed) == len(set(listed))
    assert made <= set(stripe.choices("create-invoice", "customer"))
