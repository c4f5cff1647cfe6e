"""Numbers in figures (1,000.50 and 1.000,50) and in words (twenty-five, two hundred)."""

import re
from collections.abc import Iterator, Sequence

from service_server.predict.mentions.mention import Kind, Mention
from service_server.predict.words import Word

_FIGURES = re.compile(
    r"(?<![\w.,:/-])([-+]?)[$€£]?(\d[\d.,]{0,30})(e[-+]?\d{1,2})?([kKmM]?)(?![\w/-]|:\S)(%| ?percent\b)?"
)
_DIGITS = re.compile(r"[-+]?\d[\d.,]{0,29}(?<![.,])")
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_UNITS = {word: value for value, word in enumerate(_SMALL)}
DECADES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""The words for 20 to 90, by tens."""
_TENS = {word: 10 * value for value, word in enumerate(DECADES, 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SUFFIXES = {"": 1, "k": 1_000, "m": 1_000_000}


def find_numbers(prompt: str, words: Sequence[Word]) -> Iterator[Mention]:
    """Yield the numbers of a prompt; a percentage is a kind of its own and holds the number before the sign."""
    for match in _FIGURES.finditer(prompt):
        text = match[2].rstrip(".,")
        number = read_number(text)
        end = match.end() if text == match[2] else match.start(2) + len(text)
        if number is None:
            continue
        if text == match[2]:
            number = plain_number(number * float("1" + match[3]) if match[3] else number) * _SUFFIXES[match[4].lower()]
        percent = text == match[2] and bool(match[5])
        value = -number if match[1] == "-" else number
        start = match.start()
        yield Mention(Kind.PERCENT if percent else Kind.NUMBER, value, start, end)
    yield from _in_words(words)


def read_number(text: str) -> int | float | None:
    """
    Read a number as people write it; None where it is not one.

    If there are two different separators, the last one is the decimal one. A single comma before exactly three figures
    separates thousands; a single point never does.
    """
    if not _DIGITS.fullmatch(text):
        return None
    points, commas = text.count("."), text.count(",")
    if points and commas:
        decimal = "." if text.rfind(".") > text.rfind(",") else ","
    elif points > 1 or commas > 1:
        decimal = ""
    elif commas:
        decimal = "" if len(text) - text.find(",") == len(",000") else ","
    else:
        decimal = "."
    whole, _, fraction = text.partition(decimal) if decimal else (text, "", "")
    groups = re.split("[.,]", whole)
    if any(len(group) != len("000") for group in groups[1:]) or "." in fraction or "," in fraction:
        return None
    digits = "".join(groups)
    return float(f"{digits}.{fraction}") if fraction else int(digits)


def plain_number(number: float) -> int | float:
    """Return a number that has no fraction as an integer."""
    return int(number) if float(number).is_integer() and abs(number) < 2**53 else number


def _in_words(words: Sequence[Word]) -> Iterator[Mention]:
    at = 0
    while at < len(words):
        count = 0
        total, current = 0, 0
        if words[at].folded == "a" and at + 1 < len(words) and words[at + 1].folded in _SCALES:
            count, current = 1, 1  # "a hundred"
        while at + count < len(words):
            if count and _joins(words[at + count - 1 : at + count + 4]):
                count += 1
            added = _add(words[at + count].folded, total, current, begun=count > 0)
            if added is None:
                break
            total, current = added
            count += 1
        # "one" alone is a pronoun as often as a number.
        if count and not (count == 1 and words[at].folded == "one"):
            yield Mention(Kind.NUMBER, total + current, words[at].start, words[at + count - 1].end)
        at += count or 1


def _joins(words: Sequence[Word]) -> bool:
    """Whether "and" goes on with a number: "a hundred and twenty"; "one hundred and two hundred" are two."""
    folded = [word.folded for word in words]
    if len(folded) < 3 or folded[0] not in _SCALES or folded[1] != "and":
        return False
    return (folded[2] in _UNITS or folded[2] in _TENS) and _SCALES.keys().isdisjoint(folded[3:])


def _add(word: str, total: int, current: int, *, begun: bool) -> tuple[int, int] | None:
    """Return the sums after one more word of a number, or None if the word does not continue it."""
    if word in _UNITS:
        fits = not begun or (current % 100 == 0 or (current % 100 >= 20 and current % 10 == 0 and _UNITS[word] < 10))
        return (total, current + _UNITS[word]) if fits else None
    if word in _TENS:
        return (total, current + _TENS[word]) if not begun or current % 100 == 0 else None
    if word == "hundred" and begun and 0 < current < 10:
        return total, current * 100
    if word in _SCALES and word != "hundred" and begun and 0 < current < 1_000:
        return total + current * _SCALES[word], 0
    return None
