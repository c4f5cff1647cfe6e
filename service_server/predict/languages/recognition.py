"""Which language a prompt is in, told by its letters and its commonest words."""

import re

from service_server.predict.languages.commonest_words import COMMONEST_WORDS
from service_server.predict.languages.vocabulary import WORD, vocabulary_of
from service_server.predict.mood_words import OPENERS, VERBS
from service_server.predict.verbs import CLASS_OF
from service_server.predict.words import STOP_WORDS, word_set

_JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ]")
_JAPANESE_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|\"[^\"]*\"|“[^”]*”|'[^']*'")
_LATIN_WORD = re.compile(r"(?<![\w#@/.'-])[A-Za-z]+(?![\w#@/.'-])", re.ASCII)
_NO_MARKS = str.maketrans(",.:;!?()'-", " " * 10)
_ANY_MARK = frozenset().union(*COMMONEST_WORDS.values())
# Words of English, without those that are also common in one of the others.
_SHARED = {
    "de": word_set("in an am so was die war hat will also bin list liste mail start post name fast rate"),
    "es": word_set("a no me he as once real has con"),
    "fr": word_set("a on me as an son pour or note poste liste comment pin main est plus archive date"),
    "pt": word_set("a no as me do e pare come some dos data post"),
}
_ENGLISH = (STOP_WORDS | OPENERS | VERBS | frozenset(CLASS_OF)) - frozenset({"hi", "ok", "ms"})
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`")
_BEHIND_COLON = re.compile(r" ?: .*", re.DOTALL)
_CODE = re.compile(r"[@#/_\d]|\w\.\w")
_LONGEST = 600  # characters that tell the language
_FUNCTION_WORDS = STOP_WORDS - frozenset({"um", "hi", "ok"})
# So many words of a language outweigh one of English, which may be part of a name: "Schick the-sheriff eine Mail".
_PLAINLY, _ALWAYS = 3, 1000
_ENOUGH, _ENOUGH_UNMARKED = 0.45, 0.6
"""The share of a prompt's words that are known so that it is in a language; more where no common one is among them."""

_SHORT, _FEW = 3, 2
_NAME = 0.25  # how much a word counts that may be a name
_MARK = 0.1  # how much each of the commonest words speaks for a language beside the share


def language_of(prompt: str) -> str | None:
    """Return the language of a prompt, such as "de"; None if it is English, or no other is sure."""
    if prompt.isascii() and _ANY_MARK.isdisjoint(prompt.lower().translate(_NO_MARKS).split()):
        return None
    prompt = prompt[:_LONGEST]
    if _JAPANESE.search(prompt):
        return "ja" if _is_japanese(_JAPANESE_QUOTED.sub("", prompt)) else None
    spoken = " ".join(word for word in _QUOTED.sub(" ", prompt).split() if not _CODE.search(word) or word.endswith(":"))
    head = _BEHIND_COLON.sub(" ", spoken)
    if head != spoken and len(WORD.findall(head)) > _FEW and (found := _language_of_words(head, _PLAINLY)):
        return found
    return _language_of_words(spoken, _PLAINLY if head == spoken else _ALWAYS)


def _is_japanese(spoken: str) -> bool:
    """Whether a prompt has Japanese outside quotation marks and is not English with a Japanese name in it."""
    latin = [word.casefold() for word in _LATIN_WORD.findall(spoken)]
    is_english = not _FUNCTION_WORDS.isdisjoint(latin) or (latin and spoken[0].isascii() and latin[0] in _ENGLISH)
    return _JAPANESE.search(spoken) is not None and not is_english


def _language_of_words(text: str, outweighs: int) -> str | None:
    """Return the language of some words; so many of its commonest ones outweigh one of English."""
    said = [match[0] for match in WORD.finditer(text)]
    said = [word for word in said if len(word) > 1 or word.islower()]
    if not said:
        return None
    words = [word.casefold().replace("’", "'").strip("'") for word in said]
    names = [word[0].isupper() for word in said]
    likely = [language for language in COMMONEST_WORDS if _may_be(words, language, outweighs)]
    shares = {language: _share(words, names, language) for language in likely}
    best = max(likely, key=lambda language: shares[language] + _MARK * _marks(words, language), default=None)
    if best is None:
        return None
    is_marked = not COMMONEST_WORDS[best].isdisjoint(words)
    return best if shares[best] >= (_ENOUGH if is_marked else _ENOUGH_UNMARKED) else None


def _may_be(words: list[str], language: str, outweighs: int) -> bool:
    """Whether a prompt has no word of English that the language lacks, or many of its commonest ones."""
    shared = _SHARED[language] | COMMONEST_WORDS[language]
    english = sum(word in _FUNCTION_WORDS and word not in shared for word in words)
    begins_english = words[0] in _ENGLISH and words[0] not in shared
    return _marks(words, language) >= outweighs * (english + begins_english)


def _marks(words: list[str], language: str) -> int:
    return sum(word in COMMONEST_WORDS[language] for word in words)


def _share(words: list[str], names: list[bool], language: str) -> float:
    """Return the share of a prompt's words that a language knows; short ones and what may be names count less."""
    vocabulary = vocabulary_of(language)
    known = total = 0.0
    own = set[str]()
    for word, is_name in zip(words, names, strict=True):
        weight = 0.5 if len(word) < _SHORT else 1.0
        entries = vocabulary.of((word,)) or vocabulary.of((word + "'",))
        if entries or word in COMMONEST_WORDS[language]:
            known += weight
            if (
                word not in _ENGLISH
                and word not in vocabulary.english
                and (len(word) > 1 or word in COMMONEST_WORDS[language])
            ):
                own.add(word)
        elif is_name:
            weight *= _NAME
        total += weight
    is_plain = any(len(word) > _SHORT and (len(words) <= _FEW or not word.isascii()) for word in own)
    return known / total if len(own) > 1 or is_plain else 0.0
