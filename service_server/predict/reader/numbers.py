"""Numbers as people say them, turned into the form an argument takes."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.predict.mentions import Kind, find_numbers, read_number
from service_server.predict.words import words_of

_FRACTIONS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "tenth": 0.1}
_COUNTS = {
    "a": 1, "an": 1, "once": 1, "single": 1, "one": 1, "twice": 2, "couple": 2, "pair": 2, "both": 2, "double": 2, "thrice": 3,
    "triple": 3, "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000, "none": 0, "no": 0,
}  # fmt: skip
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
_SCALES = {"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12}
_SCALE_BEHIND = re.compile(r"\s*(hundred|thousand|million|billion|trillion|dozen|k|mn|bn|m|b)\b(?!/)", re.IGNORECASE)
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_FIGURE = re.compile(r"(?<![\w.])[-+−]?\s?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|(?<![\w.])[-+−]?\.\d+")
_RATIO = re.compile(r"(?<![\d/])(\d{1,4})\s?/\s?(\d{1,4})(?![\d/])")
_POWER = re.compile(r"(\d+(?:\.\d+)?)\s?[x×*]\s?10\s?\^?\s?(-?\d+)")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b|percent\b|percentage\b)", re.IGNORECASE)

# The units of a quantity, each as a multiple of the first one.
_UNITS: tuple[dict[str, float], ...] = (
    {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800},
    {"month": 1, "year": 12, "quarter": 3, "decade": 120},
    {"metre": 1, "kilometre": 1000, "centimetre": 0.01, "millimetre": 0.001, "mile": 1609.344, "foot": 0.3048, "inch": 0.0254},
    {"gram": 1, "kilogram": 1000, "milligram": 0.001, "tonne": 1_000_000, "pound": 453.59237, "ounce": 28.349523125},
    {"cent": 1, "dollar": 100, "euro": 100},
    {"byte": 1, "kilobyte": 1024, "megabyte": 1024**2, "gigabyte": 1024**3},
)  # fmt: skip
_SPELLINGS = {
    "sec": "second", "secs": "second", "s": "second", "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "h": "hour",
    "meter": "metre", "m": "metre", "km": "kilometre", "kilometer": "kilometre", "cm": "centimetre", "centimeter": "centimetre",
    "mm": "millimetre", "millimeter": "millimetre", "ft": "foot", "feet": "foot", "inches": "inch", "mi": "mile",
    "g": "gram", "kg": "kilogram", "kilo": "kilogram", "mg": "milligram", "ton": "tonne", "lb": "pound", "lbs": "pound", "oz": "ounce",
    "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "usd": "dollar", "eur": "euro", "$": "dollar", "€": "euro",
}  # fmt: skip
_AMBIGUOUS_UNITS = frozenset("smhg")
_UNIT_WANTED = re.compile(
    r"\bin (?:whole |the |smallest |us )?(?:[a-z]+ )?\(?([a-z]+)\b|\(([a-z]+)\)|\bnumber of ([a-z]+)\b", re.IGNORECASE
)
_NEGATIVE = re.compile(r"(?:\b(?:minus|negative)|[-−])\s*$", re.IGNORECASE)


def number_in(text: str, before: str, after: str, schema: Mapping[str, Any]) -> int | float | None:
    """
    Return the number that some words stand for, as the argument takes it; None where they hold none.

    `before` and `after` are what stands around the words in the prompt.
    """
    found = _read(text)
    if found is None:
        return None
    value, end = found
    rest = text[end:] + after
    scale = _SCALE_BEHIND.match(rest)
    if scale is not None:
        word = scale[1].lower()
        factor = _SCALES.get(word) or (_SHORT_SCALES[word] if rest[:1] == scale[1] or word in ("mn", "bn") else 1.0)
        value *= factor
        rest = rest[scale.end() :] if factor != 1.0 else rest
    if value > 0 and _NEGATIVE.search(before[-12:] + text[: max(0, end - len(text.lstrip()))]):
        sign = _NEGATIVE.search(before[-12:])
        if sign is not None and (sign[0].strip().isalpha() or not before[: sign.start() + max(0, len(before) - 12)][-1:].isalnum()):
            value = -value
    if _PERCENT.match(rest):
        value = value / 100 if _wants_share(schema) else value
    else:
        value = _converted(value, text[:end], rest, schema)
    if schema.get("x-integer") or schema.get("type") == "integer":
        return _whole(value) if abs(value - round(value)) < 1e-9 else None
    return _whole(round(value, 12))


def numbers_in(text: str) -> list[int | float]:
    """Return all numbers of a text in figures, else in words, in their order."""
    figures = [_whole(float(_plain(match[0]))) for match in _FIGURE.finditer(_split_joined(text))]
    if figures:
        return figures
    mentions = sorted(find_numbers(text, words_of(text)), key=lambda mention: mention.start)
    return [mention.value for mention in mentions if mention.kind is Kind.NUMBER]


def _split_joined(text: str) -> str:
    """Put blanks behind the commas of a list: "3,4,5" are three numbers, "1,000,000" is one."""
    return re.sub(r",(?!\d{3}(?!\d))|(?<=\d{4}),|(?<=[\[\(,]\d),|(?<=[\[\(,]\d\d),", ", ", text)


def _plain(text: str) -> str:
    return text.translate(str.maketrans({"−": "-", "$": None, "€": None, "£": None, "¥": None, ",": None, " ": None}))


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
        figure = match[0].translate(str.maketrans({"−": "-", "$": None, "€": None, "£": None, "¥": None, " ": None}))
        read = read_number(figure)
        return (float(_plain(figure)) if read is None else float(read)), match.end()
    words = words_of(text)
    spoken = [mention for mention in find_numbers(text, words) if mention.kind is Kind.NUMBER]
    if spoken:
        first = min(spoken, key=lambda mention: mention.start)
        return _with_half(float(first.value), text, first.end)
    for at, word in enumerate(words):
        name = word.folded.removesuffix("s")
        if name in _FRACTIONS and (at or name == "half" or len(words) == 1):
            count = next((_COUNTS.get(each.folded, 0) for each in words[:at]), 1) or 1
            return _FRACTIONS[name] * count, word.end
    for word in words:
        if word.folded in _ORDINALS:
            return float(_ORDINALS[word.folded]), word.end
        if word.folded in _COUNTS and (word.folded not in ("a", "an") or len(words) == 1 or words[-1] is not word):
            if word.folded in ("a", "an") and any(each.folded in _COUNTS for each in words[1:]):
                continue
            return float(_COUNTS[word.folded]), word.end
    return None


def _with_half(value: float, text: str, end: int) -> tuple[float, int]:
    match = re.match(r"\s+and\s+a\s+(half|quarter)\b", text[end:], re.IGNORECASE)
    return (value + _FRACTIONS[match[1].lower()], end + match.end()) if match else (value, end)


def _wants_share(schema: Mapping[str, Any]) -> bool:
    """Whether a percentage is meant as a share of one: 5 % as 0.05."""
    if schema.get("x-integer") or schema.get("type") == "integer":
        return False
    description = str(schema.get("description", "")).casefold()
    if re.search(r"decimal|fraction|\b0\.\d|between 0 and 1\b|0 to 1\b", description):
        return True
    return not re.search(r"percent|per cent|%|out of 100|0 to 100|0-100", description)


def _converted(value: float, text: str, rest: str, schema: Mapping[str, Any]) -> float:
    """Convert between units of the same kind where the description asks for one and the prompt has another."""
    wanted = _wanted_unit(schema)
    if wanted is None:
        return value
    behind = re.match(r"[\s-]*([a-z]+)\b", rest, re.IGNORECASE)
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
    for match in _UNIT_WANTED.finditer(str(schema.get("description", ""))):
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
