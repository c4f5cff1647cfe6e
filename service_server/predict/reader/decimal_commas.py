"""Numbers whose decimals stand behind a comma, and whose thousands are parted by points or blanks: 1.200,50 €."""

import re

_MONEY = (
    r"€|R\$|(?:EUR|NOK|SEK|DKK|ISK|CHF|PLN|CZK|HUF|RON|BGN|TRY|BRL|ARS|CLP|COP|IDR|VND|USD|GBP)\b|euros?\b|reais\b"
    r"|kr\b|kron(?:er|or|ur|en)\b|zł|złotych\b|Kč|francs\b|Franken\b|pesos\b"
)
_MARK_BEFORE = re.compile(r"(?:€|R\$|\b(?:EUR|NOK|SEK|DKK|CHF|PLN|CZK|BRL|USD|GBP))\s?[-+−]?\s?\Z", re.IGNORECASE)
_WRITTEN = re.compile(
    r"(?P<whole>[1-9]\d{0,2}(?:(?P<gap>[. \u00a0\u202f])\d{3})(?:(?P=gap)\d{3})*|\d+)"
    rf"(?:,(?P<part>\d{{1,2}}))?(?!\w|[.,]\d)(?P<money>\s?(?:(?:mio|mrd|tsd)\b\.? )?(?:{_MONEY}))?",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?<![\w.,])[-+−]?\s?[€$£¥]?(?=\d)")


def with_decimal_comma(text: str, before: str, after: str) -> tuple[float, int] | None:
    """
    Return the number that a text holds in such a form, and where it ends in the text and what is `after` it.

    None where it may be an English number: 12.500 is one unless it is of a currency that has no thousandths.
    """
    first = _FIRST.search(text)
    match = None if first is None else _WRITTEN.match(text + after, first.end())
    if first is None or match is None or not (match["gap"] or match["part"]):
        return None
    is_money = match["money"] is not None or _MARK_BEFORE.search(before + text[: first.end()]) is not None
    is_plain = match["gap"] == " " or not (match["gap"] and match["part"])
    if is_plain and not is_money:
        return None
    value = float(re.sub(r"\D", "", match["whole"]) + "." + (match["part"] or "0"))
    end = match.end("part") if match["part"] else match.end("whole")
    return (-value if first[0][:1] in ("-", "−") else value), end
