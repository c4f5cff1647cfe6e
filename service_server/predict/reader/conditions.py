"""What has to be so first: "only if nothing is in it", "once the tests are green"."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.mentions.calendar_words import WEEKDAYS
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question

CONDITION = re.compile(
    r"\bonly (?:once|if|when|after)\b|\b(?:once|as soon as) (?:the|it|it's|its|all|they|we|he|she|ci)\b|\bunless\b"
    r"|\b(?:once|as soon as|when) (?:(?!i\b|you\b|we\b|they\b)[\w'’-]+ ){1,4}(?:has|have|is|are|comes|arrives)\b",
    re.IGNORECASE,
)
"""Says that something has to be so first, or has to happen first."""
_DAY = f"(?:{'|'.join(WEEKDAYS)})"
LATER = re.compile(
    r"(?<!not )(?<!n't )\b(?:at|by|with) the end of (?:the|this|next|its|his|her|their) \w+"
    r"|\bwhen (?:the|its|his|her|their)(?: \w+){1,2} (?:ends?|expires?|runs out|is (?:over|up))\b"
    rf"|(?<!\bdue )(?<!\bfrom )(?<!\bof )\b(?:tomorrow|(?:on |next ){_DAY}|next (?:week|month|quarter|year))[.! ]*$"
    r"|\bin (?:a|an|two|three|\d+) (?:hour|day|week|month|year)s?\b",
    re.IGNORECASE,
)
"""Says that something isn't to be done now."""
_ASKS = re.compile(r"\bonly (?:once|if|when|after)\b|\bwait\b", re.IGNORECASE)
_SURE = 0.9


def asks_for_condition(schema: Any) -> bool:
    """Whether an argument says that something is only done on a condition."""
    is_flag = isinstance(schema, Mapping) and schema.get("type") == "boolean"
    return is_flag and _ASKS.search(str(schema.get("description", ""))) is not None


def with_condition(question: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the function's only condition where the prompt says one."""
    said = CONDITION.search(prompt)
    if said is None:
        return list(found)
    others = [value for value in found if value.question != question]
    return [*others, Filled(question, True, *said.span(), _SURE)]
