"""
Put a Japanese prompt into English: its last verb first, then what it is about, then where.

Japanese has no blanks, so words are found by the list of words and by the particles behind them; the particle says what
a phrase does: を what is acted on, に to whom or where, で and から where, の whose. Only the end of a sentence says
whether it commands.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import evolve, frozen

from service_server.predict.languages.commands import READING
from service_server.predict.languages.forms import english_plural, told
from service_server.predict.languages.gloss import Gloss, Piece, joined, taken_from
from service_server.predict.languages.japanese_mood import NEVER, commanded, is_politeness, tells
from service_server.predict.languages.japanese_tokens import Token, tokens_of
from service_server.predict.languages.units import JAPANESE_CODE, Unit, settled

_APP = re.compile(r"[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?")
_MOMENT = re.compile(r"(?:today|tomorrow|yesterday|\w+day\b|\d{1,2} \w+ \d{4}|\d\d:\d\d|next|this)")
_PROPERTIES = frozenset({"subject", "text", "priority", "title", "name", "due date", "description", "status"})
_SENDING = frozenset({"send", "post", "tell", "write", "reply", "comment", "add", "forward"})


@frozen
class _Phrase:
    """What stands before a particle, and what the particle makes of it."""

    tokens: tuple[Token, ...]
    role: str

    @property
    def pieces(self) -> list[Piece]:
        return [piece for token in self.tokens for piece in token.pieces]


def glossed_japanese(prompt: str, now: datetime) -> Gloss:
    """Return a prompt in English words."""
    units = [unit for unit in settled(prompt, now, JAPANESE_CODE) if not _is_word(prompt, unit)]
    tail = _text_at(prompt, units)
    pieces: list[Piece] = []
    commands = denies = False
    for start, end in _sentences(prompt[:tail], [(unit.start, unit.end) for unit in units]):
        own = [unit for unit in units if start <= unit.start and unit.end <= end]
        tokens = list(tokens_of(prompt, start, end, [(unit.start, unit.end, unit.said) for unit in own]))
        if not tokens:
            continue
        spoken = _outside(prompt, start, end, [(unit.start, unit.end) for unit in own])
        is_command, verb = commanded(tokens, prompt, end, spoken)
        commands = commands or is_command
        denies = denies or (not is_command and tells(tokens, spoken))
        pieces.extend(_english(prompt, tokens, verb, spoken, commands=is_command))
    if text := prompt[tail:].strip():
        first = prompt.index(text, tail)
        pieces.append(Piece(text, first, first + len(text), kept=True))
    return joined(prompt, pieces, changes_nothing=denies and not commands)


def _is_word(prompt: str, unit: Unit) -> bool:
    """Whether a part is no code but a word in Latin letters, of which the list of words may know what follows it."""
    return not unit.is_moment and prompt[unit.start : unit.end].isalpha()


def _text_at(prompt: str, units: Sequence[Unit]) -> int:
    """Return where a text begins that is to be written: behind a colon with a verb or a name before it."""
    for match in re.finditer(r"[:：]\s*", prompt):
        if (
            not any(unit.start <= match.start() < unit.end for unit in units)
            and len(prompt[: match.start()].strip()) > 2
        ):
            return (
                match.end() if match[0] != ":" or not prompt[match.end() : match.end() + 1].isascii() else len(prompt)
            )
    return len(prompt)


def _sentences(prompt: str, settled_parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    start = 0
    for match in re.finditer(r"[。！？!?\n]+", prompt):
        if any(begin <= match.start() < end for begin, end in settled_parts):
            continue
        yield start, match.end()
        start = match.end()
    if start < len(prompt):
        yield start, len(prompt)


def _outside(prompt: str, start: int, end: int, parts: Sequence[tuple[int, int]]) -> str:
    """Return a sentence without its codes and quotations, which are no part of what it asks."""
    said = ""
    for begin, finish in parts:
        said += prompt[start:begin] + "□"
        start = finish
    return said + prompt[start:end]


def _english(prompt: str, tokens: Sequence[Token], verb: int | None, spoken: str, *, commands: bool) -> Iterator[Piece]:
    """Yield a sentence in the order of English."""
    question = next((token for token in tokens if token.question), None)
    is_verb = verb is not None and not (question is not None and tokens[verb].form in ("plain", "past"))
    head = tokens[verb] if verb is not None and is_verb else None
    rest = [
        token
        for at, token in enumerate(tokens)
        if token is not head and token is not question and not (token.verb and is_politeness(tokens, at))
    ]
    if head is None and question is None and rest and rest[-1].pieces and rest[-1].pieces[0].text == "list":
        last = rest.pop()  # "キャンペーンの一覧"
        head = evolve(last, verb="list", form="noun")
    begin: list[Piece] = []
    if head is not None and not commands:
        reads = head.form in ("noun", "te", "wish") and not NEVER.search(spoken)
        begin.append(Piece(head.verb if reads else told(head.verb), head.start, head.end))
    elif head is not None:
        begin.append(Piece(head.verb, head.start, head.end))
    elif question is not None:
        begin.append(Piece(f"{question.question} is", question.start, question.end))
    pieces_of_verb = iter(begin)
    spoken_tokens = _before(rest, head)
    if head is not None and head.verb in _SENDING:
        spoken_tokens = _with_text(prompt, spoken_tokens)
    phrases = _phrases(spoken_tokens)
    if head is None or head.verb in READING:
        phrases = [_several(phrase) if phrase.role in ("object", "topic") else phrase for phrase in phrases]
    ordered = [piece for phrase in _ordered(phrases, head.verb if head is not None else "") for piece in phrase]
    if head is not None and head.verb == "change" and any(p.role == "to" and _is_moment(p.pieces) for p in phrases):
        first = next(pieces_of_verb)
        yield Piece("reschedule", first.start, first.end)
    elif head is not None and head.verb in ("change", "update") and any(piece.text == "name" for piece in ordered):
        first = next(pieces_of_verb)
        yield Piece("rename", first.start, first.end)
        ordered = _without_name(ordered)
    yield from pieces_of_verb
    yield from taken_from(head.verb if head is not None else "", ordered)
    yield from _details(rest, head)


def _with_text(prompt: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with what is to be said as one: "明日は休みだ" of "みんなに明日は休みだと伝えて"."""
    end = next((at for at, token in enumerate(tokens) if token.role == "said"), None)
    if end is None or end == 0 or any(piece.text.startswith('"') for piece in tokens[end - 1].pieces):
        return list(tokens)
    begin = next((at for at, token in enumerate(tokens[:end]) if token.role == "to"), -1) + 1
    if begin >= end:
        return list(tokens)
    start, finish = tokens[begin].start, tokens[end].start
    text = Token((Piece(prompt[start:finish], start, finish, kept=True),), start, finish)
    return [*tokens[:begin], text, *tokens[end:]]


