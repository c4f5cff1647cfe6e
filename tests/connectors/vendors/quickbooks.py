"""QuickBooks' API by the types of a client, made of Intuit's documentation: what each entity takes, and can."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm

_TYPES = "dist/qbTypes.d.ts"


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Read `export type QuickbooksDeleteEntities = Bill | Invoice`: what can be done with which entities."""
    able = {
        kind: dict.fromkeys(names.split(" | "))
        for kind, names in re.findall(r"^export type Quickbooks(\w+)Entities = (.*);$", sources[_TYPES], re.MULTILINE)
    }
    for entity in able["Create"]:
        yield Call("POST", f"/{entity.lower()}", body=f'Created<"{entity}">')
    for entity in able["SparseUpdate"]:
        yield Call("POST", f"/{entity.lower()}", body=f"Changed<types.{entity}>")
    for entity in able["Delete"]:
        yield Call("POST", f"/{entity.lower()}", "Operation", f"Known & Partial<types.{entity}>")
    for entity in able["Read"]:
        yield Call("GET", f"/{entity.lower()}/{{}}")
    for entity in able["GetPdf"]:
        yield Call("GET", f"/{entity.lower()}/{{}}/pdf")
    for entity in able["SendPdf"]:
        yield Call("POST", f"/{entity.lower()}/{{}}/send", "{ sendTo?: string }")
    yield Call("GET", "/query", "{ query: string }")
    yield Call("GET", "/reports/BalanceSheet", "Report")
    yield Call("GET", "/reports/ProfitAndLoss", "Report")


CHECK = compiled_client(
    npm("quickbooks-node-promise@3.3.14"),
    base_url="https://quickbooks.api.intuit.com/v3/company/*",
    sources=(_TYPES,),
    reader=_read,
    head="""
        import type * as types from "./dist/qbTypes.js";
        // The one is for companies in France; and sales may be to nobody who is known, as in Intuit's own example.
        interface Unneeded { Item: "ItemCategoryType"; SalesReceipt: "CustomerRef" }
        type Entity = types.QuickbooksTypes;
        type Created<K extends keyof Entity> = New<K extends keyof Unneeded
          ? Omit<Entity[K], Unneeded[K]> & Partial<Entity[K]> : Entity[K]>;
        type New<T> = Omit<T, keyof Known | "sparse">;
        interface Known { Id: string; SyncToken: string }
        type Changed<T> = Known & Partial<T> & { sparse: true };
        interface Operation { operation: "delete" | "void" }
        // The client hands on whatever a report is asked for.
        interface Report {
          start_date?: string; end_date?: string; accounting_method?: "Cash" | "Accrual"; customer?: string;
          summarize_column_by?: "Total" | "Month" | "Week" | "Days" | "Quarter" | "Year" | "Customers" | "Vendors"
            | "Classes" | "Departments" | "Employees" | "ProductsAndServices";
        }
    """,
    left_out="what reports are asked for, which is as Intuit documents it",
)
