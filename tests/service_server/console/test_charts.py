"""The charts as they are drawn."""

import pytest

from service_server.console.charts import nice_top, stacked


@pytest.mark.parametrize(
    ("largest", "top"), [(0, 1), (0.03, 0.03), (1, 1), (1.2, 1.5), (7, 8), (20, 20), (201, 300), (999, 1000)]
)
def test_a_chart_ends_at_a_round_number(largest: float, top: float) -> None:
    """Of one digit, and not below the largest value."""
    assert pytest.approx(top) == nice_top(largest)


def test_parts_stand_on_each_other() -> None:
    """From the bottom up, each as high as its value; what is zero isn't drawn."""
    chart = stacked(("good", "failed"), [(30, 10), (0, 0), (0, 50)], ["a", "b", "c"], ["1", "2", "3"])
    parts = [[(part.series, part.y, part.height) for part in bar.segments] for bar in chart.bars]

    assert 50 == chart.top
    assert [[("good", 40.0, 60.0), ("failed", 20.0, 20.0)], [], [("failed", 0.0, 100.0)]] == parts
    assert not chart.is_empty
    assert stacked(("good",), [(0,)], [""], [""]).is_empty


def test_labels_are_few() -> None:
    """However many bars there are, those below stay apart on a phone, each as far from the next."""
    found = []
    for bars in (24, 168, 56):
        labels = [str(number) for number in range(bars)]
        found.append(stacked(("good",), [(1,)] * bars, labels, labels).labels)

    assert [["0", "4", "8", "12", "16", "20"], ["0", "28", "56", "84", "112", "140"], ["0", "14", "28", "42"]] == found
