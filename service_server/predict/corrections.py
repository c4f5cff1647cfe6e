"""What people correct while they speak: "move SHOP-40, wait no, SHOP-41 to Done" is about SHOP-41."""

import re

_NUMBER = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CODE = r"[#!]?(?:[A-Za-z]+[-_]?)?\d[\w:.-]*(?<![.:-])"
_NAME = r"(?-i:[A-Z][\w'’]+)"
_MEANT = r"no,? i mean(?:t)?|i mean(?:t)?|scratch that|make that|(?:no,? )?wait,?(?: no)?|no,? sorry|sorry,?(?: no)?"
_CORRECTED = re.compile(
    rf"(?<![\w-])(?:(?P<code>{_CODE})|(?P<number>{_NUMBER})|(?P<name>{_NAME}))"
    rf"(?P<gap>[,?!…–-]|\.\.+|\.) (?:(?:oh|oops|er|uh),? )?(?P<meant>{_MEANT}|no),? "
    rf"(?=(?(code){_CODE}|(?(number)(?:{_NUMBER})\b|{_NAME})))",
    re.IGNORECASE,
)


def corrected(prompt: str) -> str:
    """Return a prompt without the numbers and names that it takes back at once."""
    return _CORRECTED.sub(
        lambda match: match[0] if match["gap"] == "." and match["meant"].lower() == "no" else "", prompt
    )
