"""Why a prediction is as it is: how the prompt was read, what each signal says of each function, what was refused."""

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

Verdict = Literal["fits", "unsure", "asks_how", "says_nothing", "app_absent", "not_commanded", "nothing_near"]


@frozen
class Signal:
    """One signal about a function: its `value`, and how much it `counts` for (+) or against it, in log-odds."""

    name: str
    value: float
    counts: float


@frozen(kw_only=True)
class Explained:
    """A function that was considered; it is offered if its confidence reaches the threshold, both 0 to 1."""

    name: str
    confidence: float
    threshold: float
    accepted: bool
    signals: Sequence[Signal]


@frozen(kw_only=True)
class Explanation:
    """
    Why a prompt is answered as it is.

    `mood` is how its main clause is meant, `verb` the one that it asks for, `apps` are those that it names. `functions`
    were considered, likeliest first; the `refused` ones were as near, but change something that was not commanded.
    """

    verdict: Verdict
    mood: str
    verb: str | None
    negated: bool
    apps: Sequence[str]
    functions: Sequence[Explained] = ()
    refused: Sequence[str] = ()
