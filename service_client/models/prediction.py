"""What the service says about a prediction it made."""

from attrs import field, frozen


@frozen(kw_only=True)
class Alternative:
    """A function that was nearly chosen."""

    name: str
    confidence: float


@frozen(kw_only=True)
class Prediction:
    """
    How sure a prediction is and where it came from.

    `confidence` is 0 to 1; `missing` lists required parameters without a value; `evidence` maps a parameter to the
    words of the prompt its value came from.
    """

    confidence: float
    alternatives: tuple[Alternative, ...] = ()
    missing: tuple[str, ...] = ()
    evidence: dict[str, str] = field(factory=dict[str, str])
