"""Names functions as people would: a verb and what it is done to, from the operationId, the summary or the path."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, count
from typing import Final

from service_server.catalog.connector_folder import MAX_NAME_LENGTH
from service_server.catalog.passthrough import PASSTHROUGH
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.texts import is_plural, singular, words_of
from service_server.openapi_import.verbs import AMBIGUOUS, ARTICLES, LOOKING, OF_METHODS, SMALL, SURE, SYNONYMS, VERBS

_MOST_WORDS: Final = 7
_NOT_WORDS = frozenset({"api", "controller", "rest", "endpoint", "handler", "v", "service"})
_ADJECTIVES = frozenset({"authenticated", "current", "default", "latest", "recent", "public", "private", "starred"})
_VERSION = re.compile(r"v?\d+(?:beta|alpha)?\d*\Z")


def name_functions(drafts: Sequence[Draft], app_name: str) -> None:
    """Set the stem of every draft: unique, and short enough to stand behind the app's name."""
    longest = MAX_NAME_LENGTH - len(app_name) - 1
    named = [_identifier_words(draft) or _summary_words(draft.operation) or _path_words(draft) for draft in drafts]
    for better in (_with_own_verb, partial(_with, _tag), partial(_with, _nouns), _with_version):
        several = Counter(_joined(words, longest) for words in named)
        named = [
            better(words, draft.operation) if several[_joined(words, longest)] > 1 else words
            for words, draft in zip(named, drafts, strict=True)
        ]
    taken = {PASSTHROUGH}
    for draft, words in zip(drafts, named, strict=True):
        others = (f"{_joined(words, longest - len(str(number)) - 1)}-{number}" for number in count(2))
        draft.stem = next(stem for stem in chain([_joined(words, longest)], others) if stem not in taken)
        taken.add(draft.stem)


def _summary_words(operation: Operation) -> list[str] | None:
    words = [word for word in words_of(operation.summary) if word not in ARTICLES]
    is_name = 1 < len(words) <= _MOST_WORDS and words[0] in SURE
    return _tidied(words) if is_name else None


def _identifier_words(draft: Draft) -> list[str] | None:
    operation = draft.operation
    group, _, rest = operation.identifier.rpartition("/" if "/" in operation.identifier else ".")
    words = _clean(_without_path(rest, operation))
    if not words:
        return None
    words = _without_identifier(_without_method(words, draft), operation)
    position = _verb_at(words, operation)
    if position is None:
        return None
    before = [*_clean(group), *words[:position]]
    words = words[position:]
    length = _verb_length(words)
    tail = words[length + 1 :] if words[length : length + 1] == ["all"] else words[length:]
    is_adjective = bool(tail) and set(tail) <= _ADJECTIVES
    if not tail or tail[0] in SMALL or is_adjective:
        if told := _summary_words(operation):
            return told
        nouns = before or _nouns(operation)[-1:]
        if nouns and not draft.lists and words[0] not in ("list", "search", "find", "browse", "index"):
            nouns = [*nouns[:-1], singular(nouns[-1])]
        tail = [*tail, *nouns] if is_adjective else [*nouns, *tail]
    words = [*words[:length], *tail]
    return _tidied(words) if 2 <= len(words) <= 2 * _MOST_WORDS else None


def _without_method(words: list[str], draft: Draft) -> list[str]:
    """Put the verb that is meant where generators put the HTTP method: of `post_page`, create."""
    method = draft.operation.method
    if words[0] != method or method == "delete":
        return words
    # What is got are things: the second word of `get_import_errors` is one of theirs, unless it says how they are got.
    is_noun = method in ("get", "head") and is_plural(words[-1]) and len(words) > 2 and words[1] not in LOOKING
    if len(words) > 1 and words[1] in SURE and not is_noun:
        return words[1:]
    return [_verb(draft), *words[1:]]


def _verb_at(words: Sequence[str], operation: Operation) -> int | None:
    """Return where the verb stands: first, or behind the noun as in `orderCreate` and `conversations.archive`."""
    sure = next((index for index, word in enumerate(words) if word in SURE), None)
    last = len(words) - 1
    tags = [each for tag in operation.tags for each in words_of(tag)]
    # What an operation belongs to is no verb, as the first word of `issueListIssues`.
    groups = {singular(each) for each in (*tags, *filter(is_plural, _nouns(operation)))}
    if words[0] in AMBIGUOUS and sure != last and not (sure == 1 and words[0] in groups):
        return 0
    if sure is None and words[last] in AMBIGUOUS and operation.method not in ("get", "head"):
        return last
    return sure


