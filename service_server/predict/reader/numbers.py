"""Numbers as people say them, turned into the form an argument takes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.mentions import Kind, find_numbers, read_number
from service_server.predict.words import Word, words_of

_FRACTIONS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "tenth": 0.1}
_COUNTS = {
    "a": 1, "an": 1, "once": 1, "single": 1, "one": 1, "twice": 2, "couple": 2, "pair": 2, "both": 2, "double": 2,
    "thrice": 3,
    "triple": 3, "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000, "none": 0, "no": 0,
}  # fmt: skip
_ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        1,
    )
}
_SMALL = {
    word: number
    for number, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_SCALES = {"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12}
_SCALE_BEHIND = re.compile(r"\s*(hundred|thousand|million|billion|trillion|dozen|k|mn|bn|m|b)\b(?!/)", re.IGNORECASE)
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_FIGURE = re.compile(r"(?<![\w.])[-+−]?\s?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|(?<![\w.])[-+−]?\.\d+")
# "112.07 W" lies west, which maps count below zero.
_FIGURE_WITH_SIDE = re.compile(f"({_FIGURE.pattern})(?:\\s?°?\\s?([NSEW])\\b)?")
_FEET = re.compile(r"(\d+)\s?(?:ft|feet|foot|')\.?,?\s?(?:and\s)?(\d+(?:\.\d+)?)\s?(?:in\b|inch|\"|'')", re.IGNORECASE)
_RATIO = re.compile(r"(?<![\d/])(\d{1,4})\s?/\s?(\d{1,4})(?![\d/])")
_POWER = re.compile(r"(\d+(?:\.\d+)?)\s?[x×*]\s?10\s?\^?\s?(-?\d+)")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b|percent\b|percentage\b)", re.IGNORECASE)

# The units of a quantity, each as a multiple of the first one.
_UNITS: tuple[dict[str, float], ...] = (
    {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800},
    {"month": 1, "year": 12, "quarter": 3, "decade": 120},
    {"metre": 1, "kilometre": 1000, "centimetre": 0.01, "millimetre": 0.001}
    | {"mile": 1609.344, "foot": 0.3048, "inch": 0.0254},
    {"gram": 1, "kilogram": 1000, "milligram": 0.001, "tonne": 1_000_000, "pound": 453.59237, "ounce": 28.349523125},
    {"cent": 1, "dollar": 100, "euro": 100},
    {"byte": 1, "kilobyte": 1024, "megabyte": 1024**2, "gigabyte": 1024**3},
)  # fmt: skip
_SPELLINGS = {
    "sec": "second", "secs": "second", "s": "second", "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour",
    "h": "hour",
    "meter": "metre", "m": "metre", "km": "kilometre", "kilometer": "kilometre", "cm": "centimetre",
    "centimeter": "centimetre",
    "mm": "millimetre", "millimeter": "millimetre", "ft": "foot", "feet": "foot", "inches": "inch", "mi": "mile",
    "g": "gram", "kg": "kilogram", "kilo": "kilogram", "mg": "milligram", "ton": "tonne", "lb": "pound",
    "lbs": "pound", "oz": "ounce",
    "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "usd": "dollar", "eur": "euro", "$": "dollar", "€": "euro",
}  # fmt: skip
_LENGTHS = _UNITS[2]
_FREQUENCIES = {
    "daily": 365, "weekly": 52, "biweekly": 26, "monthly": 12, "bimonthly": 6, "quarterly": 4, "semiannually": 2,
    "semiannual": 2,
    "halfyearly": 2, "annually": 1, "annual": 1, "yearly": 1,
}  # fmt: skip
_FREQUENCY = re.compile(
    r"\b(?:daily|bi-?weekly|weekly|bi-?monthly|monthly|quarterly"
    r"|semi[- ]?annual(?:ly)?|half[- ]?yearly|annual(?:ly)?|yearly)\b",
    re.IGNORECASE,
)
_UNIT_WANTED = re.compile(
    r"\bin (?:whole |the |smallest |us )?(?:[a-z]+ )?\(?([a-z]+)\b|\(([a-z]+)\)|\bnumber of ([a-z]+)\b", re.IGNORECASE
)
_NEGATIVE = re.compile(r"(?:\b(?:minus|negative)|[-−])\s*$", re.IGNORECASE)


def number_in(text: str, before: str, after: str, schema: Mapping[str, Any]) -> int | float | None:
    """
    Return the number that some words stand for, as the argument takes it; None where they hold none.

    `before` and `after` are what stands around the words in the prompt.
    """
    if (feet := _FEET.search(text + after[:12])) and (wanted := _wanted_unit(schema)) in _LENGTHS:
        inches = int(feet[1]) * 12 + float(feet[2])
        return _typed(round(inches * _LENGTHS["inch"] / _LENGTHS[str(wanted)], 10), schema)
    found = _read(text) or _frequency(text, schema) or _lone_unit(text)
    if found is None:
        return None
    value, end = found
    rest = text[end:] + after
    scale = _SCALE_BEHIND.match(rest)
    if scale is not None:
        word = scale[1].lower()
        factor = _SCALES.get(word) or _short_scale(scale, rest, text[:end], schema)
        value *= factor
        rest = rest[scale.end() :] if factor != 1.0 else rest
    if value > 0 and _is_negative(before):
        value = -value
    if _PERCENT.match(rest):
        value = value / 100 if _wants_share(schema) else value
    else:
        value = _converted(value, before[-1:] + text[:end], rest, schema)
    calculated = abs(value) != abs(found[0])
    return _typed(round(value, 10) if calculated else value, schema)


def _is_negative(before: str) -> bool:
    """Whether a minus stands before a number, which is no dash between two."""
    start = max(0, len(before) - 12)
    sign = _NEGATIVE.search(before[start:])
    return sign is not None and (sign[0].strip().isalpha() or not before[: start + sign.start()][-1:].isalnum())


def _typed(value: float, schema: Mapping[str, Any]) -> int | float | None:
    if schema.get("x-integer") or schema.get("type") == "integer":
        return _whole(round(value)) if abs(value - round(value)) < 1e-6 else None
    return _whole(value)


def _frequency(text: str, schema: Mapping[str, Any]) -> tuple[float, int] | None:
    """Return how many times a year "monthly" is, where the argument counts that."""
    if not re.search(r"per year|times|a year|annum|frequency", str(schema.get("description", "")), re.IGNORECASE):
        return None
    match = _FREQUENCY.search(text)
    return (float(_FREQUENCIES[match[0].lower().replace("-", "").replace(" ", "")]), match.end()) if match else None


def _lone_unit(text: str) -> tuple[float, int] | None:
    """Return one for a unit that stands alone: "the past decade", "next week"."""
    for word in words_of(text):
        unit = _unit(word.folded)
        if unit is not None and len(word.folded) > 2:
            return 1.0, word.start
    return None


def _short_scale(scale: re.Match[str], rest: str, figure: str, schema: Mapping[str, Any]) -> float:
    """Return what a letter behind a figure multiplies it by: "20k", but not "300K" of heat or "5m" of length."""
    if not rest.startswith(scale[1]) and scale[1].lower() not in ("mn", "bn"):
        return 1.0
    money = re.search(r"[$€£¥]", figure) is not None
    described = str(schema.get("description", "")).casefold()
    if scale[1] in ("K", "m", "b") and not money:
        return 1.0
    if re.search(r"kelvin|met(?:re|er)|minute|byte", described) and not money:
        return 1.0
    return _SHORT_SCALES[scale[1].lower()]


def numbers_in(text: str) -> list[int | float]:
    """Return all numbers of a text in figures, else in words, in their order."""
    figures = [
        _whole(-abs(number) if match[2] and match[2] in "SW" else number)
        for match in _FIGURE_WITH_SIDE.finditer(_split_joined(text))
        for number in (float(_plain(match[1])),)
    ]
    if figures:
        return figures
    mentions = sorted(find_numbers(text, words_of(text)), key=lambda mention: mention.start)
    return [mention.value for mention in mentions if mention.kind is Kind.NUMBER]


def _split_joined(text: str) -> str:
    """Put blanks behind the commas of a list: "3,4,5" are three numbers, "1,000,000" is one."""
    return re.sub(r",(?!\d{3}(?!\d))|(?<=\d{4}),|(?<=[\[\(,]\d),|(?<=[\[\(,]\d\d),", ", ", text)


def _plain(text: str) -> str:
    return _bare(text).replace(",", "")


def _bare(text: str) -> str:
    """Return a figure without signs of currencies and blanks."""
    return re.sub(r"[$€£¥\s]", "", text).replace("−", "-")


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


def _read(text: str) -> tuple[float, int] | None:
    """Return the number a text begins with or holds, and where it ends."""
    if match := _POWER.search(text):
        return float(match[1]) * 10.0 ** min(300, max(-300, int(match[2]))), match.end()
    if (match := _RATIO.search(text)) and int(match[2]):
        whole = re.match(r"\s*(\d+)\s+(?=\d+\s?/)", text)
        return (int(whole[1]) if whole else 0) + int(match[1]) / int(match[2]), match.end()
    if match := _FIGURE.search(text):
        written = _split_joined(match[0]).split(", ")[0]
        figure = _bare(written)
        read = read_number(figure)
        return (float(_plain(figure)) if read is None else float(read)), match.start() + len(written)
    words = words_of(text)
    if (fraction := _spoken_fraction(words)) is not None:
        return fraction
    spoken = [mention for mention in find_numbers(text, words) if mention.kind is Kind.NUMBER]
    if spoken:
        first = min(spoken, key=lambda mention: mention.start)
        return _with_half(float(first.value), text, first.end)
    for word in words:
        if word.folded in _ORDINALS:
            return float(_ORDINALS[word.folded]), word.end
        if word.folded in _COUNTS and (word.folded not in ("a", "an") or len(words) == 1 or words[-1] is not word):
            if word.folded in ("a", "an") and any(each.folded in _COUNTS for each in words[1:]):
                continue
            return float(_COUNTS[word.folded]), word.end
    return None


def _spoken_fraction(words: Sequence[Word]) -> tuple[float, int] | None:
    """Return a fraction in words ("half", "a third", "three quarters") and where it ends."""
    for at, word in enumerate(words[:4]):
        name = word.folded.removesuffix("s")
        if name not in _FRACTIONS or not (at or name == "half" or len(words) == 1):
            continue
        before = [each.folded for each in words[:at]]
        if "and" in before:  # "two and a half"
            return None
        numbers = [_SMALL.get(each, 0) for each in before]
        return _FRACTIONS[name] * (max(numbers, default=0) or 1), word.end
    return None


def _with_half(value: float, text: str, end: int) -> tuple[float, int]:
    match = re.match(r"\s+and\s+a\s+(half|quarter)\b", text[end:], re.IGNORECASE)
    return (value + _FRACTIONS[match[1].lower()], end + match.end()) if match else (value, end)


def _wants_share(schema: Mapping[str, Any]) -> bool:
    """Whether a percentage is meant as a share of one: 5 % as 0.05."""
    if schema.get("x-integer") or schema.get("type") == "integer":
        return False
    description = str(schema.get("description", "")).casefold()
    if re.search(r"as a percent", description):
        return False
    if re.search(r"decimal|fraction|\b0\.\d|between 0 and 1\b|0 to 1\b", description):
        return True
    return not re.search(r"percent|per cent|%|out of 100|0 to 100|0-100", description)


def _converted(value: float, text: str, rest: str, schema: Mapping[str, Any]) -> float:
    """Convert between units of the same kind where the description asks for one and the prompt has another."""
    wanted = _wanted_unit(schema)
    if wanted is None:
        return value
    behind = re.match(r"[\s-]*(?:(?:an?|of an?)\s+)?([a-z]+)\b", rest, re.IGNORECASE)
    said = _unit(behind[1]) if behind else None
    if said is None and (sign := re.search(r"[$€]", text)):
        said = _unit(sign[0])
    if said is None or said == wanted:
        return value
    for kind in _UNITS:
        if said in kind and wanted in kind:
            return value * kind[said] / kind[wanted]
    return value


def _wanted_unit(schema: Mapping[str, Any]) -> str | None:
    description = str(schema.get("description", ""))
    in_cents = re.search(r"\bcents\b|smallest (?:currency )?unit|minor unit", description, re.IGNORECASE)
    if in_cents and not re.search(r"dollars (?:and|or)", description, re.IGNORECASE):
        return "cent"
    for match in _UNIT_WANTED.finditer(description):
        unit = _unit(next(group for group in match.groups() if group))
        if unit is not None:
            return unit
    return None


def _unit(word: str) -> str | None:
    folded = word.casefold()
    for form in (folded, folded.removesuffix("s")):
        name = _SPELLINGS.get(form, form)
        if any(name in kind for kind in _UNITS):
            return name
    return None
