"""WooCommerce's REST API by a server for agents that is written over the vendor's client, which knows no paths."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, behind
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.zod_tools import BEGINNING, HEAD, ZOD, given

_MODULES = (
    "categories",
    "coupons",
    "customers",
    "order-notes",
    "orders",
    "payment-gateways",
    "products",
    "refunds",
    "reports",
    "reviews",
    "variations",
)
# Names that the server leaves out: as a client that knows only models types them, but for the search, which WooCommerce
# documents for variations as for everything else.
_LEFT_OUT = {
    ("GET", "/customers"): 'Pick<Customers, "email">',
    ("GET", "/products"): 'Pick<Products, "sku" | "stock_status">',
    ("GET", "/products/{}/variations"): "{ search: string }",
    ("POST", "/orders"): 'Pick<Orders, "customer_note">',
    ("PUT", "/orders/{}"): 'Pick<Orders, "payment_method">',
    ("PUT", "/products/{}"): 'Pick<Products, "featured">',
}


_CALLS = ConfiguredCalls(
    r"server\.registerTool\('(?P<name>\w+)', " + BEGINNING,
    given,
    query=behind(r"wooApi\.(?:get|delete)\([^,()]*, "),
    body=behind(r"wooApi\.(?:post|put)\([^,()]*, "),
    url=r"wooApi\.\w+\((?P<quote>[`'])(?P<path>.*?)(?P=quote)",
    method=r"wooApi\.(\w+)\(",
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    for call in _CALLS(sources):
        more = _LEFT_OUT.get((call.method, call.path))
        place = "query" if call.method == "GET" else "body"
        sent = f"{{ ...(more as Partial<{more}>), ...{getattr(call, place)} }}"
        yield call if more is None else evolve(call, **{place: sent})


CHECK = compiled_client(
    npm("@amitgurbani/mcp-server-woocommerce@1.2.0"),
    base_url="https://shop.example.com/wp-json/wc/v3",
    sources=tuple(f"build/tools/{module}.js" for module in _MODULES),
    reader=_read,
    head=HEAD
    + """
        import type { Customers, Orders, Products } from "./node_modules/woocommerce-rest-ts-api/dist/src/types/models";
        declare const more: unknown;
        // Which fields are answered, which we leave to the shop.
        declare const f: { join(separator: string): string | undefined };
    """,
    beside=(
        ZOD,
        npm("woocommerce-rest-ts-api@8.0.0").keeping("dist/src/types/models/index.d.ts"),
    ),
    left_out="the search for variations, which is as the vendor documents it",
)

UNDESCRIBED = {"test": "https://woocommerce.github.io/woocommerce-rest-api-docs/#retrieve-current-currency"}
