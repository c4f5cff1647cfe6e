"""The words of a language and their English, read once from the list of that language."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from attrs import field, frozen

from service_server.predict.languages.forms import CLITICS, FORMS, Part, english_plural, inflected, plural, told
from service_server.predict.words import without_accents

WORD = re.compile(r"[^\W\d_]+(?:['’](?=[\w#@«\"/]|$))?")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
Key = tuple[str, ...]


@frozen
class Entry:
    """One meaning of a word or phrase; `particle` is what a German verb leaves behind: "an" in "lege … an"."""

    part: Part
    english: str
    particle: str = ""
    is_adjective: bool = False


@frozen(eq=False)
class Vocabulary:
    """All words and phrases of a language, by their words in small letters; `longest` is how many words one has."""

    language: str
    entries: dict[Key, list[Entry]] = field(factory=dict)
    plain: dict[Key, list[Entry]] = field(factory=dict)
    """The same without accents, which many leave out."""
    longest: int = 1
    english: frozenset[str] = frozenset()
    """The words that it is glossed with."""

    def of(self, key: Key) -> list[Entry]:
        """Return the meanings of a word or phrase."""
        found = self.entries.get(key) or self.plain.get(key)
        if found or "".join(key).isascii():
            return found or []
        without = tuple(map(without_accents, key))
        return self.entries.get(without) or self.plain.get(without) or []


def key_of(text: str) -> Key:
    """Return the words of a text as they are looked up."""
    return tuple(match[0].casefold().replace("’", "'") for match in WORD.finditer(text))


@cache
def vocabulary_of(language: str) -> Vocabulary:
    """Return the vocabulary of a language."""
    vocabulary = Vocabulary(language)
    made: list[tuple[str, Entry]] = []
    for section, english, words in sections_of(language):
        for word, entry in _entries(language, section, english, words, made):
            _put(vocabulary.entries, key_of(word), entry)
    listed = {(key, entry.part) for key, entries in vocabulary.entries.items() for entry in entries}
    for word, entry in made:  # what stands in the list goes before what was made of another word
        if ((key := key_of(word)), entry.part) not in listed:
            _put(vocabulary.entries, key, entry)
    for key, entries in vocabulary.entries.items():
        for spelling in {tuple(map(without_accents, key)), tuple(word.translate(_UMLAUTS) for word in key)} - {key}:
            vocabulary.plain.setdefault(spelling, entries)
    glosses = frozenset(
        word for entries in vocabulary.entries.values() for entry in entries for word in entry.english.split()
    )
    longest = max(map(len, vocabulary.entries))
    return Vocabulary(language, vocabulary.entries, vocabulary.plain, longest, glosses)


def sections_of(language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the lines of a language's list: the section, the English, and the words that mean it."""
    section = ""
    text = files("service_server.predict").joinpath("languages", "words", f"{language}.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("["):
            section = line.strip("[]")
            continue
        english, colon, words = line.partition(": ")
        yield section, english if colon else "", (words if colon else line).split(", ")


def _put(entries: dict[Key, list[Entry]], key: Key, entry: Entry) -> None:
    known = entries.setdefault(key, [])
    if all((each.part, each.particle) != (entry.part, entry.particle) for each in known):
        known.append(entry)


def _entries(
    language: str, section: str, english: str, words: Iterable[str], made: list[tuple[str, Entry]]
) -> Iterator[tuple[str, Entry]]:
    """Yield what a line lists, and add to `made` the forms that aren't listed."""
    for word in words:
        if section == "verbs":
            made.extend(_verb(language, english, word))
        elif section == "adjectives":
            entry = Entry(Part.WORD, english, is_adjective=True)
            yield word, entry
            made.extend((form, entry) for form in inflected(language, word))
        elif section == "words":
            one, *several = word.split("/")
            yield one, Entry(Part.WORD, english)
            yield from ((each, Entry(Part.WORD, english_plural(english))) for each in several)
            made.append((plural(language, one), Entry(Part.WORD, english_plural(english))))
        else:
            yield word, Entry(Part(section), english)


def _verb(language: str, english: str, listed: str) -> Iterator[tuple[str, Entry]]:
    """Yield the forms of a verb; of "cambiar el nombre de" those of its first word."""
    words, _, irregular = listed.rstrip(")").partition(" (")
    infinitive, blank, rest = words.partition(" ")
    if language == "de" and blank:  # "bescheid geben"
        yield words, Entry(Part.INFINITIVE, english)
        return
    particle = infinitive.rpartition("|")[0]
    forms = [(form.rstrip("!"), Part.COMMAND if form.endswith("!") else Part.TOLD, "") for form in irregular.split()]
    if language == "es":
        commands = [form for form, part, _ in forms if part is Part.COMMAND]
        forms += [(form + it, Part.COMMAND, pronoun) for form in commands for it, pronoun in CLITICS.items()]
    for form, part, behind in [*forms, *FORMS[language](infinitive)]:
        english_form = english if part is not Part.TOLD else _told(english)
        apart = "" if part is Part.INFINITIVE or form.startswith(particle) else particle
        yield form + blank + rest, Entry(part, f"{english_form} {behind}".rstrip(), apart)


def _told(verb: str) -> str:
    first, blank, rest = verb.partition(" ")
    return told(first) + blank + rest
