"""An app's answer, as people read it: the few facts that matter, a link to what was made, or a table."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from attrs import evolve, frozen

from service_client.models import CallResult, Outcome
from servicejs.forms.chosen_file import shown_size
from servicejs.forms.texts import shown_number
from servicejs.language import gettext as _

MOST_FACTS = 8
MOST_COLUMNS = 4
MOST_ROWS = 50
LONGEST_TEXT = 200  # characters

# Wrappers around an answer say nothing; only what is in them does.
_MOST_WRAPPINGS = 3
# In this order: a thing's name comes before anything else known about it.
_TELLING = (
    *("title", "name", "full_name", "display_name", "subject", "summary", "label", "key", "number", "id", "identifier"),
    *("status", "state", "email", "description", "text", "amount", "currency", "priority", "due_date", "created_at"),
)
_NAMING = ("display_name", "full_name", "name", "title", "label", "login", "email", "value", "id")
# Pages for people come first; addresses of the app's API are never taken.
_LINKS = ("html_url", "web_url", "permalink", "webviewlink", "weblink", "htmllink", "hosted_url", "link", "url")
# Where apps say in words what was wrong, the most telling place first; each may hold the next.
_REASONS = (
    *("message", "error_description", "error_message", "errormessage", "detail", "details", "msg", "reason"),
    *("errors", "errormessages", "error", "fault"),
)
_DEEPEST_REASON = 5
_SECRET = re.compile(r"token|secret|passw|api_?key|credential|signature|authoriz|cookie|private", re.IGNORECASE)
_SECRET_IN_ADDRESS = re.compile(r"token|secret|passw|key|credential|sig|auth|code=|session", re.IGNORECASE)
_API = re.compile(r"(?:^|[/.])api[./]|/(?:rest|v\d+(?:\.\d+)?)/", re.IGNORECASE)
_MOMENT = re.compile(r"\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?\Z")
_WORDS = re.compile(r"[_\-\s]+|(?<=[a-z0-9])(?=[A-Z])")


@frozen(kw_only=True)
class Answer:
    """
    An answer as it is shown: facts with their names, a link to follow, or the rows of a table.

    `title` says what came of the call; it is empty if that isn't known.
    """

    title: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    link: str | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    is_list: bool = False
    is_cut: bool = False


def read_answer(output: Any, outcome: Outcome | None = None) -> Answer:
    """Read what a function answered, or what its `outcome` says about it; an empty answer has nothing to show."""
    answer = _read(output)
    if outcome is None:
        return answer
    facts = tuple((fact.title, text) for fact in outcome.facts if (text := _text(fact.value)))
    link = outcome.link if outcome.link is not None and _is_page(outcome.link) else answer.link
    return evolve(answer, title=_text(outcome.title), facts=facts or answer.facts, link=link)


def read_reason(output: Any) -> str:
    """Return what an app itself says about why it refused a call, as one line; empty if it says nothing in words."""
    return _reason(output, _DEEPEST_REASON)


def _reason(said: Any, depth: int) -> str:
    match said:
        case str():
            text = _text(said)
            return "" if text.startswith("<") or _is_address(text) else text  # a page for browsers
        case list() if depth:
            return next((reason for each in said[:MOST_FACTS] if (reason := _reason(each, depth - 1))), "")
        case dict() if depth:
            named = {str(name).lower(): each for name, each in said.items()}
            return next((reason for name in _REASONS if (reason := _reason(named.get(name), depth - 1))), "")
    return ""


def is_file(output: Any) -> bool:
    """Whether an output is a body that is neither JSON nor text, as the service relays it."""
    return isinstance(output, dict) and output.keys() == {"content_type", "base64"}


def is_unanswered(result: CallResult) -> bool:
    """Whether a request was sent and no whole answer came, so that nobody knows what came of it."""
    is_told_by_the_service = isinstance(result.output, dict) and result.output.keys() == {"error", "reason"}
    return result.network_code in ("502", "504") and is_told_by_the_service


def file_address(output: Any) -> str:
    """Return the address at which a browser finds the file that an output is; empty if it is none."""
    if not is_file(output):
        return ""
    kind = str(output["content_type"])
    known = kind if re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind, re.ASCII) else "application/octet-stream"
    return f"data:{known};base64,{output['base64']}"


def _read(output: Any) -> Answer:
    if is_file(output):
        size = len(str(output["base64"])) * 3 // 4 - str(output["base64"])[-2:].count("=")
        return Answer(facts=((_("File"), _text(output["content_type"])), (_("Size"), shown_size(size))))
    output = _unwrapped(output)
    if isinstance(output, list):
        return _table(output)
    if isinstance(output, dict):
        return Answer(facts=_facts(output), link=_link(output))
    text = _text(output)
    return Answer(facts=(("", text),) if text else ())


def _unwrapped(output: Any) -> Any:
    """Return what an answer is about: the one object or list in it that comes with little else."""
    for _wrapping in range(_MOST_WRAPPINGS):
        if not isinstance(output, dict) or any(name in output for name in _TELLING):
            return output
        inner = [value for value in output.values() if isinstance(value, dict | list) and value]
        if len(inner) != 1:
            return output
        output = inner[0]
    return output


def _facts(thing: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = {name: text for name in _ordered(thing) if (text := _text(thing[name])) and not _is_address(text)}
    return tuple((_called(name), text) for name, text in list(found.items())[:MOST_FACTS])


def _table(things: Sequence[Any]) -> Answer:
    shown = things[:MOST_ROWS]
    if not all(isinstance(each, dict) for each in shown):
        return Answer(rows=tuple((_text(each),) for each in shown), is_list=True, is_cut=len(things) > len(shown))
    names = _ordered({name: value for each in reversed(shown) for name, value in each.items()})
    filled = [
        name for name in names if any((text := _text(each.get(name))) and not _is_address(text) for each in shown)
    ]
    columns = filled[:MOST_COLUMNS]
    return Answer(
        columns=tuple(map(_called, columns)),
        rows=tuple(tuple(_text(each.get(name)) for name in columns) for each in shown),
        is_list=True,
        is_cut=len(things) > len(shown),
    )


def _ordered(thing: Mapping[str, Any]) -> list[str]:
    """Return the names of a thing's fields, the most telling first, without those of secrets."""
    names = [name for name in map(str, thing) if not _SECRET.search(name)]
    place = {name: position for position, name in enumerate(_TELLING)}
    return sorted(names, key=lambda name: place.get(name.lower(), len(place)))


