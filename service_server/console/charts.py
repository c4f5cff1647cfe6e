"""
Charts of bars, drawn as SVG by the service: no script, and the same figures as a table beside it.

The SVG holds shapes only and is stretched to its place; all words are HTML, so that they stay readable on a phone.
"""

import math
from collections.abc import Sequence

from attrs import frozen

HEIGHT = 100.0
_GAP = 0.2  # of a bar's room
_MOST_LABELS = 6
_ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)


@frozen
class Segment:
    """A part of a bar: the series it belongs to, and its place in the SVG."""

    series: str
    x: float
    y: float
    width: float
    height: float


@frozen
class Bar:
    """One bar of parts on top of each other; `title` says it in words."""

    title: str
    segments: Sequence[Segment]


@frozen
class Chart:
    """A chart: bars from left to right, what its height stands for, and where along it which label stands."""

    bars: Sequence[Bar]
    width: float
    top: float
    labels: Sequence[str]
    is_empty: bool


def stacked(
    series: Sequence[str], values: Sequence[Sequence[float]], titles: Sequence[str], labels: Sequence[str]
) -> Chart:
    """
    A chart with a bar for each row of values, one value a series, from the bottom up.

    `titles` say each bar in words, and some of the `labels` stand below.
    """
    top = nice_top(max((sum(row) for row in values), default=0.0))
    bars = []
    for number, row in enumerate(values):
        segments, base = [], 0.0
        for name, value in zip(series, row, strict=True):
            height = value / top * HEIGHT
            if height > 0:
                y = HEIGHT - base - height
                segments.append(Segment(name, number + _GAP / 2, round(y, 2), 1 - _GAP, round(height, 2)))
            base += height
        bars.append(Bar(titles[number], segments))
    # Each label stands for as many bars.
    step = next(
        (each for each in range(1, len(labels)) if not len(labels) % each and len(labels) // each <= _MOST_LABELS), 1
    )
    return Chart(bars, max(1, len(values)), top, labels[::step], not any(bar.segments for bar in bars))


def nice_top(largest: float) -> float:
    """The next number that people find round."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(factor * power for factor in _ROUND if factor * power >= largest)
