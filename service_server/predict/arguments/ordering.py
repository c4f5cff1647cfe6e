"""In which order a prompt wants a list: "largest first", "from A to Z"."""

import re

DESCENDING = re.compile(
    r"\b(?:largest|biggest|highest|longest|newest|latest|most (?:recent|expensive)|priciest|dearest|best)"
    r" (?:ones? )?first\b|\bdescending\b|\bz (?:to|-) a\b",
    re.IGNORECASE,
)
ASCENDING = re.compile(
    r"\b(?:smallest|lowest|shortest|oldest|earliest|soonest|cheapest|least(?: \w+){1,2}) (?:ones? )?first\b"
    r"|\b(?<!de)ascending\b|\ba (?:to|-) z\b|\balphabetical",
    re.IGNORECASE,
)