def _without_name(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of what gets a new name: "change the name of page A" is "rename page A"."""
    at = next(place for place, piece in enumerate(pieces) if piece.text == "name")
    behind = pieces[at + 1 :]
    return [*pieces[:at], *(behind[1:] if behind and behind[0].text == "of" else behind)]


def _before(tokens: Sequence[Token], head: Token | None) -> list[Token]:
    """Return the tokens before a verb without the ends of other verbs."""
    end = head.start if head is not None else None
    return [token for token in tokens if (end is None or token.start < end) and not _is_ending(token)]


def _details(tokens: Sequence[Token], head: Token | None) -> Iterator[Piece]:
    """Yield what is told behind a command: "…を作って、期限は金曜日"."""
    for token in tokens:
        if head is not None and token.start > head.start and not token.role and not _is_ending(token):
            yield from token.pieces


_ENDING = re.compile(
    r"(?:して|した|する|し|です|ます|ました|ください|下さい|お願い|します|か|ね|よ|な|件|個|ている|います|いる|ある|あります|だ|けど|んだ|んですが)+"
)


def _is_ending(token: Token) -> bool:
    if token.known or token.role:
        return False
    return all(piece.kept and _ENDING.fullmatch(piece.text) for piece in token.pieces)


def _phrases(tokens: Sequence[Token]) -> list[_Phrase]:
    found: list[_Phrase] = []
    current: list[Token] = []
    for token in tokens:
        if not token.role:
            current.append(token)
            continue
        if current:
            found.append(_Phrase(tuple(current), token.role))
        current = []
    if current:
        found.append(_Phrase(tuple(current), "object" if not any(p.role == "object" for p in found) else ""))
    return found


def _several(phrase: _Phrase) -> _Phrase:
    """Return what is asked for as several things, which Japanese doesn't tell apart: "open pull requests"."""
    *others, last = phrase.tokens
    if not all(token.known for token in phrase.tokens) or len(last.pieces) != 1:
        return phrase
    piece = evolve(last.pieces[0], text=english_plural(last.pieces[0].text))
    return _Phrase((*others, evolve(last, pieces=(piece,))), phrase.role)


def _ordered(phrases: Sequence[_Phrase], verb: str) -> Iterator[list[Piece]]:
    """Yield the phrases as English has them: what is acted on, then the others behind their prepositions."""
    groups: list[tuple[str, list[Piece]]] = []
    chain: list[_Phrase] = []
    for phrase in phrases:
        chain.append(phrase)
        if phrase.role in ("of", "called"):
            continue
        groups.append((phrase.role, list(_owned(chain))))
        chain = []
    if chain:
        groups.append(("object", list(_owned(chain))))
    objects = [pieces for role, pieces in groups if role in ("object", "topic", "")]
    said = [pieces for role, pieces in groups if role == "said"]
    yield from objects[:1]
    for role, pieces in groups:
        if role in ("object", "topic", "said", ""):
            continue
        yield [Piece(_preposition(role, pieces), pieces[0].start, pieces[0].start), *pieces]
    yield from objects[1:]
    for pieces in said:
        quoted = pieces[0].text.startswith('"')
        marks = "" if verb in _SENDING and quoted else "saying" if verb in _SENDING else "and"
        yield [*([Piece(marks, pieces[0].start, pieces[0].start)] if marks else []), *pieces]


def _preposition(role: str, pieces: Sequence[Piece]) -> str:
    if role in ("in", "to") and _is_moment(pieces):
        return "on"
    if role in ("in", "of") and pieces[0].text in _PROPERTIES:
        return "with"
    return "in" if role == "to" and len(pieces) == 1 and _APP.fullmatch(pieces[0].text) else role


def _is_moment(pieces: Sequence[Piece]) -> bool:
    return bool(pieces) and _MOMENT.match(pieces[0].text) is not None


def _owned(chain: Sequence[_Phrase]) -> Iterator[Piece]:
    """Yield a chain of owners, what they own first: "GitHub の a/b の issue 7" is "GitHub issue 7 of a/b"."""
    *owners, owned = chain
    apps = [phrase for phrase in owners if phrase.role == "of" and _is_app(phrase)]
    for phrase in apps:
        yield from phrase.pieces
    described = [phrase for phrase in owners if phrase.role == "of" and phrase not in apps and _describes(phrase)]
    for phrase in described:
        yield from phrase.pieces
    yield from owned.pieces
    for phrase in owners:
        if phrase.role == "called":
            yield Piece("called", phrase.tokens[0].start, phrase.tokens[0].start)
            yield from phrase.pieces
    for phrase in reversed(owners):
        if phrase.role == "of" and phrase not in apps and phrase not in described:
            yield Piece(_preposition("of", phrase.pieces), phrase.tokens[0].start, phrase.tokens[0].start)
            yield from phrase.pieces


def _is_app(phrase: _Phrase) -> bool:
    return (len(phrase.tokens) == 1 and all(_APP.fullmatch(piece.text) for piece in phrase.pieces)) or (
        len(phrase.pieces) == 1 and phrase.pieces[0].text.startswith("google ")
    )


def _describes(phrase: _Phrase) -> bool:
    """Whether a phrase says when or which: "tomorrow's events", "my boards"."""
    return _is_moment(phrase.pieces) or phrase.pieces[0].text in ("my", "our", "all", "open", "unpaid", "new", "unread")