def _without_identifier(words: list[str], operation: Operation) -> list[str]:
    """Cut off by what one thing is found: of `get_labels_by_id`, get label."""
    place = words.index("by", 2) if "by" in words[2:] else len(words)
    keys = {"id", "ids", "key", "name", "slug", "uuid", "number", "code"}
    if not operation.ends_with_parameter or not keys & set(words[place + 1 :]):
        return words
    return [*words[: place - 1], singular(words[place - 1])]


def _without_path(identifier: str, operation: Operation) -> str:
    """Cut off the path and the method that generators put behind a name, as in `read_item_items__item_id__get`."""
    path = re.sub(r"\W", "_", operation.path)
    ending = rf"{re.escape(path)}_?{operation.method}|Using(GET|POST|PUT|PATCH|DELETE|HEAD)(_\d+)?"
    return re.sub(rf"(?<=.)(?i:{ending})\Z", "", identifier)


def _clean(text: str) -> list[str]:
    return _known(word for word in words_of(text) if word not in ("a", "an", "the"))


def _known(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _NOT_WORDS and not _VERSION.match(word)]


def _tidied(words: list[str]) -> list[str]:
    """Take the usual verb, and a noun once where it is said twice, in the singular and in the plural too."""
    result = [SYNONYMS.get(words[0], words[0])]
    for word in words[1:]:
        if singular(word) == singular(result[-1]) and (len(result) > 1 or word == result[-1]):
            result.pop()
        result.append(word)
    return result


def _verb_length(words: Sequence[str]) -> int:
    """Return how many words the verb has: one, or three as in `create or update`."""
    return 3 if len(words) > 2 and words[1] in ("or", "and") and words[2] in VERBS else 1


def _verb(draft: Draft) -> str:
    got = "list" if draft.lists and not draft.operation.ends_with_parameter else "get"
    return OF_METHODS.get(draft.operation.method, got)


def _path_words(draft: Draft) -> list[str]:
    """Name an operation by its method and the nouns of its path: `POST /tasks/{id}/close` is close-task."""
    operation = draft.operation
    nouns = _nouns(operation)
    last = words_of(operation.last_segment)
    if not nouns:
        return [_verb(draft), *(_clean(operation.identifier) or ["root"])]
    is_action = bool(last) and last[0] in VERBS and not is_plural(last[-1]) and len(nouns) > len(last)
    if is_action and not operation.ends_with_parameter and operation.method != "get":
        things = nouns[: -len(last)][-2:]
        return _tidied([last[0], *map(singular, things), *last[1:]])
    is_one = operation.ends_with_parameter or (operation.method == "post" and is_plural(nouns[-1]))
    return _tidied([_verb(draft), *map(singular, nouns[-3:-1]), singular(nouns[-1]) if is_one else nouns[-1]])


def _nouns(operation: Operation) -> list[str]:
    return _known(words_of("/".join(operation.nouns)))


def _with_own_verb(words: list[str], operation: Operation) -> list[str]:
    """Take back the verb that made two names one: a PUT beside a PATCH replaces, and a `get…` beside a `list…` gets."""
    if operation.method == "put" and words[0] == "update":
        return ["replace", *words[1:]]
    is_get = words[0] == "list" and words_of(operation.identifier)[:1] == ["get"]
    return ["get", *words[1:]] if is_get else words


def _tag(operation: Operation) -> list[str]:
    return _clean(operation.identifier.rpartition("/")[0] or " ".join(operation.tags[:1]))


def _with(more: Callable[[Operation], list[str]], words: list[str], operation: Operation) -> list[str]:
    """Put what an operation belongs to behind its verb, to tell it from others of the same name."""
    length = _verb_length(words)
    said = {singular(word) for word in words[length:]}
    told = [singular(word) for word in more(operation) if singular(word) not in said]
    return [*words[:length], *told, *words[length:]]


def _with_version(words: list[str], operation: Operation) -> list[str]:
    """Put the version that a path names behind all else, to tell the same of two versions apart."""
    version = [word for word in words_of(operation.place) if _VERSION.match(word) and word.startswith("v")]
    return [*words, *version[-1:]]


def _joined(words: Sequence[str], longest: int) -> str:
    """Join words to a name, without small words and then without the last ones where it would be too long."""
    kept = [word for word in words if word.isascii()] or ["call"]
    if len("-".join(kept)) > longest:
        head = _verb_length(kept)
        kept = [*kept[:head], *(word for word in kept[head:] if word not in SMALL)]
    while len("-".join(kept)) > longest and len(kept) > 2:
        kept.pop()
    return "-".join(kept)[:longest].strip("-")
