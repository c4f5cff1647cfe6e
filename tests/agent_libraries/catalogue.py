"""Prints the functions of all shipped connectors as JSON, as `GET /functions?include=meta` gives them."""

import json
import sys

from service_client.models import CONVERTER
from tests.service_server.shipped import shipped_catalog


def main() -> None:
    """Take them from the connectors' files."""
    connectors = shipped_catalog().connectors
    functions = [
        function.public("", connector.title, include_meta=True)
        for connector in connectors.values()
        for function in connector.functions.values()
    ]
    json.dump(CONVERTER.unstructure(functions), sys.stdout)


if __name__ == "__main__":
    main()
