"""Codes for what people call by name: currencies, countries, languages, states of the USA."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale

from service_server.predict.reader.places import CODE_OF_STATE

_CURRENCY = re.compile(r"currenc", re.IGNORECASE)
_CURRENCY_CODE = re.compile(r"\bthree letters\b.{0,12}\bcurrency\b|\bcurrency\b.{0,12}\bthree letters\b", re.IGNORECASE)
_COUNTRY = re.compile(
    r"iso[ -]?3166|country code|two-letter country|2-letter country|country'?s? iso|alpha-2"
    r"|country by its two letters|two letters of the country",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"iso[ -]?639|language code|two-letter language|locale code|e\.g\.,? ?['\"](?:en|fr|es|de)['\"]"
    r"|\blanguage\b.*(?<![-_\w])(?-i:en|fr|es|de)(?![-_\w])",
    re.IGNORECASE,
)
_STATE = re.compile(r"state.{0,40}(?:abbr|two-letter|'[A-Z]{2}'|\bCA\b)|abbreviation of the state", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{2,3}|[a-z]{2}(?:-[A-Z]{2})?")
# What people say and the tables don't have. Each is compared with the whole text.
_SAID = {
    "dollar": "USD", "us dollar": "USD", "american dollar": "USD", "buck": "USD", "euro": "EUR", "pound": "GBP",
    "british pound": "GBP",
    "pound sterling": "GBP", "sterling": "GBP", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "rupee": "INR",
    "franc": "CHF",
    "peso": "MXN", "real": "BRL", "won": "KRW", "ruble": "RUB", "lira": "TRY", "zloty": "PLN", "krona": "SEK",
    "rand": "ZAR",
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "bitcoin": "BTC",
}  # fmt: skip
_COUNTRIES = {
    "uk": "GB", "great britain": "GB", "england": "GB", "usa": "US", "us": "US", "america": "US", "uae": "AE",
    "south korea": "KR",
}  # fmt: skip


def asks_for_currency(schema: Mapping[str, Any]) -> bool:
    """Whether an argument is a currency by its code."""
    return schema.get("type") == "string" and _CURRENCY_CODE.search(str(schema.get("description", ""))) is not None


def code_in(text: str, schema: Mapping[str, Any]) -> str | None:
    """Return the code that a name stands for where an argument's description asks for one; None where it doesn't."""
    description = str(schema.get("description", ""))
    folded = text.casefold().strip(" .,")
    if _COUNTRY.search(description) and folded in _COUNTRIES:
        return _COUNTRIES[folded]  # "UK" looks like a code but isn't one
    if _CODE.fullmatch(text) or not folded or len(folded) > 40:
        return None
    if _STATE.search(description) and "city" not in description.casefold() and folded in CODE_OF_STATE:
        return CODE_OF_STATE[folded]
    if _CURRENCY.search(description):
        return _currency(folded)
    if _COUNTRY.search(description):
        return _codes("territories", 2).get(folded)
    if _LANGUAGE.search(description):
        return _codes("languages", 2).get(folded)
    return None


def _currency(folded: str) -> str | None:
    for form in (folded, folded.removesuffix("s"), folded.replace("dollars", "dollar")):
        code = _SAID.get(form) or _codes("currencies", 3).get(form)
        if code is not None:
            return code
    return None


@cache
def _codes(kind: str, length: int) -> dict[str, str]:
    """Return the codes of so many letters that one of Babel's tables has, by the English names."""
    names = getattr(Locale("en"), kind).items()
    return {name.casefold(): code for code, name in names if len(code) == length and code.isalpha()}
