"""The example prompts that the shipped connectors' authors wrote, as calls."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from service_server.catalog.load import SHIPPED, load_catalog
from service_server.prediction.prediction import candidates
from training.alignment import targets_of
from training.calls import Call


def connector_calls() -> Iterator[Call]:
    """Yield the example prompts of all functions; the app's other functions are those they don't ask for."""
    apps: dict[str, list[tuple[dict[str, Any], tuple[tuple[str, dict[str, Any]], ...]]]] = defaultdict(list)
    for candidate in candidates(load_catalog([SHIPPED])):
        function = candidate.function
        if function.type == "passthrough":
            continue
        parameters = {
            "type": "object",
            "properties": function.parameters.properties,
            "required": list(function.parameters.required),
        }
        plain = {"name": function.name, "description": function.description, "parameters": parameters}
        apps[function.app_name].append((plain, candidate.examples))
    for app, functions in apps.items():
        for asked, examples in functions:
            others = tuple(other for other, _ in functions if other["name"] != asked["name"])
            for prompt, arguments in examples:
                row = {"prompt": prompt, "arguments": arguments, "spans": {}}
                yield Call(
                    source="connectors",
                    prompt=prompt,
                    function=asked,
                    others=others,
                    targets=targets_of(row, asked, None),
                    key=f"connectors:{app}",
                )
