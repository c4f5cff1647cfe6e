"""Numbers as people say them, turned into the form an argument takes."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from service_server.predict.mentions import Kind, find_numbers, plain_number, read_number
from service_server.predict.mentions.calendar_words import DAYS_IN_WORDS
from service_server.predict.mentions.numbers import DECADES
from service_server.predict.reader.decimal_commas import with_decimal_comma
from service_server.predict.reader.sums import asks_for_sum
from service_server.predict.words import words_of

_FIGURE = re.compile(r"(?<![\w.])[-+−]?\s?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|(?<![\w.])[-+−]?\.\d+")
_SCALE_BEHIND = re.compile(
    r"\s*(?:hundred|thousand|grand|million|billion|trillion|dozen|[Mm]io|[Mm]rd|[Tt]sd"
    r"|mil(?= (?:euros|pesos|reais|d[oó]lares|€)))\b|(?:k|mn|bn|[KM])\b|[万億]"
)
_SCALE_OF_MONEY = re.compile(r"\s?(?:k|mn?|bn?)\b", re.IGNORECASE)
_SCALES = {"hundred": 100, "thousand": 1e3, "grand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12}
_SCALES |= {"mio": 1e6, "mrd": 1e9, "tsd": 1e3, "mil": 1e3}
_SCALES |= {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "万": 1e4, "億": 1e8}
# In what K and M may stand for something else than thousands and millions.
_COUNTS_UNITS = re.compile(r"\b(?:kelvin|temperature|met(?:er|re)s?|minutes?|months?|miles?)\b", re.IGNORECASE)
# The rest of a figure that the words end within.
_REST_OF_FIGURE = re.compile(r"\d*(?P<groups>(?:,\d{3})*)(?!\d)(?:\.\d+(?![\d.]))?")
_COUNTS = {"a": 1, "an": 1, "one": 1, "once": 1, "twice": 2, "both": 2, "none": 0, "no": 0}
_ORDINALS = DAYS_IN_WORDS[:10]
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b|percent\b|percentage\b)", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?:\b(?:minus|negative)|[-−])\s*$", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:deduct|subtract|(take|remove|cut))\b[^.;,]*$", re.IGNORECASE)
_MAY_BE_NEGATIVE = re.compile(r"\bnegative\b|\bless than (?:nothing|zero)\b|\bbelow zero\b", re.IGNORECASE)
_OFF = re.compile(r"[^.;,]*\b(?:off|away|from)\b", re.IGNORECASE)
_AND_A_PART = re.compile(r" and a (half|quarter)\b", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\s+and\s+a\s+half\b", re.IGNORECASE)
# "812 4410 9920", as Zoom writes the id of a meeting.
_ID_IN_GROUPS = re.compile(r"\d{3} \d{3,4} \d{3,4}(?![\d:]|[.,]\d|\s?%)")
# "Dinner for 2, 85 dollars"
_OTHERS_BEFORE_MONEY = re.compile(r"(?:\d[\d.]*, )+(?=\d[\d.,]*\Z)")
_UNIT_BEHIND = re.compile(r"[\s-]*(?:(?:an?|of an?)\s+)?([a-z]+)\b", re.IGNORECASE)
_UNIT_WANTED = re.compile(
    r"\bin (?:whole |the )?\(?(?!how\b)([a-z]+)\b|\(([a-z]+)(?: before| after)?\)"
    r"|\b(?:number of|how many) ([a-z]+)\b(?! or\b)",
    re.IGNORECASE,
)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_SHORT = {"sec": "second", "s": "second", "min": "minute", "hr": "hour", "h": "hour"}
# Money that an argument counts in cents.
_IN_CENTS = re.compile(r"\bcents\b|smallest (?:currency )?unit|minor unit", re.IGNORECASE)
_IN_EITHER = re.compile(r"dollars (?:and|or)", re.IGNORECASE)
_OF_HUNDRED = re.compile(r"percent|per cent|%", re.IGNORECASE)
_IN_GROUPS = re.compile(r"(?<![\d.,/:-] )(?<![\w.,/:-])[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?![\d:/-]|[.,]\d{3})")
_IN_GERMAN_GROUPS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.]|,\d{3})")
_NUMBER = r"(?:\d{1,6}|[a-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)"
_POUNDS_AND_PENCE = re.compile(
    rf"\b(?P<whole>{_NUMBER}) (?:pounds?|dollars?|euros?|quid)(?: and)? (?P<cents>{_NUMBER})(?: (?:cents|pence|p))?\b",
    re.IGNORECASE,
)
_TENS = "|".join(DECADES)
_PRICE = re.compile(  # "twelve fifty", "nine ninety-nine"
    rf"\b(?P<whole>(?:{_TENS})[- ][a-z]+|[a-z]+) (?P<cents>(?:{_TENS})(?:-[a-z]+)?)\b(?! (?:thousand|hundred|grand))",
    re.IGNORECASE,
)
# Of a hundred; a third has no end.
_FRACTION = re.compile(r"(?:(an?|one|two|three) )?(half|quarter|fifth|tenth)s?\b(?! of an? hour)", re.IGNORECASE)
_PARTS = {"two": 2, "three": 3}
_FRACTIONS = {"half": 50, "quarter": 25, "fifth": 20, "tenth": 10}
_QUARTERS = re.compile(r"(?:(an?|one|three) )?quarters?(?: of)?(?= an? hour\b)", re.IGNORECASE)
# Nobody asks for so long in minutes: "she wants two years" isn't how long the call was.
_TOO_LONG = re.compile(r"[\s-]+(?:months?|years?)\b", re.IGNORECASE)
# "11 Shampoo 250 ml": that isn't how many there are.
_MEASURE_BEHIND = re.compile(r"\s?(?:m[lgm]|c[lm]|k[gmw]|[gl]|oz|lbs?|inch(?:es)?|[gmt]b|px|ft)\b", re.IGNORECASE)
_COUNTS_THINGS = re.compile(r"\bhow many\b|\bnumber of\b|\bquantity\b|\bin stock\b|\bpieces\b", re.IGNORECASE)
# A form's first question is number 0 there, and the first one for people.
_FROM_ZERO = re.compile(r"\bfrom 0(?=[,;.)]|$)|\bzero-based\b|\b0-based\b", re.IGNORECASE)
_INDEX = re.compile(r"\b(?:index|offset) $", re.IGNORECASE)
_WHOLE_MONEY = re.compile(r"\s*(?:(?:dollars?|euros?|pounds?|usd|eur|gbp)\b|[€£])", re.IGNORECASE)


def number_in(text: str, before: str, after: str, schema: Mapping[str, Any]) -> int | float | None:
    """
    Return the number that some words stand for, as the argument takes it; None where they hold none.

    `before` and `after` are what stands around the words in the prompt.
    """
    description = str(schema.get("description", ""))
    if not asks_for_sum(schema) and (groups := _ID_IN_GROUPS.match(text + after)):
        return _typed(int(groups[0].replace(" ", "")), schema)
    if (part := _FRACTION.match(text + after)) and _OF_HUNDRED.search(description):
        hundredths = _parts(part) * _FRACTIONS[part[2].lower()]
        return _typed(hundredths / (100 if _wants_share(schema) else 1), schema)
    if wanted_seconds(schema) and (_TOO_LONG.search(text) or _TOO_LONG.match(after)):
        return None
    if _MEASURE_BEHIND.match(after) and _COUNTS_THINGS.search(description):
        return None
    value = _number_in(text, before, after, schema)
    from_zero = value is not None and value >= 1 and _FROM_ZERO.search(description) and not _INDEX.search(before)
    return None if value is None else _typed(value - 1 if from_zero else value, schema)


def _number_in(text: str, before: str, after: str, schema: Mapping[str, Any]) -> float | None:
    if asks_for_sum(schema):
        if _WHOLE_MONEY.match(after) and (others := _OTHERS_BEFORE_MONEY.match(text)):
            before, text = before + others[0], text[others.end() :]
        text, after = _with_cents(text, before, after)
    text, after = _uncut(text, after)
    quarters = _QUARTERS.match(text + after)
    found = (0.25 * _parts(quarters), quarters.end()) if quarters else with_decimal_comma(text, before, after)
    found = found or _read(text)
    if found is None:
        return None
    value, end = found
    if half := _AND_A_HALF.match(text + after, end):
        value, end = value + 0.5, half.end()
    rest = (text + after)[end:]
    if scale := _scale_behind(before[-1:] + text[:end], rest, schema):
        value *= _SCALES[scale[0].strip().lower()]
        rest = rest[scale.end() :]
    if value > 0 and (_is_negative(before) or _is_taken_off(before, rest, schema)):
        value = -value
    if _PERCENT.match(rest):
        value = value / 100 if _wants_share(schema) else value
    elif _counts_cents(schema) and (value % 1 or _is_whole_money(before[-1:] + text[:end], rest)):
        value *= 100
    elif (said := _UNIT_BEHIND.match(rest)) is not None:
        if _seconds(said[1]) and (part := _AND_A_PART.match(rest, said.end())):
            value += {"half": 0.5, "quarter": 0.25}[part[1].lower()]  # "an hour and a quarter"
        value *= _seconds(said[1]) / (wanted_seconds(schema) or _seconds(said[1])) if _seconds(said[1]) else 1
    calculated = abs(value) != abs(found[0])
    return round(value, 10) if calculated else value


def _parts(said: re.Match[str]) -> int:
    """Return how many parts are spoken of: "three quarters", "a fifth"."""
    return _PARTS.get((said[1] or "a").lower(), 1)


def _with_cents(text: str, before: str, after: str) -> tuple[str, str]:
    """Return the words for a sum in figures: "twelve pounds fifty" as 12.50, "22 500" and "22.500" as 22500."""
    around = before[-40:] + text + after
    start, end = len(before[-40:]), len(before[-40:]) + len(text)

    def within(pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        return (match for match in pattern.finditer(around) if match.start() < end and start < match.end())

    for match in (*within(_IN_GROUPS), *within(_IN_GERMAN_GROUPS)):
        return re.sub(r"[\s.]", "", match[0]), around[match.end() :]
    for match in (*within(_POUNDS_AND_PENCE), *within(_PRICE)):
        whole, cents = (numbers_in(match[name]) for name in ("whole", "cents"))
        if len(whole) == len(cents) == 1 and 0 < cents[0] < 100 and whole[0] != cents[0] * 100:
            return f"{whole[0]}.{int(cents[0]):02}", around[match.end() :]
    return text, after


def _uncut(text: str, after: str) -> tuple[str, str]:
    """Return a figure that the words end within as a whole, and what is behind it: "1,000" and ",000 pesos"."""
    cut = _REST_OF_FIGURE.match(after) if text[-1:].isdigit() else None
    if cut is None or (cut["groups"] and "," not in text):  # "3" and ",400,500" are three numbers
        return text, after
    return text + cut[0], after[cut.end() :]


def _scale_behind(text: str, rest: str, schema: Mapping[str, Any]) -> re.Match[str] | None:
    """Return what multiplies a figure: "million", the k of 20k, the M of $1.2M; "300K" may be a temperature."""
    if _is_whole_money(text, rest):
        return _SCALE_OF_MONEY.match(rest) or _SCALE_BEHIND.match(rest)
    scale = _SCALE_BEHIND.match(rest)
    if scale is not None and scale[0] in ("K", "M") and _COUNTS_UNITS.search(str(schema.get("description", ""))):
        return None
    return scale


def numbers_in(text: str) -> list[int | float]:
    """Return all numbers of a text in figures, else in words, in their order."""
    if figures := [plain_number(float(_plain(match[0]))) for match in _FIGURE.finditer(_split_joined(text))]:
        return figures
    mentions = sorted(find_numbers(text, words_of(text)), key=lambda mention: mention.start)
    return [mention.value for mention in mentions if mention.kind is Kind.NUMBER]


def _read(text: str) -> tuple[float, int] | None:
    """Return the number a text begins with or holds, and where it ends."""
    if match := _FIGURE.search(text):
        written = _split_joined(match[0]).split(", ")[0]
        figure = _bare(written)
        read = read_number(figure)
        return (float(_plain(figure)) if read is None else float(read)), match.start() + len(written)
    words = words_of(text)
    spoken = [mention for mention in find_numbers(text, words) if mention.kind is Kind.NUMBER]
    if spoken:
        first = min(spoken, key=lambda mention: mention.start)
        return float(first.value), first.end
    for word in words:
        if word.folded == "half":
            return 0.5, word.end
        if word.folded in _ORDINALS:
            return float(_ORDINALS.index(word.folded) + 1), word.end
        if word.folded in _COUNTS and (word.folded not in ("a", "an") or word is not words[-1] or len(words) == 1):
            return float(_COUNTS[word.folded]), word.end
    return None


def _is_negative(before: str) -> bool:
    """Whether a minus stands before a number, not a dash between two numbers."""
    start = max(0, len(before) - 12)
    sign = _NEGATIVE.search(before[start:])
    return sign is not None and (sign[0].strip().isalpha() or not before[: start + sign.start()][-1:].isalnum())


def _is_taken_off(before: str, behind: str, schema: Mapping[str, Any]) -> bool:
    """Whether a number is taken from what there is, where an argument counts that as negative."""
    if not _MAY_BE_NEGATIVE.search(str(schema.get("description", ""))):
        return False
    taken = _TAKES.search(before[-40:])
    return taken is not None and (taken[1] is None or _OFF.match(behind) is not None)


def _typed(value: float, schema: Mapping[str, Any]) -> int | float | None:
    if schema.get("x-integer") or schema.get("type") == "integer":
        return plain_number(round(value)) if abs(value - round(value)) < 1e-6 else None
    return plain_number(value)


def _split_joined(text: str) -> str:
    """Put blanks behind the commas of a list: "3,4,5" are three numbers, "1,000,000" is one."""
    return re.sub(r",(?!\d{3}(?!\d))|(?<=\d{4}),|(?<=[\[\(,]\d),|(?<=[\[\(,]\d\d),", ", ", text)


def _plain(text: str) -> str:
    return _bare(text).replace(",", "")


def _bare(text: str) -> str:
    """Return a figure without currency signs and blanks."""
    return re.sub(r"[$€£¥\s]", "", text).replace("−", "-")


def _wants_share(schema: Mapping[str, Any]) -> bool:
    """Whether a percentage is meant as a share of one: 5 % as 0.05."""
    if schema.get("x-integer") or schema.get("type") == "integer" or asks_for_sum(schema):
        return False
    if isinstance(most := schema.get("maximum"), int | float):
        return most <= 1
    description = str(schema.get("description", "")).casefold()
    if re.search(r"as a percent", description):
        return False
    if re.search(r"decimal|fraction|\b0\.\d|between 0 and 1\b|0 to 1\b", description):
        return True
    return not re.search(r"percent|per cent|%|out of 100|0 to 100|0-100", description)


def _seconds(unit: str) -> int:
    """Return how many seconds a unit of time has, 0 for another word."""
    folded = unit.casefold()
    forms = (folded, folded.removesuffix("s"))
    return next((_SECONDS[name] for form in forms if (name := _SHORT.get(form, form)) in _SECONDS), 0)


def wanted_seconds(schema: Mapping[str, Any]) -> int:
    """Return the length of the unit of time in which an argument is counted; 0 if it isn't counted in one."""
    found = _UNIT_WANTED.finditer(f"{schema.get('title', '')}. {schema.get('description', '')}")
    units = (_seconds(next(group for group in match.groups() if group)) for match in found)
    title = str(schema.get("title", "")).partition(" ")[0]
    return next((unit for unit in units if unit), _seconds(title) if title.endswith("s") else 0)


def _is_whole_money(text: str, rest: str) -> bool:
    return re.search(r"[$€£]", text) is not None or _WHOLE_MONEY.match(rest) is not None


def _counts_cents(schema: Mapping[str, Any]) -> bool:
    description = str(schema.get("description", ""))
    return _IN_CENTS.search(description) is not None and _IN_EITHER.search(description) is None
