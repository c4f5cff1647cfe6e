"""Prints the functions of all shipped connectors as JSON, as `GET /functions?include=meta` gives them."""

import json
import sys

from service_client.models import CONVERTER
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.cli.options import kept_connectors


def main() -> None:
    """Take them from the connectors' files."""
    connectors = load_catalog([SHIPPED], kept_connectors()).connectors
    functions = [
        function.public("", connector.title, include_meta=True)
        for connector in connectors.values()
        for function in connector.functions.values()
    ]
    json.dump(CONVERTER.unstructure(functions), sys.stdout)


if __name__ == "__main__":
    main()
