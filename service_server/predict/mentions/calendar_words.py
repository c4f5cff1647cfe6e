"""What days, months and their days are called: "Monday", "October", "the 1st", "the twenty-first"."""

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH = "(" + "|".join(f"{month[:3]}(?:{month[3:]})?" if month != "may" else month for month in _MONTHS) + r"|sept)\.?"
"""A month, its name or the beginning of it, as a pattern."""

_TO_NINTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TO_NINETEENTH = (
    "eleventh",
    "twelfth",
    *(f"{tens}teenth" for tens in ("thir", "four", "fif", "six", "seven", "eigh", "nine")),
)
DAYS_IN_WORDS = (
    *(*_TO_NINTH, "tenth", *_TO_NINETEENTH, "twentieth"),
    *(*(f"twenty-{nth}" for nth in _TO_NINTH), "thirtieth", "thirty-first"),
)
"""The numbers of the days of a month in words, from the first on."""
ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(reversed(DAYS_IN_WORDS))})"
"""The number of a day, in figures or in words, as a pattern."""


def month_number(text: str) -> int:
    """Return the number of a month, given by its name or the beginning of it."""
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(text[:3].lower()))


def numbered(ordinal: str) -> int:
    """Return the number that `ORDINAL` has matched."""
    folded = ordinal.lower()
    return DAYS_IN_WORDS.index(folded) + 1 if folded in DAYS_IN_WORDS else int(folded[:-2])
