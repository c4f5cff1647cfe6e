"""Which apps a search means: by their names, or else by what they are for, or by words that are nearly the same."""

import re
from collections.abc import Callable, Iterable

from attrs import frozen

from service_client.models import App

MOST_NEAR = 6
"""Apps that are offered besides those that match by name."""

MOST_WORDS = 8
LONGEST_WORD = 40
SHORTEST_ALONE = 4  # letters of a word that means something without the others: not "and"

# From this many letters on, a word may have a mistake, or two; a shorter word that is nearly the same is another word.
# Descriptions have many words, so one of them is more likely to be nearly the same by chance.
SHORTEST_MISTAKEN = 4
SHORTEST_MISTAKEN_TWICE = 8
SHORTEST_MISTAKEN_ABOUT = 6
SHORTEST_UNFINISHED = 5  # letters that may be the beginning of a longer word, with a mistake in them

_NAMED, _ABOUT, _OF_KIND, _NEARLY_NAMED, _NEARLY_ABOUT, _ABSENT = range(6)
"""How well a word fits an app, best first."""

Fit = tuple[int, int]
"""One of these, and the number of mistakes."""


@frozen
class Subject:
    """What an app is for: the words of its description, and the name of its category."""

    description: str
    kind: str


def names_of(app: App) -> str:
    """Return the text in which a search looks for words."""
    return " ".join((app.title, app.name, *app.also_called)).casefold()


def is_named(app: App, search: str) -> bool:
    """Whether an app has all words of a search in its name."""
    return all(word in names_of(app) for word in search.casefold().split())


def near(apps: Iterable[App], search: str, subject: Callable[[App], Subject], *, exactly: bool) -> list[App]:
    """
    Return the apps that a search may mean, likeliest first.

    Unless `exactly`, apps with only some of its words, or nearly its words, are included; only the nearest of them.
    """
    words = [word[:LONGEST_WORD] for word in search.casefold().split()][:MOST_WORDS]
    if not words:
        return []
    ranked: list[tuple[Fit, int, App]] = []
    for app in apps:
        fits = [_fit(word, names_of(app), subject(app)) for word in words]
        worst = max(fits)
        if exactly and worst[0] > _OF_KIND:
            continue
        if worst[0] < _ABSENT or any(
            fit[0] <= _NEARLY_NAMED and len(word) >= SHORTEST_ALONE for word, fit in zip(words, fits, strict=True)
        ):
            ranked.append((worst, sum(fit[0] == _ABSENT for fit in fits), app))
    if any(worst[0] < _ABSENT for worst, *_rest in ranked):
        fewest = min(worst[1] for worst, *_rest in ranked if worst[0] < _ABSENT)
        ranked = [each for each in ranked if each[0][0] < _ABSENT and each[0][1] == fewest]
    return [app for *_rank, app in sorted(ranked, key=lambda each: each[:2])][:MOST_NEAR]


def _fit(word: str, names: str, subject: Subject) -> Fit:
    if word in names:
        return _NAMED, 0
    description = subject.description.casefold()
    if _has(description, word):
        return _ABOUT, 0
    if _has(subject.kind.casefold(), word):
        return _OF_KIND, 0
    if mistakes := _fewest_mistakes(word, names):
        return _NEARLY_NAMED, mistakes
    if len(word) >= SHORTEST_MISTAKEN_ABOUT and (mistakes := _fewest_mistakes(word, description)):
        return _NEARLY_ABOUT, mistakes
    return _ABSENT, 0


def _has(text: str, word: str) -> bool:
    """Whether a word of a text begins with this one; in scripts without blanks it may be anywhere."""
    return word in text and (not word.isascii() or any(each.startswith(word) for each in _words(text)))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _fewest_mistakes(word: str, text: str) -> int:
    """Return the fewest mistakes that turn a word of a text into this one, as far as it is typed; 0 if none do."""
    most = 0 if len(word) < SHORTEST_MISTAKEN else 1 if len(word) < SHORTEST_MISTAKEN_TWICE else 2
    alike = [other for other in _words(text) if most and other[0] == word[0] and len(other) >= len(word) - most]
    return min((count for other in alike if (count := _mistakes(word, other)) <= most), default=0)


def _mistakes(word: str, other: str) -> int:
    """Count letters that are extra, missing, wrong or swapped with the next one; longer words may be partly typed."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        last, row = row, [i]
        for j, wanted in enumerate(other, 1):
            count = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                count = min(count, above[j - 2] + 1)
            row.append(count)
        above = last
    return (
        min(row) if len(word) >= SHORTEST_UNFINISHED else row[-1]
    )  # of all beginnings of the other word, or all of it
