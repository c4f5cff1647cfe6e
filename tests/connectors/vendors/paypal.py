"""PayPal's REST API by the vendor's own OpenAPI documents."""

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import npm

CHECK = openapi_documents(npm("@paypal/paypal-rest-api-specifications@1.0.0").keeping("openapi/*.json"))

_CLIENT = "the vendor's client @paypal/paypal-server-sdk 2.5 has this"
UNDESCRIBED = {
    "list-subscriptions": f"{_CLIENT} (listSubscriptions)",
    "list-disputes": "the document wants all of its conditions at once; https://developer.paypal.com/docs/disputes",
}
