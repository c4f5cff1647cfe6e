"""The example prompts that the shipped connectors' authors wrote, and the titles of their functions, as calls."""

from collections.abc import Iterator

from training.alignment import targets_of
from training.calls import Call
from training.shipped import functions_of_app, shipped_functions


def connector_calls() -> Iterator[Call]:
    """
    Yield the example prompts of all functions; the app's other functions are those they don't ask for.

    A title is a prompt without arguments: people begin with "new ticket".
    """
    for name, shipped in shipped_functions().items():
        others = tuple(other for other in functions_of_app(shipped.app) if other["name"] != name)
        for prompt, arguments in (*shipped.examples, (shipped.title, {})):
            row = {"prompt": prompt, "arguments": arguments, "spans": {}}
            yield Call(
                source="connectors",
                prompt=prompt,
                function=shipped.function,
                others=others,
                targets=targets_of(row, shipped.function, None),
                key=f"connectors:{shipped.app}",
            )
