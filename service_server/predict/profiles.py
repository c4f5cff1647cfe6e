"""Functions as the ranking sees them: the words they are known by and what they do to what."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import dropwhile
from typing import Any

from attrs import frozen

from service_client.models import Function
from service_server.predict.candidate import Candidate
from service_server.predict.option_labels import labelled_properties, names_of
from service_server.predict.reader.conditions import asks_for_condition
from service_server.predict.reader.sums import asks_for_sum
from service_server.predict.telling_forms import forms_taken
from service_server.predict.verbs import CLASS_OF, VerbClass, function_verb
from service_server.predict.words import STOP_WORDS, Word, identifier_words, word_set, words_of

# How much a word counts, by where it stands.
_NAME, _TITLE, _DESCRIPTION, _APP, _PARAMETER, _EXAMPLE = 2.0, 1.0, 1.0, 0.7, 0.4, 1.0

# The names of what takes somebody's own words, which may say anything.
_TEXTS = word_set("text message body content comment note subject title name summary description reason html markdown")


@frozen
class Profile:
    """
    A function as the ranking sees it, in stems but for `forms`.

    `objects` are what its name says it acts on, with what it only takes something from, which is `left`. `action`
    holds all words of its name, with `lead` as the first, and `forms` the same words as written. `app_words` are
    those of its app. `required` counts the required arguments; `takes` are the telling forms of values ("#channel",
    "owner/repository") that it has arguments for. What `gives_all_back` is a refund of no sum that could be told,
    and what goes `either_way` has to be told which, such as whether something is in the trash. One that
    `knows_conditions` can be told to wait for something, and one that `writes` takes a text of somebody's own words.
    `within` are what it has to be told besides what it acts on: the repository of a branch.
    """

    name: str
    verb: tuple[VerbClass, str] | None
    objects: frozenset[str]
    left: frozenset[str]
    action: frozenset[str]
    forms: frozenset[str]
    lead: str
    app_words: frozenset[str]
    app: str
    type: str
    destructive: bool
    takes_data: bool
    required: int
    takes: frozenset[str]
    gives_all_back: bool
    either_way: bool
    knows_conditions: bool
    writes: bool
    within: frozenset[str]


def weights_of(candidate: Candidate) -> dict[str, float]:
    """Return the stems a function is known by, weighted by where they stand."""
    function = candidate.function
    weights: dict[str, float] = {}
    action = function.name.partition("-")[2] if candidate.app_name else function.name
    fields: list[tuple[Sequence[Word], float]] = [
        (identifier_words(action), _NAME),
        (words_of(candidate.title), _TITLE),
        (words_of(function.description), _DESCRIPTION),
        (words_of(candidate.app_title), _APP),
    ]
    fields += [(words, _PARAMETER) for words in _parameter_words(labelled_properties(function))]
    fields += [(words_of(prompt), _EXAMPLE) for prompt, _ in candidate.examples]
    for words, weight in fields:
        for word in words:
            if word.folded not in STOP_WORDS:
                weights[word.stem] = weights.get(word.stem, 0.0) + weight
    return weights


def profile_of(candidate: Candidate) -> Profile:
    """Return what the ranking knows about a function besides the weights of its words."""
    function = candidate.function
    app = candidate.app_name
    _, _, action = function.name.partition("-")
    action = action if app else function.name
    action_words = identifier_words(action)
    verb = function_verb(action_words) or function_verb(words_of(candidate.title))
    verb = verb or function_verb(words_of(function.description)[:1])
    if verb is not None and (verb[0] is VerbClass.READ) != (function.type == "query"):
        verb = (VerbClass.READ, "") if function.type == "query" else None  # the type knows better than a word
    app_stems = frozenset(word.stem for word in (*words_of(candidate.app_title), *identifier_words(app)))
    content = [word for word in action_words if word.folded not in STOP_WORDS]
    own_verbs = {verb[1]} if verb is not None else set()
    own_verbs |= {word.folded for word in content[:1] if word.folded in CLASS_OF}
    objects = frozenset(word.stem for word in content if word.folded not in own_verbs)
    objects = objects - app_stems or objects  # the tickets of "Acme Tickets" are still what it acts on
    behind_from = tuple(dropwhile(lambda word: word.folded != "from", action_words))
    flagged = function.meta is not None and function.meta.destructive
    return Profile(
        name=function.name,
        verb=verb,
        objects=objects,
        left=frozenset(word.stem for word in behind_from[1:]),
        action=frozenset(word.stem for word in action_words),
        forms=frozenset(word.folded for word in content),
        lead=content[0].stem if content else "",
        app_words=app_stems,
        app=app,
        type=function.type,
        destructive=flagged or (verb is not None and verb[0] is VerbClass.DELETE),
        takes_data=bool(function.parameters.properties),
        required=len(function.parameters.required),
        takes=forms_taken(candidate),
        either_way=_goes_either_way(function, {word.stem for word in content}),
        knows_conditions=any(map(asks_for_condition, function.parameters.properties.values())),
        writes=any(_is_text(name, schema) for name, schema in function.parameters.properties.items()),
        within=_within(function.parameters.required) - objects,
        gives_all_back="refund" in action and not any(map(asks_for_sum, function.parameters.properties.values())),
    )


def _goes_either_way(function: Function, action: Set[str]) -> bool:
    """
    Whether a function is told which of two opposites to do: true or false, subscribe or unsubscribe.

    It has to be told, or the argument is called as the action is: whether what "trash page" is about is "in trash".
    """
    for name, schema in labelled_properties(function).items():
        is_required = name in function.parameters.required
        if schema.get("type") == "boolean":
            if is_required or not action.isdisjoint(word.stem for word in identifier_words(name)):
                return True
        elif is_required:
            names = {called.casefold() for option in schema.get("enum") or () for called in names_of(option, schema)}
            if any(f"un{called}" in names for called in names):
                return True
    return False


def _is_text(name: str, schema: Any) -> bool:
    is_text = isinstance(schema, Mapping) and schema.get("type") == "string"
    return is_text and any(word.folded in _TEXTS for word in identifier_words(name))


def _within(required: Iterable[str]) -> frozenset[str]:
    return frozenset(word.stem for name in required for word in identifier_words(name))


def _parameter_words(properties: Mapping[str, Any]) -> Iterator[tuple[Word, ...]]:
    """Yield the words of the parameters' names and of what their options are called."""
    for name, schema in properties.items():
        yield identifier_words(name)
        options = schema.get("enum") if isinstance(schema, Mapping) else None
        for option in options if isinstance(options, list | tuple) else ():
            yield from (identifier_words(called) for called in names_of(option, schema))
