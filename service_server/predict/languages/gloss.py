"""A prompt in another language, put into English word by word, and where each word came from."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve, frozen


@frozen
class Piece:
    """
    Some words of a gloss, which stand for `prompt[start:end]`; `kept` ones are the prompt's own.

    `behind` is where the words begin in whose place they are put, if they changed places with their neighbours: a comma
    before those now stands before them.
    """

    text: str
    start: int
    end: int
    kept: bool = False
    behind: int | None = None


@frozen
class Place:
    """Where a piece stands in the gloss, `[start, end)`, and which piece."""

    start: int
    end: int
    piece: Piece


@frozen
class Gloss:
    """
    What a prompt says, in English words.

    `changes_nothing` is true where the prompt's own words show that nothing is to be changed: it asks, tells, denies or
    supposes. Then no English rule may think otherwise.
    """

    prompt: str
    text: str
    places: tuple[Place, ...]
    changes_nothing: bool

    def source(self, start: int, end: int) -> tuple[int, int] | None:
        """
        Return where the words of the prompt stand that a part of the gloss came from; None where they are none.

        Words of others that stand between them in the prompt end it: only what stands together is somebody's words.
        """
        chosen = [place for place in self.places if place.start < end and start < place.end]
        if not chosen:
            return None
        others = [place.piece.start for place in self.places if place.start >= end or place.end <= start]
        first = last = _span(chosen[0], start, end)
        for place in chosen[1:]:
            span = _span(place, start, end)
            low, high = min(first[0], span[0]), max(last[1], span[1])
            if any(low < other < high for other in others):
                break
            first, last = (low, first[1]), (last[0], high)
        return first[0], last[1]

    def words(self, start: int, end: int) -> str:
        """Return the words of the prompt that a part of the gloss came from."""
        found = self.source(start, end)
        return "" if found is None else self.prompt[found[0] : found[1]]

    def as_said(self, value: Any, start: int, end: int) -> Any:
        """Return a value that was read from a part of the gloss in the words of the prompt, if it is made of words."""
        if isinstance(value, list):
            return [self.as_said(each, start, end) for each in value]
        if not isinstance(value, str) or not value:
            return value
        at = self.text.find(value, start, end)
        return value if at < 0 else self.words(at, at + len(value)).strip(_AROUND) or value


def _span(place: Place, start: int, end: int) -> tuple[int, int]:
    """Return where in the prompt a place's piece stands, or the part of a kept one within [start, end) of the gloss."""
    piece = place.piece
    if not piece.kept:
        return piece.start, piece.end
    return piece.start + max(0, start - place.start), piece.end - max(0, place.end - end)


_TAKING = frozenset({"delete", "remove"})


def taken_from(verb: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """
    Yield the pieces of a command; what is deleted "de" or "von" something is taken from it.

    Other languages have one word for "of" and "from", and "remove Ana from the project" deletes no project.
    """
    takes = verb.partition(" ")[0] in _TAKING
    for piece in pieces:
        is_of = takes and not piece.kept and piece.text.partition(" ")[0] == "of"
        yield evolve(piece, text="from" + piece.text.removeprefix("of")) if is_of else piece


def joined(prompt: str, pieces: Iterable[Piece], *, changes_nothing: bool) -> Gloss:
    """Put pieces together; what stood between two neighbours stays, words that were made or moved have a blank."""
    text, places = "", list[Place]()
    before: Piece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if before is not None:
            between = prompt[before.end : piece.start]
            neighbours = before.end <= piece.start and not any(map(str.isalnum, between))
            as_it_was = neighbours and before.kept and piece.kept and not any(map(str.isspace, between))
            text += between if as_it_was else _gap(_mark(prompt, piece), first=len(places) == 1)
        places.append(Place(len(text), len(text) + len(piece.text), piece))
        text += piece.text
        before = piece
    end = _MARK_BEHIND.search(prompt)
    return Gloss(prompt, text + (end[0].strip() if end else ""), tuple(places), changes_nothing)


def _mark(prompt: str, piece: Piece) -> re.Match[str] | None:
    end = piece.start if piece.behind is None else piece.behind
    return _MARK_BEFORE.search(prompt[max(0, end - _NEAR) : end])


def _gap(mark: re.Match[str] | None, *, first: bool) -> str:
    """Return what stands before a word of a gloss: a blank, behind the mark that the prompt has there."""
    if mark is None or (first and mark[0].startswith(",")):
        return " "
    said = mark[0].strip().translate(_MARKS)
    return f" {said}" if said == "(" else f"{said} "


_AROUND = ' \t"“”„«»「」『』'
_MARKS = str.maketrans({"、": ",", "。": ".", "：": ":", "！": "!", "？": "?", "¿": None, "¡": None})
_NEAR = 4  # characters before a word that may hold a mark
_MARK_BEFORE = re.compile(r"[,:;.!?()、。：]\s*$|\s[–—-]\s+$")
_MARK_BEHIND = re.compile(r"\s*[.!?。？！]+\s*$")
