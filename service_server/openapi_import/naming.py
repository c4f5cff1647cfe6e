"""Names functions as people would: a verb and what it is done to, from the operationId, the summary or the path."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from service_server.catalog.connector_folder import MAX_NAME_LENGTH
from service_server.catalog.passthrough import PASSTHROUGH
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.texts import is_plural, singular, words_of
from service_server.openapi_import.verbs import AMBIGUOUS, ARTICLES, LOOKING, OF_METHODS, SMALL, SYNONYMS, VERBS

_MOST_WORDS: Final = 7
_NOT_WORDS = frozenset({"api", "controller", "rest", "endpoint", "handler", "v", "service"})
_ADJECTIVES = frozenset({"authenticated", "current", "default", "latest", "recent", "public", "private", "starred"})
_VERSION = re.compile(r"v?\d+(?:beta|alpha)?\d*\Z")


def name_functions(drafts: Sequence[Draft], app_name: str, lists: Sequence[bool]) -> None:
    """
    Set the stem of every draft: unique, and short enough to stand behind the app's name.

    `lists` tells of each draft whether it answers a list.
    """
    longest = MAX_NAME_LENGTH - len(app_name) - 1
    named = [
        [*(_named_words(draft.operation, is_list) or _path_words(draft.operation, is_list))]
        for draft, is_list in zip(drafts, lists, strict=True)
    ]
    for better in (_with_own_verb, _with_tag, _with_path, _with_version):
        several = Counter(_joined(words, longest) for words in named)
        named = [
            better(words, draft.operation) if several[_joined(words, longest)] > 1 else words
            for words, draft in zip(named, drafts, strict=True)
        ]
    taken = {PASSTHROUGH}
    for draft, words in zip(drafts, named, strict=True):
        stem, number = _joined(words, longest), 2
        while stem in taken:
            stem = f"{_joined(words, longest - len(str(number)) - 1)}-{number}"
            number += 1
        taken.add(stem)
        draft.stem = stem


def _named_words(operation: Operation, is_list: bool) -> list[str] | None:
    """Return the words of the operationId, or of the summary, where they make a name."""
    return _identifier_words(operation, is_list) or _summary_words(operation)


def _summary_words(operation: Operation) -> list[str] | None:
    words = [word for word in words_of(operation.summary) if word not in ARTICLES]
    if 1 < len(words) <= _MOST_WORDS and words[0] in VERBS - AMBIGUOUS:
        return _tidied(words)
    return None


def _identifier_words(operation: Operation, is_list: bool) -> list[str] | None:
    identifier = operation.identifier
    group, separator, rest = identifier.rpartition("/") if "/" in identifier else identifier.rpartition(".")
    words = _clean(_without_path(rest, operation))
    before = _clean(group) if separator else []
    if not words:
        return None
    words = _without_identifier(_without_method(words, operation, is_list), operation)
    position = _verb_at(words, operation)
    if position is None and before and before[-1] in VERBS:
        words, before = [before[-1], *words], []
    elif position is None:
        return None
    else:
        before, words = [*before, *words[:position]], words[position:]
    length = _verb_length(words)
    tail = words[length + 1 :] if words[length : length + 1] == ["all"] else words[length:]
    if not tail or tail[0] in SMALL or set(tail) <= _ADJECTIVES:
        told = _summary_words(operation)
        if told is not None:
            return told
        nouns = before or _nouns(operation)[-1:]
        many = words[0] in ("list", "search", "find", "browse", "index") or is_list
        shown = [*nouns[:-1], *((nouns[-1] if many else singular(nouns[-1]),) if nouns else ())]
        tail = [*tail, *shown] if tail and set(tail) <= _ADJECTIVES else [*shown, *tail]
    words = [*words[:length], *tail]
    if len(words) < 2 or len(words) > 2 * _MOST_WORDS:
        return None
    return _tidied(words)


def _without_method(words: list[str], operation: Operation, is_list: bool) -> list[str]:
    """Put the verb that is meant where generators put the HTTP method: of `post_page`, create."""
    if words[0] != operation.method:
        return words
    # What is got are things: the second word of `get_import_errors` is one of theirs, unless it says how they are got.
    is_noun = (
        operation.method in ("get", "head") and is_plural(words[-1]) and len(words) > 2 and words[1] not in LOOKING
    )
    if len(words) > 1 and words[1] in VERBS - AMBIGUOUS and operation.method != "delete" and not is_noun:
        return words[1:]
    return words if operation.method == "delete" else [*_verb(operation, is_list), *words[1:]]


def _verb_at(words: Sequence[str], operation: Operation) -> int | None:
    """Return where the verb stands: first, or behind the noun as in `orderCreate` and `conversations.archive`."""
    sure = next((index for index, word in enumerate(words) if word in VERBS - AMBIGUOUS), None)
    last = len(words) - 1
    if words[0] in AMBIGUOUS and sure != last and not (sure == 1 and _is_group(words[0], operation)):
        return 0
    if sure is None and words[last] in AMBIGUOUS and operation.method not in ("get", "head"):
        return last
    return sure


def _is_group(word: str, operation: Operation) -> bool:
    """Whether a word stands for what an operation belongs to, as the first does in `issueListIssues`."""
    return word in {singular(each) for tag in operation.tags for each in words_of(tag)} or any(
        is_plural(noun) and singular(noun) == word for noun in _nouns(operation)
    )


def _without_identifier(words: list[str], operation: Operation) -> list[str]:
    """Cut off by what one thing is found: of `get_labels_by_id`, get label."""
    if "by" not in words[2:] or not operation.ends_with_parameter:
        return words
    place = words.index("by", 2)
    if not {"id", "ids", "key", "name", "slug", "uuid", "number", "code"} & set(words[place + 1 :]):
        return words
    return [*words[: place - 1], singular(words[place - 1])]


def _without_path(identifier: str, operation: Operation) -> str:
    """Cut off the path and the method that generators put behind a name, as in `read_item_items__item_id__get`."""
    path = re.sub(r"\W", "_", operation.path)
    for ending in (f"{path}_{operation.method}", f"{path}{operation.method}"):
        if identifier.lower().endswith(ending.lower()) and len(identifier) > len(ending):
            return identifier[: -len(ending)]
    return re.sub(r"Using(GET|POST|PUT|PATCH|DELETE|HEAD)(_\d+)?\Z", "", identifier)


def _clean(text: str) -> list[str]:
    words = [word for word in words_of(text) if word not in ("a", "an", "the")]
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


def _verb(operation: Operation, is_list: bool) -> list[str]:
    if operation.method == "get":
        return ["list" if is_list and not operation.ends_with_parameter else "get"]
    return [OF_METHODS[operation.method]]


def _path_words(operation: Operation, is_list: bool) -> list[str]:
    """Name an operation by its method and the nouns of its path: `POST /tasks/{id}/close` is close-task."""
    nouns = _nouns(operation)
    last = words_of(operation.last_segment)
    ends_with_parameter = operation.ends_with_parameter
    if not nouns:
        return [*_verb(operation, is_list), *(_clean(operation.identifier) or ["root"])]
    is_action = bool(last) and last[0] in VERBS and not is_plural(last[-1]) and len(nouns) > len(last)
    if is_action and not ends_with_parameter and operation.method != "get":
        action, nouns = last[0], nouns[: -len(last)]
        return _tidied([action, *(singular(noun) for noun in nouns[-2:]), *last[1:]])
    is_one = ends_with_parameter or (operation.method == "post" and is_plural(nouns[-1]))
    shown = [singular(noun) for noun in nouns[:-1]][-2:]
    return _tidied(
        [*_verb(operation, is_list and not ends_with_parameter), *shown, singular(nouns[-1]) if is_one else nouns[-1]]
    )


def _nouns(operation: Operation) -> list[str]:
    segments = [segment for segment in operation.place.split("/") if segment and "{" not in segment]
    words = [word for segment in segments for word in words_of(segment)]
    return [word for word in words if word not in _NOT_WORDS and not _VERSION.match(word)]


def _with_own_verb(words: list[str], operation: Operation) -> list[str]:
    """Take back the verb that made two names one: a PUT beside a PATCH replaces, and a `get…` beside a `list…` gets."""
    if operation.method == "put" and words[0] == "update":
        return ["replace", *words[1:]]
    is_get = words[0] == "list" and words_of(operation.identifier)[:1] == ["get"]
    return ["get", *words[1:]] if is_get else words


def _with_tag(words: list[str], operation: Operation) -> list[str]:
    """Put what an operation belongs to behind its verb, to tell it from others of the same name."""
    identifier = operation.identifier
    group = identifier.rpartition("/")[0] or (operation.tags[0] if operation.tags else "")
    tag = [singular(word) for word in _clean(group) if word not in words and singular(word) not in words]
    length = _verb_length(words)
    return [*words[:length], *tag, *words[length:]]


def _with_path(words: list[str], operation: Operation) -> list[str]:
    length = _verb_length(words)
    rest = set(words[length:])
    path = [
        word
        for word in _nouns(operation)
        if word not in rest and singular(word) not in {singular(each) for each in rest}
    ]
    return [*words[:length], *(singular(word) for word in path), *words[length:]]


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
