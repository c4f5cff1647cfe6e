"""A Japanese sentence cut into words and particles, which no blanks part."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from attrs import frozen

from service_server.predict.languages.gloss import Piece
from service_server.predict.languages.vocabulary import sections_of

_KANA = re.compile(r"[ァ-ヺー]+")
_SPACE = re.compile(r"[\s　、,・()（）]+")
_PARTICLES = {
    "を": "object", "は": "topic", "が": "topic", "も": "topic", "と": "said", "や": "and", "として": "as",
    "に": "to", "へ": "to", "には": "to", "宛に": "to", "宛てに": "to", "あてに": "to", "で": "in", "では": "in",
    "の": "of", "にある": "of", "における": "of", "の中に": "in", "の中の": "in", "の中": "in", "の中から": "from",
    "から": "from", "まで": "until", "までに": "by", "を使って": "via", "経由で": "via",
    "に関する": "about", "について": "about",
}  # fmt: skip
_PARTICLES |= {
    before + name + behind: "called"
    for before in ("という", "って")
    for name in ("名前", "タイトル", "件名")
    for behind in ("の", "で")
}
_PARTICLES |= {"という": "called", "という名の": "called", "っていう": "called", "の名前で": "called"}


@frozen
class Token:
    """Words of a sentence; `role` is that of a particle, `verb` the English verb, `form` how that is made."""

    pieces: tuple[Piece, ...]
    start: int
    end: int
    role: str = ""
    verb: str = ""
    form: str = ""
    question: str = ""
    known: bool = False


@frozen
class _Meaning:
    english: str
    form: str
    """"word", "question", or how a verb is made: "noun" (with する), "te", "plain", "past", "stem"."""


@cache
def _vocabulary() -> tuple[dict[str, list[_Meaning]], int]:
    found: dict[str, list[_Meaning]] = {}
    for section, english, words in sections_of("ja"):
        for listed in words:
            forms = listed.split("/")
            for at, form in enumerate(forms):
                kind = {"words": "word", "questions": "question"}.get(section) or _form(form, alone=len(forms) == 1)
                found.setdefault(form.lower(), []).append(_Meaning(english, kind))
                if kind == "te" and form.endswith("て") and at == 0 and form[:-1] not in found:
                    found.setdefault(form[:-1] + "といて", []).append(_Meaning(english, "te"))
    return found, max(map(len, found))


def _form(form: str, *, alone: bool) -> str:
    if form.endswith(("たい", "ください", "下さい", "ちょうだい", "欲しい", "ほしい")):
        return "wish"
    if form.endswith(("て", "で")):
        return "te"
    if form.endswith(("た", "だ")):
        return "past"
    if alone:
        return "noun"
    return "plain" if form[-1] in "うくぐすつぬぶむる" else "stem"


def tokens_of(
    prompt: str, start: int, end: int, parts: Sequence[tuple[int, int, tuple[Piece, ...]]]
) -> Iterator[Token]:
    """Yield the words and particles of `prompt[start:end]`; `parts` are settled, with what is said of them."""
    words, longest = _vocabulary()
    settled_at = {begin: (finish, said) for begin, finish, said in parts}
    stops = sorted(settled_at)
    at = unknown = start
    while at < end:
        token = None
        if at in settled_at:
            finish, said = settled_at[at]
            token = Token(said, at, finish)
        elif space := _SPACE.match(prompt, at, end):
            yield from _unknown(prompt, unknown, at)
            at = unknown = space.end()
            continue
        else:
            limit = min([end, *(stop for stop in stops if stop > at)])
            token = _known(prompt, at, limit, words, longest, after_unknown=unknown < at)
        if token is None:
            latin = re.compile(r"[A-Za-z][A-Za-z]*(?: (?=[A-Z])[A-Za-z]+)*").match(prompt, at, end)
            if latin:
                yield from _unknown(prompt, unknown, at)
                yield Token((Piece(latin[0], at, latin.end(), kept=True),), at, latin.end())
                at = unknown = latin.end()
                continue
            kana = _KANA.match(prompt, at, end)
            at = kana.end() if kana else at + 1
            continue
        yield from _unknown(prompt, unknown, at)
        if token.verb and prompt[at] == "に":
            yield Token((), at, at + 1, role="to")  # "期限を金曜日にして"
        yield token
        at = unknown = token.end
    yield from _unknown(prompt, unknown, end)


def _unknown(prompt: str, start: int, end: int) -> Iterator[Token]:
    text = prompt[start:end].rstrip("。！？!?．. 　\n")
    if text.strip():
        yield Token((Piece(text, start, start + len(text), kept=True),), start, start + len(text))


def _known(
    prompt: str, at: int, limit: int, words: dict[str, list[_Meaning]], longest: int, *, after_unknown: bool
) -> Token | None:
    for length in range(min(longest, limit - at), 0, -1):
        said = prompt[at : at + length]
        finish = at + length
        if said in _PARTICLES and (length > 1 or not _within_word(prompt, at, said)):
            return Token((), at, finish, role=_PARTICLES[said])
        meanings = words.get(said.lower())
        if meanings is None or (length == 1 and after_unknown) or _goes_on(prompt, finish, said):
            continue
        meaning = _chosen(meanings, prompt[finish : finish + 3])
        piece = (Piece(meaning.english, at, finish),)
        if meaning.form == "word":
            return Token(piece, at, finish, known=True)
        if meaning.form == "question":
            return Token(piece, at, finish, question=meaning.english, known=True)
        return Token(piece, at, finish, verb=meaning.english, form=meaning.form, known=True)
    return None


def _goes_on(prompt: str, finish: int, said: str) -> bool:
    """Whether a word in katakana is only the beginning of another one."""
    return bool(_KANA.match(said[-1:])) and bool(_KANA.match(prompt, finish))


def _within_word(prompt: str, at: int, said: str) -> bool:
    """Whether a particle is only part of a word: もう, です."""
    following = prompt[at + 1 : at + 2]
    return (said in "もやと" and following in ("っ", "う", "り")) or (said == "で" and following in ("す", "し"))


def _chosen(meanings: Sequence[_Meaning], behind: str) -> _Meaning:
    """Return what a word means by what stands behind it: コメント is a verb before する, and at the end."""
    word = next((each for each in meanings if each.form in ("word", "question")), None)
    verb = next((each for each in meanings if each is not word and each.form not in ("word", "question")), None)
    if word is None or verb is None:
        return meanings[0]
    makes = behind.startswith(("し", "する", "せよ", "され", "お願い", "をお願")) or not behind.strip("。！!？? 　")
    return verb if makes else word
