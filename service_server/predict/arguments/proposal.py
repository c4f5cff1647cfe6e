"""A value that a part of the prompt may mean for a slot."""

from typing import Any

from attrs import frozen

from service_server.predict.arguments.slots import Slot


@frozen
class Proposal:
    """
    A value for a slot, read from `prompt[start:end]`.

    `strength`, 0 to 1, says how clearly the prompt means it. Words of an `exclusive` proposal mean nothing else. If it
    `is_name`, the value is no id but the name of the thing whose id the slot takes.
    """

    slot: Slot
    value: Any
    start: int
    end: int
    strength: float
    exclusive: bool = True
    is_name: bool = False
