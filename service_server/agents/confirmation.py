"""What a user is asked before something is done for good: what it is, in which account, and with what."""

from typing import Any

from service_server.errors import shortened
from service_server.invoke import CallRequest
from service_server.invoke.redaction import redacted, secrets_of_call
from service_server.json_texts.json_text import JsonText
from service_server.redaction.spellings import Spellings
from service_server.store import Account

LONGEST_VALUE = 300
"""Characters of one argument that are shown; if there are more, the question says so."""

MOST_ARGUMENTS = 40
_SHOWN_BYTES = 64 * 1024


def confirmation(request: CallRequest, account: Account, values: dict[str, Any]) -> str:
    """Return the question; secrets are left out of it."""
    function = request.function
    secrets = secrets_of_call(Spellings.of(()), values, function.sensitive)
    shown = redacted(values, secrets, _SHOWN_BYTES, function.sensitive)
    lines = [f"{function.title} in {request.connector.title}, account {shortened(account.display_name)}?"]
    if isinstance(shown, dict):
        lines += [f"{name}: {_text(value)}" for name, value in list(shown.items())[:MOST_ARGUMENTS]]
        if len(shown) > MOST_ARGUMENTS:
            lines.append(f"… and {len(shown) - MOST_ARGUMENTS} more arguments")
    else:
        lines.append("The arguments hold secrets and are not shown.")
    lines.append("This can't be undone." if function.destructive else "This may change data in the app.")
    return "\n".join(lines)


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else JsonText.of(value).text.decode()
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[:LONGEST_VALUE]}… ({len(text) - LONGEST_VALUE} more characters)"
