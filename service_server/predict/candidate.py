"""What the prediction knows of one function of the catalogue."""

from typing import Any

from attrs import frozen

from service_client.models import Function


@frozen(kw_only=True)
class Candidate:
    """
    A function that a prompt may ask for, with the words people know it by.

    `examples` are prompts with the arguments they stand for, as the connector's author wrote them.
    """

    function: Function
    title: str
    app_title: str
    examples: tuple[tuple[str, dict[str, Any]], ...] = ()
