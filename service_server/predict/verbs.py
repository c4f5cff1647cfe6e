"""What a prompt asks to be done, and what a function does, as one of a few classes of verbs."""

from collections.abc import Collection, Sequence, Set
from enum import StrEnum

from attrs import frozen

from service_server.predict.words import Word, word_set


class VerbClass(StrEnum):
    """Verbs that ask for the same kind of operation."""

    READ = "read"
    CREATE = "create"
    SEND = "send"
    UPDATE = "update"
    CLOSE = "close"
    DELETE = "delete"


_VERBS = {
    VerbClass.READ: """list show find get search fetch read view display lookup check see retrieve count browse query
        describe what which who whose whom when where how download export tell give look preview compare any""",
    VerbClass.CREATE: """create add make open new insert append file raise log register put book schedule write compose
        draft upload generate copy duplicate clone invite comment record block import report submit""",
    VerbClass.SEND: "send post message publish notify email share say announce ping reply forward dm broadcast text",
    VerbClass.UPDATE: """update change rename edit modify set assign move mark adjust replace reschedule patch switch
        reopen correct unassign reassign enable disable""",
    VerbClass.CLOSE: "close resolve complete finish archive end",
    VerbClass.DELETE: """delete remove cancel erase drop destroy trash unsubscribe revoke wipe purge discard kill void
        scrap nuke ditch bin axe shred terminate withdraw rescind retract""",
}
CLASS_OF = {verb: verb_class for verb_class, verbs in _VERBS.items() for verb in verbs.split()}

# Pairs of words that mean another verb than their first word.
_PHRASES = {
    ("get", "rid"): VerbClass.DELETE,
    ("do", "away"): VerbClass.DELETE,
    ("call", "off"): VerbClass.DELETE,
    ("throw", "away"): VerbClass.DELETE,
    ("set", "up"): VerbClass.CREATE,
    ("let", "know"): VerbClass.SEND,
    ("tell", "me"): VerbClass.READ,
    ("tell", "us"): VerbClass.READ,
    ("shut", "down"): VerbClass.CLOSE,
    ("stop", "billing"): VerbClass.DELETE,
    ("mark", "done"): VerbClass.CLOSE,
}
# "Take Ana off the list": such words may stand behind the object.
TAKEN, _AWAY, _AWAY_WITHIN = word_set("take pull strike kick throw boot"), word_set("off out down away"), 8
# Verbs that people use for the one in a function's name.
SAME_VERBS = {
    "withdraw": "void",
    "rescind": "void",
    "end": "cancel",
    "stop": "cancel",
    "terminate": "cancel",
    "annul": "void",
    "shut": "close",
}
DETERMINERS = word_set("a an the my our your this that these those all every each its their new to-do")
# "Merge request 12 has my blessing" merges nothing: these words are nouns before "request".
_KINDS_OF_REQUEST = word_set("merge pull review")
_ASKING = word_set("what which who whom whose when where how")
_NEGATIONS = word_set("don't dont never not doesn't won't")
_ONE_NEW = word_set("a an another new one")
# These begin a question only as the first word; elsewhere they can be part of any sentence.
_QUESTION_STARTS = word_set("is are do does did has have was were am")

# How well a function of the second class serves a prompt of the first; a missing pair does not serve at all.
_SERVES = {
    (VerbClass.READ, VerbClass.READ): 1.0,
    (VerbClass.CREATE, VerbClass.CREATE): 1.0,
    (VerbClass.CREATE, VerbClass.SEND): 0.8,
    (VerbClass.CREATE, VerbClass.UPDATE): 0.4,
    (VerbClass.SEND, VerbClass.SEND): 1.0,
    (VerbClass.SEND, VerbClass.CREATE): 0.8,
    (VerbClass.UPDATE, VerbClass.UPDATE): 1.0,
    (VerbClass.UPDATE, VerbClass.CLOSE): 0.3,
    (VerbClass.CLOSE, VerbClass.CLOSE): 1.0,
    (VerbClass.CLOSE, VerbClass.UPDATE): 0.8,
    (VerbClass.DELETE, VerbClass.DELETE): 1.0,
    (VerbClass.DELETE, VerbClass.CLOSE): 0.4,
}


