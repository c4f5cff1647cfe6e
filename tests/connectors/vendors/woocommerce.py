"""WooCommerce's REST API by a server for agents that is written over the vendor's client, which knows no paths."""

import re
from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, CompiledClient
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, behind, expression
from tests.connectors.descriptions.packages import npm

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
_SHARED = re.compile(r"^const (\w+) = (?=z\b|\{)", re.MULTILINE)
_INPUT = re.compile(r"inputSchema: ")
_GIVEN = re.compile(r"\basync \((?P<names>[^)]*)\) => \{")
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


def _given(_: str, text: str, match: re.Match[str]) -> str:
    """A tool is given what its schema takes, which the file's own schemas stand in front of."""
    schema = _INPUT.search(text, match.end())
    names = _GIVEN.search(text, match.end())
    assert schema is not None
    assert names is not None
    shared = [f"{each[1]} = {expression(text, each.end())}" for each in _SHARED.finditer(text)]
    given = f"{names['names']} = {{}} as z.input<typeof schema>" if names["names"] else ""
    return ", ".join(filter(None, (*shared, f"schema = z.object({expression(text, schema.end())})", given)))


_CALLS = ConfiguredCalls(
    r"server\.registerTool\('(?P<name>\w+)', ",
    _given,
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


CHECK = CompiledClient(
    npm(
        "@amitgurbani/mcp-server-woocommerce@1.2.0",
        "sha512-WWxzwwoyQxu37ipzwQ3azZgmd2/+wanGZbaWtbuStN6ET/O+a+XuZHF4pInWMkjY7GS0sGPjNwUIMd9IrvnUBg==",
    ),
    base_url="https://shop.example.com/wp-json/wc/v3",
    sources=tuple(f"build/tools/{module}.js" for module in _MODULES),
    reader=_read,
    head="""
        import { z } from "zod";
        import type { Customers, Orders, Products } from "./node_modules/woocommerce-rest-ts-api/dist/src/types/models";
        declare const more: unknown;
        // Which fields are answered, which we leave to the shop.
        declare const f: { join(separator: string): string | undefined };
    """,
    beside=(
        npm(
            "zod@4.6.7",
            "sha512-g8W2D2kU6a8untc053fX1uVBKzM7yqAxW/3zwk83+6RyF2+SKOuV+c0wBDhUwzV1PaGapmZH+rmcUzPf+3CGwg==",
        ).keeping("package.json", "*.d.ts", "*.d.cts"),
        npm(
            "woocommerce-rest-ts-api@8.0.0",
            "sha512-V/2e5oGtbnmw0bTq3DiqPRY2M7WdBGtVLcRVgcnj6Y0TYHCg8kQcudSfCGNkWyY+ruGukSlGsPYhmsY3hAUrBw==",
        ).keeping("dist/src/types/models/index.d.ts"),
    ),
    but_for="the search for variations, which is as the vendor documents it",
)

UNDESCRIBED = {
    "test": "https://woocommerce.github.io/woocommerce-rest-api-docs/#retrieve-current-currency",
}
