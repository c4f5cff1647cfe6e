"""The `outcome` of a function: what a person should see of a successful answer, made of the answer once it is there."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final
from urllib.parse import quote, urlsplit

from attrs import frozen

from service_client.models import Fact, Outcome
from service_server.catalog.expressions import (
    ABSENT,
    Context,
    InvalidRequest,
    Reference,
    names_in,
    parse_text,
    references_in,
    stringify,
)
from service_server.catalog.format.keys import Keywords, key

LONGEST_TITLE: Final = 200
LONGEST_FACT: Final = 1000
LONGEST_LINK: Final = 2000
MOST_ITEMS: Final = 20
"""Characters, and items of a list."""


@frozen(kw_only=True)
class OutcomeTemplate:
    """
    What a person sees of a good answer in place of its plain fields. Nothing of it is shown where the answer lacks
    something that the title names.
    """

    title: Annotated[str, Keywords(minLength=1, maxLength=200)] = key(
        "What came of it, with a value of the answer that says which one: Ticket ${output.number} created."
    )
    link: Annotated[str, Keywords(minLength=1, maxLength=500)] | None = key(
        "The page of what was made: an https address of the answer, such as ${output.html_url}, or one of the app's "
        "own hosts, where each value is one segment.",
        None,
    )
    facts: Annotated[
        Mapping[Annotated[str, Keywords(pattern="^.{1,40}$")], Annotated[str, Keywords(minLength=1, maxLength=500)]],
        Keywords(minProperties=1, maxProperties=6),
    ] = key(
        "What matters of it, by what a person calls it, in the order to show; one that the answer lacks is left out. "
        "Without any the plain fields are shown.",
        {},
    )
    sample: Mapping[str, Any] | tuple[Any, ...] | None = key(
        "A good answer in the form that the app documents, as short as it can be, with all that is named here; null "
        "where the app answers with nothing. The check fills in the rest by it and by the first example's arguments."
    )

    def read(self, context: Context) -> tuple[Outcome | None, tuple[str, ...]]:
        """
        Return what to show of an answer, None where it isn't the one that was expected, and why something is left out.

        The reasons name keys and no values. It never raises.
        """
        expected = self.expected
        if not expected and context.get("output") not in (None, ""):
            return None, ("title: the app answered with something, where nothing was expected",)
        lacks = next((str(reference) for reference in expected if reference.find(context) is ABSENT), None)
        if lacks is not None:
            return None, (f"title: {lacks} has no value",)
        try:
            title = _line("".join(_texts(self.title, context)), LONGEST_TITLE)
        except InvalidRequest as problem:
            return None, (f"title: {problem.message}",)
        left_out = []
        try:
            link = None if self.link is None else filled_link(self.link, context)
        except InvalidRequest as problem:
            link = None
            left_out.append(f"link: {problem.message}")
        found = [(name, _fact(text, context)) for name, text in self.facts.items()]
        facts = tuple(Fact(name, value) for name, value in found if value is not ABSENT)
        return Outcome(title=title, link=link, facts=facts), tuple(left_out)

    @property
    def expected(self) -> list[Reference]:
        """
        By what a good answer is known: what the title names of it, else what the link does, else what the facts do.

        Empty where a good answer is an empty one. An app that says no in a 200 has none of it.
        """
        found = (references_in(texts) for texts in (self.title, self.link, [*self.facts.values()]))
        needed = ([each for each in several if each.root == "output" and not each.optional] for several in found)
        return next(filter(None, needed), [])

    @property
    def texts(self) -> dict[tuple[str, ...], str]:
        """Its templates, by the keys that lead to them."""
        texts: dict[tuple[str, ...], str] = {("title",): self.title}
        if self.link is not None:
            texts["link",] = self.link
        return texts | {("facts", name): text for name, text in self.facts.items()}

    def given(self, arguments: Mapping[str, Any], variables: Mapping[str, Any]) -> Context:
        """Return what of a call it refers to, which is a lot less than the call's arguments may be."""
        names = set(names_in([*self.texts.values()], "args"))
        return {"args": {name: arguments[name] for name in names if name in arguments}, "vars": dict(variables)}


def is_given_by_answer(link: str) -> bool:
    """Whether a link is the address that the answer gives, maybe in several pieces, and nothing is added to it."""
    return all(isinstance(part, Reference) and part.root == "output" for part in parse_text(link))


def filled_link(template: str, context: Context) -> str | None:
    """Return a link, None without an optional value; InvalidRequest without another, or for no https address."""
    link = ""
    is_given = is_given_by_answer(template)
    for part in parse_text(template):
        if isinstance(part, str):
            link += part
            continue
        value = part.require(context)
        if value is ABSENT:
            return None
        text = stringify(value)
        # What comes before the path is an address; behind it a value is one segment, or one value of the query.
        is_address = is_given or (part.root == "vars" and "/" not in link.removeprefix("https://"))
        link += text if is_address else _segment(text, str(part))
    if not is_page(link):
        raise InvalidRequest(None, "it is not the https address of a page")
    return link


def is_page(link: str) -> bool:
    """Whether a text is an https address that can be put into a page as it is."""
    if not link.startswith("https://") or len(link) > LONGEST_LINK or not link.isprintable() or " " in link:
        return False
    try:
        parts = urlsplit(link)
        return bool(parts.hostname) and "@" not in parts.netloc and "\\" not in link and parts.port != 0
    except ValueError:
        return False


def _segment(text: str, name: str) -> str:
    if text in ("", ".", ".."):
        raise InvalidRequest(None, f"{name} is empty or leads elsewhere")
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise InvalidRequest(None, f"{name} has characters that an address can't hold") from None


def _texts(template: str, context: Context) -> Iterator[str]:
    for part in parse_text(template):
        if isinstance(part, str):
            yield part
            continue
        value = part.require(context)
        text = "" if value is ABSENT else stringify(value)
        if not text.strip():
            raise InvalidRequest(None, f"{part} has no value")
        yield text


def _fact(template: str, context: Context) -> Any:
    """Return a value that can be shown on a line, ABSENT where there is none."""
    parts = parse_text(template)
    try:
        if len(parts) == 1 and isinstance(parts[0], Reference):
            return _shown(parts[0].find(context))
        return _line("".join(_texts(template, context)), LONGEST_FACT)
    except InvalidRequest:
        return ABSENT


def _shown(value: Any) -> Any:
    match value:
        case bool() | int() | float():
            return value
        case str() if value.strip():
            return _line(value, LONGEST_FACT)
        case list() if value and all(isinstance(each, str | int | float) for each in value):
            return tuple(_shown(each) for each in value[:MOST_ITEMS])
    return ABSENT


def _line(text: str, longest: int) -> str:
    line = " ".join(text[: 4 * longest].split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
