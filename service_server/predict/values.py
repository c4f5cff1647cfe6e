"""What a prediction says."""

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from service_client.models import Alternative


@frozen(kw_only=True)
class ArgumentPrediction:
    """
    Arguments read from a prompt; each validates against its parameter's schema.

    `missing` are the required parameters without a value; `evidence` maps the path of each value (`a` or `a.b`) to the
    words of the prompt it was read from; `confidence` is 0 to 1. `named` maps the path of a parameter that holds ids
    to the name that the prompt gives in place of one ("#general"), which only the app can turn into an id.
    """

    arguments: dict[str, Any]
    missing: tuple[str, ...]
    evidence: dict[str, str]
    confidence: float
    named: dict[str, str] = field(factory=dict)


def put_at(arguments: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Set the argument at a path of names, which may hold dots."""
    *parents, last = path
    for name in parents:
        arguments = arguments.setdefault(name, {})
    arguments[last] = value


@frozen(kw_only=True)
class FunctionPrediction:
    """The function a prompt asks for, how sure that is (0 to 1), and what else it may mean, likeliest first."""

    name: str
    confidence: float
    alternatives: tuple[Alternative, ...]


@frozen(kw_only=True)
class FunctionRanking:
    """The functions that come near a prompt, likeliest first, at most five; `fits` tells whether the first is meant."""

    functions: tuple[Alternative, ...]
    fits: bool
