"""
Put a Japanese prompt into English: its last verb first, then what it is about, then where.

Japanese has no blanks, so words are found by the list of words and by the particles behind them; the particle says what
a phrase does: を what is acted on, に to whom or where, で and から where, の whose. Only the end of a sentence says
whether it commands.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache

from attrs import evolve, frozen

from service_server.predict.languages.commands import READING
from service_server.predict.languages.forms import english_plural, told
from service_server.predict.languages.gloss import Gloss, Piece, joined
from service_server.predict.languages.units import JAPANESE_CODE, Unit, settled
from service_server.predict.languages.vocabulary import sections_of

# Behind a form in て, or the noun of a verb, these ask for it to be done.
_POLITE = (
    r"(?:おいて|もらって|頂いて|いただいて|くださいませんか|下さいませんか|ください(?:ませ)?|下さい(?:ませ)?|くれますか|くれませんか|くれない|くれる|くれ|"
    r"ちょうだい|頂戴|もらえますか|もらえませんか|もらえる|もらえない|いただけますか|いただけませんか|いただけますでしょうか|"
    r"いただけると(?:助かります|嬉しいです|うれしいです|幸いです|ありがたいです)?|くれると(?:助かる|嬉しい|うれしい)|もらっていい(?:ですか)?|もらえると(?:助かります|嬉しいです)?|"
    r"よろしく(?:お願いします|です)?|宜しくお願いします|どうぞ|助かります|んだけど|んですが|のですが|いただきたい|もらいたい|ほしい|欲しい|です|をお願い|お願い|いたします|致します|します|できますか|頼む|頼みます|ね|よ|な|の)"
)
_SURU = r"して|しておいて|しといて|したい(?:です|んですが|のですが|んだけど)?|よろしく|頼む|頼みます|しろ|せよ|をお願い|お願い|をして|をしたい|してほしい|してもらえ"
_END = r"[\s　。．.！!？?」:：]*$"
_COMMANDS_BY_NOUN = re.compile(rf"^(?:{_SURU})(?:{_POLITE})*{_END}|^(?:お願い|を?お願いします|を?お願いいたします|を?お願いできますか)?{_END}")
_COMMANDS_BY_FORM = re.compile(rf"^(?:{_POLITE})*{_END}")
_BY_STEM = re.compile(rf"^(?:(?:ください|下さい)(?:ませ)?|たい(?:です|んです|んですが|のですが|んだけど)?|なさい){_END}")
_WANTS = re.compile(rf"^(?:です|んです|んですが|のですが|と思います)?{_END}")
# Wherever one of these stands outside quotation marks, nothing is to be changed.
_NEVER = re.compile(
    r"とあ(?:る|り|った)|とのこと|ないで|なくて|なくて?いい|ません(?!か)|ない(?:こと|よう|で|ん|の|[。！!\s]|$)|ずに|禁止|やめ|止めろ|いけない|いけません|だめ|ダメ|駄目|必要は|"
    r"と(?:言|いう話|書|聞|思|伝え|頼ま|指示|のこと)[^、]*(?:た|る|ます|ました|います|あった|あり)|と言|って(?:言|書|いう|聞|頼)|ように(?:と|言|書|頼)|"
    r"らしい|そうです|ようです|かもしれ|ました|でした|(?:し|っ|い|ん|れ|き|え|け|せ)た(?!い|ら)(?:[。！!？?のよねから\s]|$)|"
    r"て(?:い|お|しま)(?:る|ます|た|ました|って)|でいる|られ|された|される|"
    r"(?:たら|れば|場合|とき|ときは|なら)[、,]|なぜ|どうして|なんで|どうやって|どうすれば|どうしたら|方法|すべき|べきで|ほうがいい|方がいい|"
    r"しますか|するか|してもいい|していい|しても(?:よ|良|大丈夫)|ていいですか|てもいい"
)
# Even where a sentence ends with a command.
_DENIES = re.compile(
    r"ないで|ないよう|ずに[、。\s]|禁止|(?:たら|れば|場合は?|ときは?|時は?|なら)[、,]|なぜ|どうして|どうやって|どうすれば|どうしたら|"
    r"必要は|やめ"
)
_QUESTION = re.compile(r"(?:か|の|かな|かしら)?[？?]\s*$|(?:ですか|ますか|でしょうか|かな)。?\s*$|(?:誰|何|どれ|どこ|いつ|いくつ|いくら)[？?。]?\s*$")
_ASKS = re.compile(r"(?:くれますか|くれませんか|くださいませんか|もらえますか|もらえませんか|いただけますか|いただけませんか|いただけますでしょうか|できますか|くれる|くれない|もらえる|もらえない)[。？?\s]*$")
_KANA = re.compile(r"[ァ-ヺー]+")
_SPACE = re.compile(r"[\s　、,・()（）]+")
_PARTICLES = {
    "という名前の": "called", "という名前で": "called", "という名の": "called", "というタイトルの": "called", "というタイトルで": "called",
    "という件名の": "called", "という件名で": "called", "という": "called", "っていう": "called", "って名前の": "called", "の名前で": "called",
    "の中から": "from", "の中に": "in", "の中の": "in", "の中": "in", "にある": "of", "における": "of", "に関する": "about", "について": "about", "宛てに": "to", "宛に": "to",
    "あてに": "to", "から": "from", "まで": "until", "までに": "by", "には": "to", "では": "in", "へ": "to", "を": "object",
    "に": "to", "で": "in", "の": "of", "は": "topic", "が": "topic", "も": "topic", "と": "said", "や": "and", "として": "as", "を使って": "via", "経由で": "via",
}  # fmt: skip
_DROPPED = frozenset({"さん", "様", "くん", "ちゃん", "氏"})
_APP = re.compile(r"[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?")
_PROPERTIES = frozenset({"subject", "text", "priority", "title", "name", "due date", "description", "status"})
_SENDING = frozenset({"send", "post", "tell", "write", "reply", "comment", "add", "forward"})


@frozen
class _Token:
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
class _Phrase:
    """What stands before a particle, and what the particle makes of it."""

    tokens: tuple[_Token, ...]
    role: str

    @property
    def pieces(self) -> list[Piece]:
        return [piece for token in self.tokens for piece in token.pieces]


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


def glossed_japanese(prompt: str, now: datetime) -> Gloss:
    """Return a prompt in English words."""
    units = [unit for unit in settled(prompt, now, JAPANESE_CODE) if not _is_word(prompt, unit)]
    tail = _text_at(prompt, units)
    pieces: list[Piece] = []
    commands = denies = False
    for start, end in _sentences(prompt[:tail], [(unit.start, unit.end) for unit in units]):
        own = [unit for unit in units if start <= unit.start and unit.end <= end]
        tokens = list(_tokens(prompt, start, end, [(unit.start, unit.end, unit.said) for unit in own]))
        if not tokens:
            continue
        spoken = _outside(prompt, start, end, [(unit.start, unit.end) for unit in own])
        is_command, verb = _commanded(tokens, prompt, end, spoken)
        commands = commands or is_command
        denies = denies or (not is_command and _told(tokens, spoken))
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
        if not any(unit.start <= match.start() < unit.end for unit in units) and len(prompt[: match.start()].strip()) > 2:
            return match.end() if match[0] != ":" or not prompt[match.end() : match.end() + 1].isascii() else len(prompt)
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


def _tokens(
    prompt: str, start: int, end: int, parts: Sequence[tuple[int, int, tuple[Piece, ...]]]
) -> Iterator[_Token]:
    words, longest = _vocabulary()
    settled_at = {begin: (finish, said) for begin, finish, said in parts}
    stops = sorted(settled_at)
    at = unknown = start
    while at < end:
        token = None
        if at in settled_at:
            finish, said = settled_at[at]
            token = _Token(said, at, finish)
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
                yield _Token((Piece(latin[0], at, latin.end(), kept=True),), at, latin.end())
                at = unknown = latin.end()
                continue
            kana = _KANA.match(prompt, at, end)
            at = kana.end() if kana else at + 1
            continue
        yield from _unknown(prompt, unknown, at)
        yield token
        at = unknown = token.end
    yield from _unknown(prompt, unknown, end)


def _unknown(prompt: str, start: int, end: int) -> Iterator[_Token]:
    text = prompt[start:end].rstrip("。！？!?．. 　\n")
    if text.strip():
        yield _Token((Piece(text, start, start + len(text), kept=True),), start, start + len(text))


def _known(
    prompt: str, at: int, limit: int, words: dict[str, list[_Meaning]], longest: int, *, after_unknown: bool
) -> _Token | None:
    for length in range(min(longest, limit - at), 0, -1):
        said = prompt[at : at + length]
        finish = at + length
        if said in _PARTICLES and (length > 1 or not _within_word(prompt, at, said)):
            return _Token((), at, finish, role=_PARTICLES[said])
        meanings = words.get(said.lower())
        if meanings is None or (length == 1 and after_unknown) or _goes_on(prompt, finish, said):
            continue
        meaning = _chosen(meanings, prompt[finish : finish + 3])
        piece = (Piece(meaning.english, at, finish),)
        if meaning.form == "word":
            return _Token(piece, at, finish, known=True)
        if meaning.form == "question":
            return _Token(piece, at, finish, question=meaning.english, known=True)
        return _Token(piece, at, finish, verb=meaning.english, form=meaning.form, known=True)
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


def _commanded(tokens: Sequence[_Token], prompt: str, end: int, spoken: str) -> tuple[bool, int | None]:
    """Return whether a sentence commands, by its end, and the place of its last verb."""
    verbs = [at for at, token in enumerate(tokens) if token.verb and not _is_politeness(tokens, at)]
    if not verbs:
        return False, None
    last = verbs[-1]
    ends = _ends_a_command(tokens[last], prompt[tokens[last].end : end])
    if not ends:
        for at in verbs:
            behind, comma, details = prompt[tokens[at].end : end].partition("、")
            if comma and _ends_a_command(tokens[at], behind) and "は" in details and not _NEVER.search(details):
                last, ends = at, True  # "チケットを作って、優先度は高"
                break
    token = tokens[last]
    asks = _QUESTION.search(spoken) is not None and _ASKS.search(spoken) is None
    never = _DENIES.search(_ASKS.sub("", spoken)) is not None
    asks = asks or (any(each.question for each in tokens) and token.verb not in READING)
    if token.form == "wish":
        asks = False
    return ends and not asks and not never, last


def _ends_a_command(token: _Token, behind: str) -> bool:
    """Whether a verb commands by what stands behind it, up to the end of its sentence."""
    if token.form == "noun":
        return _COMMANDS_BY_NOUN.match(behind) is not None
    if token.form == "te":
        return _COMMANDS_BY_FORM.match(behind) is not None and not re.match(r"い|お(?!い|願)|ま|も|は", behind)
    if token.form == "wish":
        return _WANTS.match(behind) is not None or _COMMANDS_BY_FORM.match(behind) is not None
    return token.form == "stem" and _BY_STEM.match(behind) is not None


def _is_politeness(tokens: Sequence[_Token], at: int) -> bool:
    """Whether ください only asks for what stands before it: 削除してください, unlike 一覧をください."""
    return tokens[at].verb == "give" and (at == 0 or tokens[at - 1].role != "object")


def _told(tokens: Sequence[_Token], spoken: str) -> bool:
    """Whether a sentence that commands nothing tells, asks or denies something, so that it is no label either."""
    has_verb = any(token.verb for token in tokens)
    return has_verb or _NEVER.search(spoken) is not None or _QUESTION.search(spoken) is not None


def _english(prompt: str, tokens: Sequence[_Token], verb: int | None, spoken: str, *, commands: bool) -> Iterator[Piece]:
    """Yield a sentence in the order of English."""
    question = next((token for token in tokens if token.question), None)
    is_verb = verb is not None and not (question is not None and tokens[verb].form in ("plain", "past"))
    head = tokens[verb] if verb is not None and is_verb else None
    rest = [
        token
        for at, token in enumerate(tokens)
        if token is not head and token is not question and not (token.verb and _is_politeness(tokens, at))
    ]
    begin: list[Piece] = []
    if head is not None and not commands:
        reads = head.form in ("noun", "te", "wish") and not _NEVER.search(spoken)
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
    yield from ordered


def _with_text(prompt: str, tokens: Sequence[_Token]) -> list[_Token]:
    """Return the tokens with what is to be said as one: "明日は休みだ" of "みんなに明日は休みだと伝えて"."""
    end = next((at for at, token in enumerate(tokens) if token.role == "said"), None)
    if end is None or end == 0 or any(piece.text.startswith('"') for piece in tokens[end - 1].pieces):
        return list(tokens)
    begin = next((at for at, token in enumerate(tokens[:end]) if token.role == "to"), -1) + 1
    if begin >= end:
        return list(tokens)
    start, finish = tokens[begin].start, tokens[end].start
    text = _Token((Piece(prompt[start:finish], start, finish, kept=True),), start, finish)
    return [*tokens[:begin], text, *tokens[end:]]


def _without_name(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of what gets a new name: "change the name of page A" is "rename page A"."""
    at = next(place for place, piece in enumerate(pieces) if piece.text == "name")
    behind = pieces[at + 1 :]
    return [*pieces[:at], *(behind[1:] if behind and behind[0].text == "of" else behind)]


