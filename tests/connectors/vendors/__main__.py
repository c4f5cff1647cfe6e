"""`python -m tests.connectors.vendors` fetches the descriptions that are missing; with `table` it lists connectors."""

import sys

from tests.connectors.descriptions.packages import fetch_missing
from tests.connectors.descriptions.registered import fetch_all
from tests.connectors.descriptions.table import TABLE, table
from tests.service_server.openapi_import.imported_documents import IMPORTED

if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            fetch_all()
            fetch_missing(IMPORTED.values())
        case ["table"]:
            TABLE.write_text(table(), encoding="utf-8")
        case _:
            sys.exit("usage: python -m tests.connectors.vendors [table]")
