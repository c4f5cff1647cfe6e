"""A value that a part of the prompt may mean for a slot."""

from typing import Any

from attrs import frozen


@frozen
class Proposal:
    """A value, and where the prompt says it: `prompt[start:end]`."""

    value: Any
    start: int
    end: int