def _before(tokens: Sequence[_Token], head: _Token | None) -> list[_Token]:
    """Return the tokens without the ends of verbs: ください, ですか."""
    end = head.start if head is not None else None
    kept = [token for token in tokens if end is None or token.start < end or token.known]
    return [token for token in kept if not (not token.known and not token.role and _is_ending(token))]


_ENDING = re.compile(r"(?:して|した|する|し|です|ます|ました|ください|下さい|お願い|します|か|ね|よ|な|さん|様|くん|ちゃん|ている|います|いる|ある|あります|だ|けど|んだ|んですが)+")


def _is_ending(token: _Token) -> bool:
    return all(piece.kept and _ENDING.fullmatch(piece.text) for piece in token.pieces)


def _phrases(tokens: Sequence[_Token]) -> list[_Phrase]:
    found: list[_Phrase] = []
    current: list[_Token] = []
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
    return bool(pieces) and re.match(
        r"(?:today|tomorrow|yesterday|\w+day\b|\d{1,2} \w+ \d{4}|\d\d:\d\d|next|this)", pieces[0].text
    ) is not None


def _owned(chain: Sequence[_Phrase]) -> Iterator[Piece]:
    """Yield a chain of owners with what they own first: "GitHub の acme/shop の issue 7" is "GitHub issue 7 of acme/shop"."""
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
    return len(phrase.tokens) == 1 and all(_APP.fullmatch(piece.text) for piece in phrase.pieces) or (
        len(phrase.pieces) == 1 and phrase.pieces[0].text.startswith("google ")
    )


def _describes(phrase: _Phrase) -> bool:
    """Whether a phrase says when or which: "tomorrow's events", "my boards"."""
    return _is_moment(phrase.pieces) or phrase.pieces[0].text in ("my", "our", "all", "open", "unpaid", "new", "unread")