def _text(value: Any) -> str:
    """Return a value as one line of text; empty if one line can't show it."""
    match value:
        case bool():
            return _("Yes") if value else _("No")
        case int() | float():
            return shown_number(value)
        case str():
            line = _MOMENT.sub(_moment, " ".join(value.split()))
            return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"
        case dict():
            return next((text for name in _NAMING if (text := _plain(value.get(name)))), "")
        case list() | tuple() if value and all(isinstance(each, str | int | float) for each in value):
            return _text(", ".join(map(_text, value)))
    return ""


def _moment(found: re.Match[str]) -> str:
    """Write a moment as people read it, in the time zone it came in."""
    day, time, zone = found.groups()
    return f"{day} {time}" + ("" if zone is None else f" UTC{zone.removeprefix('Z')}")


def _plain(value: Any) -> str:
    return _text(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _called(name: str) -> str:
    """Return a field's name in words: `created_at` and `createdAt` are "Created at"."""
    words = " ".join(word if word.isupper() else word.lower() for word in _WORDS.split(name) if word)
    return words.upper() if words in ("id", "url") else words[:1].upper() + words[1:]


def _is_address(text: str) -> bool:
    return text.startswith(("https://", "http://"))


def _link(thing: Mapping[str, Any]) -> str | None:
    """Return the page of what was made: an http(s) address that can't hold a secret."""
    fields = {str(name).lower(): value for name, value in thing.items()}
    for name in _LINKS:
        value = fields.get(name)
        if isinstance(value, str) and _can_be_shown(value):
            return value
    return None


def _is_page(url: str) -> bool:
    """Whether an outcome's link leads where it says; the connector that names the link knows what is in it."""
    return url.startswith("https://") and _is_whole(url)


def _is_whole(url: str) -> bool:
    if not _is_address(url) or len(url) > 2000 or not url.isprintable() or " " in url or "\\" in url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.hostname) and "@" not in parts.netloc


def _can_be_shown(url: str) -> bool:
    if not _is_whole(url):
        return False
    parts = urlsplit(url)
    says_more = f"{parts.query}&{parts.fragment}"
    return not _SECRET_IN_ADDRESS.search(says_more) and not _API.search(f"{parts.netloc}{parts.path}/")
