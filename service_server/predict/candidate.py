"""What prediction knows about one function of the catalogue."""

from typing import Any

from attrs import frozen

from service_client.models import Function


@frozen(kw_only=True)
class Candidate:
    """
    A function that a prompt may ask for, with the words people know it by.

    `examples` are prompts with the arguments they stand for, as the connector's author wrote them. `app_name` and
    `app_title` are empty where the function belongs to no app that people know by name; `app_also_called` are further
    names that people have for it.
    """

    function: Function
    title: str
    app_name: str
    app_title: str
    app_also_called: tuple[str, ...] = ()
    examples: tuple[tuple[str, dict[str, Any]], ...] = ()