@frozen
class AskedVerb:
    """The verb a prompt puts first; `negated` when it asks not to do it; `start` and `end` are its place."""

    verb_class: VerbClass
    word: str
    negated: bool
    start: int
    end: int


def asked_verb(words: Sequence[Word]) -> AskedVerb | None:
    """Return the first word that is used as a verb of a known class."""
    for at, word in enumerate(words):
        following = words[at + 1].folded if at + 1 < len(words) else ""
        preceding = words[at - 1].folded if at else ""
        if names_a_request(word.folded, following):
            continue
        verb_class = _class_in_context(word.folded, preceding, following, first=at == 0)
        if word.folded == "let" and any(each.folded == "know" for each in words[at + 2 : at + 1 + _AWAY_WITHIN]):
            verb_class = VerbClass.SEND  # "let #general know"
        if verb_class is None and (done := _done(words, at)):
            return AskedVerb(CLASS_OF[done], done, is_negated(words, word), word.start, word.end)
        away = _AWAY | {"from"} if word.folded == "strike" else _AWAY
        if word.folded in TAKEN and any(each.folded in away for each in words[at + 1 : at + 1 + _AWAY_WITHIN]):
            verb_class = VerbClass.DELETE
        if verb_class is not None:
            is_thrown = word.folded in TAKEN and following in away  # "throw out the mail"
            end = words[at + 1].end if is_thrown or (word.folded, following) in _PHRASES else word.end
            negated = word.folded not in _ASKING and is_negated(words, word)  # "and don't bill what falls due"
            return AskedVerb(verb_class, word.folded, negated, word.start, end)
    return None


def _done(words: Sequence[Word], at: int) -> str | None:
    """Return the verb for what is to be done: "must be deleted", "has to go"."""
    before = [word.folded for word in words[max(0, at - 2) : at]]
    word = words[at].folded
    if word == "go":
        return "delete" if before[-1:] == ["must"] or before in (["has", "to"], ["have", "to"]) else None
    return bare_verb(word, CLASS_OF) if "be" in before and word.endswith("ed") else None


def bare_verb(participle: str, verbs: Collection[str]) -> str | None:
    """Return which of some verbs a word in -ed or -ing comes from."""
    bare = participle.removesuffix("ing").removesuffix("ed")
    return next((form for form in (bare, bare + "e", bare[:-1]) if form in verbs), None)


def names_a_request(word: str, following: str) -> bool:
    """Whether a word is no verb but says what kind of request something is: "merge request", "pull requests"."""
    return word in _KINDS_OF_REQUEST and following in ("request", "requests")


def is_negated(words: Sequence[Word], word: Word, *, by: Set[str] = _NEGATIONS) -> bool:
    """Whether one of the two words before a word negates it."""
    before = [earlier for earlier in words if earlier.end <= word.start][-2:]
    return any(earlier.folded in by for earlier in before)


def _class_in_context(word: str, preceding: str, following: str, *, first: bool) -> VerbClass | None:
    phrase = _PHRASES.get((word, following))
    if phrase is not None:
        return phrase
    if first and word in _QUESTION_STARTS:
        return VerbClass.READ
    if preceding in DETERMINERS and word != "new":
        return None  # "the file", "my list": a noun
    if word == "tell" and following not in ("me", "us"):
        return VerbClass.SEND
    if word == "open" and following not in _ONE_NEW and not _singular(following):
        return VerbClass.READ  # "open tickets", "open the calendar"
    if word == "make" and following not in _ONE_NEW and following not in ("me", "us"):
        return VerbClass.UPDATE  # "make ticket 12 urgent"
    return CLASS_OF.get(word)


def _singular(word: str) -> bool:
    return word not in DETERMINERS and not word.endswith("s")


def function_verb(words: Sequence[Word]) -> tuple[VerbClass, str] | None:
    """Return the class of the first verb among the words of a function's action or title, and that verb."""
    for word in words:
        for form in (word.folded, word.folded.removesuffix("s"), word.folded.removesuffix("es")):
            verb_class = CLASS_OF.get(form)
            if verb_class is not None and form not in ("new", "any"):
                return verb_class, form
    return None


def serves(asked: VerbClass, offered: VerbClass) -> float:
    """Return how well a function of one class serves a prompt of another, 0 (not at all) to 1."""
    return _SERVES.get((asked, offered), 0.0)
