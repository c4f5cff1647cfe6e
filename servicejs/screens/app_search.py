"""Which apps a search means: by their names, and where it says something else, by what they are for or nearly so."""

import re
from collections.abc import Callable, Iterable

from service_client.models import App

MOST_NEAR = 6
"""Apps that are offered beside those of the name."""

MOST_WORDS = 8
LONGEST_WORD = 40
SHORTEST_MISTAKEN = 4  # letters; with fewer, nearly the same word is another one
SHORTEST_ALONE = 4  # letters of a word that says something without the others: not "and"

_NAMED, _ABOUT, _NEARLY_NAMED, _NEARLY_ABOUT, _ABSENT = range(5)
"""How well a word fits an app, best first."""


def names_of(app: App) -> str:
    """Return what a search looks for words in."""
    return f"{app.title} {app.name}".casefold()


def is_named(app: App, search: str) -> bool:
    """Whether an app has all words of a search in its name."""
    return all(word in names_of(app) for word in search.casefold().split())


def near(apps: Iterable[App], search: str, about: Callable[[App], str], *, exactly: bool) -> list[App]:
    """
    Return the apps that a search may mean, likeliest first; `about` says in words what an app is for.

    Not `exactly` are also those that have only some of its words, or nearly its words.
    """
    words = [word[:LONGEST_WORD] for word in search.casefold().split()][:MOST_WORDS]
    if not words:
        return []
    ranked = []
    for app in apps:
        fits = [_fit(word, names_of(app), about(app).casefold()) for word in words]
        worst = max(fits)
        if exactly and worst > _ABOUT:
            continue
        if worst < _ABSENT or any(
            fit < _ABSENT and len(word) >= SHORTEST_ALONE for word, fit in zip(words, fits, strict=True)
        ):
            ranked.append((worst, fits.count(_ABSENT), app))
    if any(worst < _ABSENT for worst, *_rest in ranked):
        ranked = [each for each in ranked if each[0] < _ABSENT]
    return [app for *_rank, app in sorted(ranked, key=lambda each: each[:2])][:MOST_NEAR]


def _fit(word: str, names: str, about: str) -> int:
    if word in names:
        return _NAMED
    # Words of scripts without blanks may stand anywhere.
    if word in about and (not word.isascii() or any(each.startswith(word) for each in _words(about))):
        return _ABOUT
    if any(_is_nearly(word, each) for each in _words(names)):
        return _NEARLY_NAMED
    return _NEARLY_ABOUT if any(_is_nearly(word, each) for each in _words(about)) else _ABSENT


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _is_nearly(word: str, other: str) -> bool:
    """Whether a word, as far as it is typed, has a letter too many, too few, wrong or in the wrong place."""
    if len(word) < SHORTEST_MISTAKEN or len(other) < SHORTEST_MISTAKEN - 1 or word[0] != other[0]:
        return False
    return any(_one_mistake(word, other[: len(word) + more]) for more in (-1, 0, 1))


def _one_mistake(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, wanted = one[at:], other[at:]
    swapped = rest[1::-1] + rest[2:] if len(rest) > 1 else rest
    return rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:] or swapped == wanted
