"""Days and times as they are said in other languages than English."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.mentions import find_moments

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)  # a Wednesday


def moments(prompt: str) -> list[str]:
    """What a prompt names, as days, times or both."""
    found = [mention.value for mention in find_moments(prompt, NOW)]
    return [" ".join(f"{part}"[:10] for part in (each.day, each.clock) if part is not None)[:16] for each in found]


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (["2026-11-19 09:00"], "Termin morgen um 9 Uhr"),
        (["2026-11-24 14:30"], "am 24.11. um 14:30 Uhr posten"),
        (["2026-11-20 14:00", "2026-11-20 15:00"], "am Freitag von 14 bis 15 Uhr"),
        (["2027-03-05"], "fällig am 5. März"),
        (["2026-11-20 09:00"], "pasado mañana a las 9"),
        (["2027-05-03"], "para el 3/5"),
        (["2026-11-25 16:00"], "el 25 de noviembre a las 4 de la tarde"),
        (["2026-11-24 10:00"], "mardi prochain à 10h"),
        (["2026-12-01"], "échéance le 1er décembre"),
        (["2026-11-19 14:00", "2026-11-19 15:00"], "demain de 14h à 15h"),
        (["2026-11-20 14:00"], "sexta às 14h"),
        (["2026-11-23"], "até segunda-feira"),
        (["2026-11-19 09:30"], "Slackで明日9時半に投稿"),
        (["2026-11-24 15:00"], "来週の火曜日の午後3時"),
        (["2028-02-29"], "2028年2月29日"),
        (["2028-02-29"], "am 29. Februar"),
    ],
)
def test_days_and_times(expected: list[str], prompt: str) -> None:
    """Counted from today, by a weekday, by a month or in figures; a time beside a day belongs to it."""
    assert expected == moments(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        *("we give 24/7 support", "upgrade to 4.2. please", "a segunda tentativa", "réunion de 2h"),
        *("une pause de 1h30", "borra las 4 tarjetas", "作業は2時間です", "mars and venus", "ship to Santo Domingo"),
        "am 31.2. und um 25 Uhr",
    ],
)
def test_what_is_no_day_or_time(prompt: str) -> None:
    """Lengths, versions, ordinals and days that no month has are none."""
    assert [] == moments(prompt)


@given(st.text(alphabet="0123456789 .:/hamdlsàñ月日時年曜来週のMontagUr", max_size=60))
def test_any_text_is_read_without_an_error(prompt: str) -> None:
    """Every mention lies within the prompt."""
    assert all(0 <= mention.start < mention.end <= len(prompt) for mention in find_moments(prompt, NOW))
