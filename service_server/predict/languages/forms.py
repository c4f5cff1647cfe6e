"""
The forms that words have in prompts, made from the one in a list of words.

Only what people type when they ask for something is made: how one commands, how one tells of it, and plurals. Irregular
forms stand in the list, in brackets behind the word: `dar (da! dé! dado)`; with "!" they are commands.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum


class Part(StrEnum):
    """What a word does in a sentence."""

    OPENER = "openers"
    ASK = "asks"
    PERMISSION = "permissions"
    NEGATION = "negations"
    QUESTION = "questions"
    SUBJECT = "subjects"
    AUXILIARY = "auxiliaries"
    REPORT = "reports"
    CONDITION = "conditions"
    THAT = "that"
    PREPOSITION = "prepositions"
    DETERMINER = "determiners"
    WORD = "words"
    COMMAND = "commands"
    """A form that commands; in some languages the present has it too."""
    INFINITIVE = "infinitives"
    TOLD = "told"
    """A form that only tells: "deleted", "löscht"."""


Forms = Iterator[tuple[str, Part, str]]
"""Each form, what it does, and what stands behind its English: "it" for a pronoun that hangs on it."""

_UNSEPARATED = ("be", "ge", "ver", "ent", "er", "zer", "über", "unter", "wieder")
_GERMAN_ENDINGS = ("", "e", "en", "er", "es", "em")


def german(verb: str) -> Forms:
    """Yield the forms of a German verb; what separates from it is left out of the commands: "lege … an"."""
    particle, _, rest = verb.rpartition("|")
    stem = rest.removesuffix("n").removesuffix("e")
    yield particle + rest, Part.INFINITIVE, ""
    if particle:
        yield f"{particle}zu{rest}", Part.INFINITIVE, ""
    for ending in ("e", ""):
        yield stem + ending, Part.COMMAND, ""
    yield rest, Part.COMMAND, ""  # "Legen Sie"
    short = "e" if stem.endswith(("t", "d")) else ""
    yield from ((stem + short + ending, Part.TOLD, "") for ending in ("t", "te", "ten", "test", "st"))
    yield particle + stem + short + "t", Part.TOLD, ""
    yield particle + stem + "e", Part.TOLD, ""
    yield particle + stem + short + "st", Part.TOLD, ""
    ge = "" if rest.startswith(_UNSEPARATED) or rest.endswith("ieren") else "ge"
    yield from ((f"{particle}{ge}{stem}{short}t{ending}", Part.TOLD, "") for ending in _GERMAN_ENDINGS)


CLITICS = {"me": "me", "nos": "us", "lo": "it", "la": "it", "los": "them", "las": "them", "le": "him", "les": "them"}
CLITICS |= {"melo": "me it", "mela": "me it", "selo": "him it", "sela": "him it"}
_ENDINGS_OF_PARTICIPLES = ("o", "a", "os", "as")
_BEFORE_E = {"c": "qu", "g": "gu", "z": "c", "ç": "c"}
_BEFORE_A = {"g": "j", "c": "z"}  # "dirigir", "convencer"


def _softened(stem: str, by: dict[str, str]) -> str:
    return stem[:-1] + by.get(stem[-1:], stem[-1:])


def _forms(commands: Iterable[str], wished: Iterable[str], told: Iterable[str]) -> Forms:
    """Yield what commands, what stands behind a wish as an infinitive does, and what only tells."""
    yield from ((form, Part.COMMAND, "") for form in commands)
    yield from ((form, Part.INFINITIVE, "") for form in wished)
    yield from ((form, Part.TOLD, "") for form in told)


def spanish(verb: str) -> Forms:
    """Yield the forms of a Spanish verb, also with pronouns that hang on them: "muéstrame"."""
    stem, kind = verb[:-2], verb[-2:]
    soft = _softened(stem, _BEFORE_E if kind == "ar" else _BEFORE_A)
    yield verb, Part.INFINITIVE, ""
    if kind == "ar":
        commands = [stem + "a", soft + "e", soft + "en", stem + "ad", stem + "á"]
        wished, told = [soft + "es", soft + "éis"], ["ó", "aste", "aron", "an", "ando", "aba", "amos", "as"]
        told = [soft + "é", stem + "o", *(stem + ending for ending in told)]
        participle = stem + "ad"
    else:
        commands = [stem + "e", soft + "a", soft + "an", stem + kind[0] + "d", stem + {"er": "é", "ir": "í"}[kind]]
        wished = [soft + "as"]
        endings = ["ió", "iste", "ieron", "en", "iendo", "ía", "imos", "es", "í", "yó", "yeron"]
        told = [soft + "o", *(stem + ending for ending in endings)]
        participle = stem + "id"
    told += [participle + ending for ending in _ENDINGS_OF_PARTICIPLES]
    yield from _forms(commands, wished, told)
    for pronoun, english in CLITICS.items():
        yield from ((form + pronoun, Part.COMMAND, english) for form in commands[:4])
        yield verb + pronoun, Part.INFINITIVE, english


def french(verb: str) -> Forms:
    """Yield the forms of a French verb."""
    stem, kind = verb[:-2], verb[-2:]
    yield verb, Part.INFINITIVE, ""
    if kind == "er":
        soft = stem + "e" if stem.endswith("g") else stem
        commands, wished = [stem + "e", stem + "ez", soft + "ons"], [stem + "es", stem + "iez"]
        told = [soft + "ais", soft + "ait", stem + "ent", soft + "aient", soft + "a", soft + "ant"]
        participle = stem + "é"
    elif kind == "ir":
        commands, wished = [stem + "is", stem + "issez", stem + "issons"], [stem + "isses", stem + "issiez"]
        told = [stem + "issait", stem + "issent", stem + "it", stem + "issant"]
        participle = stem + "i"
    else:
        commands, wished = [stem + "s", stem + "ez", stem + "ons"], [stem + "es", stem + "iez"]
        told, participle = [stem + "ait", stem + "ent"], stem + "u"
    told += [participle + ending for ending in ("", "e", "s", "es")]
    yield from _forms(commands, wished, told)


def portuguese(verb: str) -> Forms:
    """Yield the forms of a Portuguese verb."""
    stem, kind = verb[:-2], verb[-2:]
    soft = _softened(stem, _BEFORE_E if kind == "ar" else _BEFORE_A)
    yield verb, Part.INFINITIVE, ""
    yield verb + "em", Part.INFINITIVE, ""
    if kind == "ar":
        commands, wished = [stem + "a", soft + "e", soft + "em", stem + "ai"], [soft + "es", soft + "emos"]
        told = ["ou", "aste", "aram", "am", "ando", "ava", "amos", "as"]
        told = [soft + "ei", stem + "o", *(stem + ending for ending in told)]
        participle = stem + "ad"
    else:
        commands, wished = [stem + "e", soft + "a", soft + "am", stem + kind[0] + "i"], [soft + "as", soft + "amos"]
        told = [kind[0] + "u", "iu", "este", "eram", "iram", "em", "endo", "indo", "ia", "emos", "imos", "es", "i"]
        told = [soft + "o", *(stem + ending for ending in told)]
        participle = stem + "id"
    told += [participle + ending for ending in _ENDINGS_OF_PARTICIPLES]
    yield from _forms(commands, wished, told)


FORMS: dict[str, Callable[[str], Forms]] = {"de": german, "es": spanish, "fr": french, "pt": portuguese}


def inflected(language: str, adjective: str) -> Iterator[str]:
    """Yield the forms of an adjective."""
    if language == "de":
        yield from (adjective + ending for ending in _GERMAN_ENDINGS)
        if adjective.endswith(("er", "el")):
            yield from (adjective[:-2] + adjective[-1] + ending for ending in _GERMAN_ENDINGS[1:])
    elif language == "fr":
        yield from (adjective + ending for ending in ("", "e", "s", "es", "le", "les"))
    elif adjective.endswith("o"):
        yield from (adjective[:-1] + ending for ending in ("o", "a", "os", "as"))
    else:
        yield from (adjective, adjective + "s", adjective + "es", adjective.removesuffix("l") + "is")


def plural(language: str, noun: str) -> str:
    """Return the plural of a noun; of "hoja de cálculo" its first word has it, of "correo electrónico" both."""
    first, *more = noun.split(" ")
    if more and more[0] in ("de", "d'", "del", "do", "da", "des"):
        return " ".join([_plural(language, first), *more])
    return " ".join(_plural(language, word) for word in (first, *more))


def _plural(language: str, noun: str) -> str:
    if noun.endswith(("s", "x")) or language == "de":
        return noun
    if language == "fr":
        return noun + ("x" if noun.endswith("eau") else "s")
    if noun.endswith("z"):
        return noun[:-1] + "ces"
    if noun.endswith("ión"):
        return noun[:-2] + "ones"
    return noun + ("s" if noun[-1] in "aeiouáéíóúêtkgbpcfhw" else "es")  # "tickets" are words of English


def english_plural(noun: str) -> str:
    """Return the plural of an English noun."""
    if noun.endswith(("s", "ed", "people", "trash", "spam", "stock", "vacation", "access")):
        return noun
    if noun == "person":
        return "people"
    if noun.endswith("y") and noun[-2] not in "aeo":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("ch", "sh", "x")) else "s")


_TOLD = {"send": "sent", "write": "wrote", "make": "made", "find": "found", "get": "got", "give": "gave"}
_TOLD |= {"tell": "told", "set": "set", "read": "read", "pay": "paid", "run": "ran", "withdraw": "withdrew"}


def told(verb: str) -> str:
    """Return the English form in which something is told: "deleted"."""
    if verb in _TOLD:
        return _TOLD[verb]
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb[:-1] + "ied"
    double = {"cancel": "l", "tag": "g", "pin": "n", "log": "g", "stop": "p"}.get(verb, "")
    return verb + double + ("d" if verb.endswith("e") else "ed")
