"""What the service says about a prediction it made."""

from typing import Any

from attrs import field, frozen


@frozen(kw_only=True)
class Alternative:
    """A function that was nearly chosen."""

    name: str
    confidence: float


@frozen(kw_only=True)
class ValueChoice:
    """A value that an argument may take, and what the app calls it."""

    value: Any
    label: str


@frozen(kw_only=True)
class Prediction:
    """
    How sure a prediction is and where it came from.

    `confidence` is 0 to 1; `missing` lists required parameters without a value; `evidence` maps a parameter to the
    words of the prompt its value came from. `choices` maps a parameter whose words could mean several things in the
    user's account to those things, five at most: ask which one is meant.
    """

    confidence: float
    alternatives: tuple[Alternative, ...] = ()
    missing: tuple[str, ...] = ()
    evidence: dict[str, str] = field(factory=dict[str, str])
    choices: dict[str, tuple[ValueChoice, ...]] = field(factory=dict[str, tuple[ValueChoice, ...]])
