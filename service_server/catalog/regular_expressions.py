"""
Regular expressions of connectors, on texts that users type and apps answer.

They are run by the library that checks arguments, too: in time that grows with the text alone or, where an expression
looks ahead or back, up to a limit of steps. Python's own module would have the whole process wait for an expression
such as (a+)+ on a text that somebody has made for it.
"""

import re
from functools import lru_cache

import jsonschema_rs


def problem_with(expression: str) -> str | None:
    """Say why a text can't be used as a regular expression, here and in Python, where forms are; None if it can."""
    try:
        re.compile(expression)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    try:
        _validator(expression)
        _validator(_whole(expression))
    except (ValueError, jsonschema_rs.ValidationError):
        return "it has something that not all languages know"
    return None


def fits(expression: str, text: str) -> bool:
    """Whether a whole text is what an expression describes."""
    return found_in(_whole(expression), text)


def found_in(expression: str, text: str) -> bool:
    """Whether an expression describes some part of a text."""
    try:
        return bool(_validator(expression).is_valid(text))
    except ValueError:  # half a surrogate pair, which a command line can hold
        return False


def _whole(expression: str) -> str:
    return f"^(?:{expression})$"


@lru_cache(maxsize=4096)
def _validator(expression: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"pattern": expression})
