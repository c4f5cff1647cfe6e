"""Fill one function's arguments with the trained reader."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from attrs import evolve

from service_client.models import Function
from service_server.predict.arguments.slots import Slot, slots_of
from service_server.predict.arguments.validation import compiled
from service_server.predict.known_answers import KnownAnswersOfAll
from service_server.predict.languages import Gloss
from service_server.predict.mentions import Kind
from service_server.predict.option_labels import labelled_properties
from service_server.predict.reader.adding import as_added_or_taken, pairs_of
from service_server.predict.reader.addressees import Addressees
from service_server.predict.reader.answers import Reply
from service_server.predict.reader.choices import as_said
from service_server.predict.reader.company import title_of_meeting, with_company
from service_server.predict.reader.conditions import asks_for_condition, with_condition
from service_server.predict.reader.coordinates import coordinates_of, with_coordinates
from service_server.predict.reader.currencies import currency_of, in_percent_or_not, with_currency, with_percent
from service_server.predict.reader.enumerations import with_enumerated
from service_server.predict.reader.filling import SURE, Filled, filled, validators_of
from service_server.predict.reader.forms import formed, telling_forms
from service_server.predict.reader.full_names import full_name_of, with_both_names
from service_server.predict.reader.labelled import with_labelled
from service_server.predict.reader.merging import merged_of, with_merged
from service_server.predict.reader.named import is_the_usual, is_when, without_kind
from service_server.predict.reader.nesting import as_nested, nested_of
from service_server.predict.reader.questions import Answer, Question, description_and_example, heading_of, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reader.replacing import in_order, swap_of
from service_server.predict.reader.shapes import has_other_shape
from service_server.predict.reader.slugs import halves_of, owner_and_name
from service_server.predict.reader.sums import asks_for_sum, is_share_of_sum, shares_in, sums_in
from service_server.predict.reader.timing import Timing
from service_server.predict.reader.whole_names import with_whole_names
from service_server.predict.reader.whole_texts import with_whole_texts
from service_server.predict.reading import Reading
from service_server.predict.values import ArgumentPrediction, put_at
from service_server.predict.verbs import VerbClass, function_verb
from service_server.predict.words import identifier_words, word_set, words_of

_SLUG = re.compile(r"(?<![\w/:.])(?:group|owner|namespace|workspace|organi[sz]ation|acme)/[a-z]\w+", re.IGNORECASE)
_BRANCHES = frozenset({"branch", "ref", "base", "head"})
_REPORTS = word_set("report statistics stats loss insights analytics")
_MEETINGS = word_set("event meeting interview call window override")
_PHONE = re.compile(r"\+\d[\d ().-]{5,20}")
_TAKES_PHONE = re.compile(r"\b(?:phone|number|caller|sender|from|to|recipient|whatsapp|wa)\b", re.IGNORECASE)
_GOES_ON = re.compile(r" \d{2,4}(?![\d:%]|[.,]\d|\s?[a-z€$£])", re.IGNORECASE)
_YEARS = re.compile(r"(?:19|20)\d\d")
_END_OF_NAME = re.compile(r"\b[A-Z][\w'’]+(?: [a-z]+){0,2} $")

_Asked = TypeVar("_Asked")
_Completion = Callable[[list[Filled], str], list[Filled]]


class ReaderFiller:
    """Reads the arguments of one function from prompts; its questions and schemas are made once."""

    def __init__(
        self,
        function: Function,
        reader: Reader,
        shapes: Mapping[str, frozenset[str]] | None = None,
        known: KnownAnswersOfAll | None = None,
    ) -> None:
        """Take the function, the `shapes` that values of its arguments are known to have, and the `known` answers."""
        self._shapes = shapes or {}
        parameters = function.parameters
        self._heading = heading_of(function.name, function.description)
        self._questions = questions_of(
            {"properties": labelled_properties(function), "required": list(parameters.required)}
        )
        self._validators = validators_of(self._questions)
        self._forms = telling_forms(self._questions)
        action = function.name.partition("-")[2]
        action_words = identifier_words(action)
        verb = function_verb(action_words)
        verb_class = None if verb is None else verb[0]  # "slack-create-channel" creates
        self._addressees = Addressees(self._questions, creates=verb_class is VerbClass.CREATE)
        self._halves = halves_of(self._questions)
        conditions = [each for each in self._questions if asks_for_condition(each.schema)]
        percent = in_percent_or_not(self._questions)
        self._completions = (
            *_completing(with_both_names, full_name_of(self._questions)),
            *_completing(with_company, title_of_meeting(self._questions)),
            *_completing(with_coordinates, coordinates_of(self._questions)),
            *_completing(with_condition, conditions[0] if len(conditions) == 1 else None),
            *_completing(with_percent, percent),
            *_completing(with_currency, currency_of(self._questions)),
        )
        self._only_reads = function.type == "query"
        self._merged = merged_of(action, self._questions)
        self._pairs = pairs_of(self._questions)
        self._swap = swap_of(self._questions)
        self._nested = nested_of(function, self._questions)
        self._timing = Timing(
            self._questions,
            moves=verb_class is VerbClass.UPDATE,
            meets=not self._only_reads and not _MEETINGS.isdisjoint(word.folded for word in action_words),
            only_reads=self._only_reads,
            reports=not _REPORTS.isdisjoint(word.folded for word in action_words),
        )
        self._for_good = function.meta is not None and function.meta.destructive
        # What can't be undone is not done in a way that others meant.
        self._known = None if known is None or self._for_good else known.of(function.name, self._questions)
        # What only reads pays nothing, whatever sum it asks for; and where a share may be chosen, it is no sum.
        takes_shares = self._only_reads or percent is not None
        self._sums = frozenset(each.path for each in self._questions if not takes_shares and asks_for_sum(each.schema))
        self._means_all = any(
            each.path in self._sums and "left out" in str(each.schema.get("description")) for each in self._questions
        )
        self._required = parameters.required
        self._slots = {slot.path: slot for slot in slots_of(function)}
        self._of_ids = frozenset(path for path, slot in self._slots.items() if slot.opaque)
        self._schemas = {name: compiled(schema) for name, schema in parameters.properties.items()}
        self._reader = reader

    def fill(self, reading: Reading, now: datetime | None, gloss: Gloss | None = None) -> ArgumentPrediction:
        """
        Return the arguments that a prompt gives; without `now`, a date that counts from today is left out.

        Of a prompt in another language its `gloss` is read, and what is found is given in the prompt's own words.
        """
        odds = self._known.odds(self._reader.vector(reading.prompt)) if self._known else {}
        replies = self._reader.replies(reading.prompt, self._heading, self._questions, odds)
        replies = [with_labelled(reply, reading.prompt) for reply in replies]
        replies = with_whole_names(with_enumerated(replies, reading.prompt), self._of_ids, reading.prompt)
        halves = owner_and_name(self._halves, replies, reading.of_kind(Kind.SLUG)) if self._halves is not None else []
        found = filled(replies, reading.prompt, now, self._validators, self._of_ids, halves, for_good=self._for_good)
        if self._sums and self._asks_for_share(replies, found, reading.prompt):
            # How much that is nobody knows here, and what is left out may be all of it, as in a refund.
            return ArgumentPrediction(arguments={}, missing=tuple(self._required), evidence={}, confidence=0.0)
        if self._merged is not None:
            found = with_merged(self._merged, found, reading.prompt)
        if self._nested:
            found = as_nested(self._nested, found, reading.prompt)
        if self._swap is not None:
            found = in_order(self._swap, found, reading.prompt)
        found = as_added_or_taken(self._pairs, with_whole_texts(found, reading.prompt), reading.prompt)
        values = [said for value in found if self._may_be(value, reading) if (said := self._as_said(value, reading))]
        values += formed(self._forms, values, reading.prompt)
        values = self._addressees.with_copies(values, reading)
        values += self._addressees.filled(values, reading)
        for completed in self._completions:
            values = completed(values, reading.prompt)
        values = self._timing.told(values, reading.prompt, now)
        arguments, evidence = _given(values, reading.prompt, gloss)
        arguments = {name: value for name, value in arguments.items() if self._is_valid(name, value)}
        evidence = {path: words for path, words in evidence.items() if path.split(".")[0] in arguments}
        missing = tuple(name for name in self._required if name not in arguments)
        sure = [value.confidence for value in values if value.question.path[0] in arguments]
        confidence = round(sum(sure) / (len(sure) + len(missing)), 3) if sure else 0.0 if missing else 1.0
        named = self._named(reading, found, evidence, gloss)
        return ArgumentPrediction(
            arguments=arguments, missing=missing, evidence=evidence, confidence=confidence, named=named
        )

    def _asks_for_share(self, replies: Sequence[Reply], found: Sequence[Filled], prompt: str) -> bool:
        """Whether a prompt says a share where a sum is asked for, or one that nothing takes while a sum stays open."""
        if any(_says_share(reply, prompt) for reply in replies if reply.question.path in self._sums):
            return True
        if self._sums <= {value.question.path for value in found}:
            return False
        spoken_of = [*shares_in(prompt), *(sums_in(prompt) if self._means_all else ())]
        return any(not any(value.overlaps(*part) for value in found) for part in spoken_of)

    def _named(
        self, reading: Reading, found: Sequence[Filled], evidence: Mapping[str, str], gloss: Gloss | None
    ) -> dict[str, str]:
        """Return the names that the prompt gives in place of ids, in the order of the parameters."""
        named: dict[str, str] = {}
        for value in sorted(found, key=lambda each: self._questions.index(each.question)):
            path, words = ".".join(value.question.path), reading.prompt[value.start : value.end]
            is_asked_for = path not in evidence and value.question.path in self._of_ids
            slot = self._slots[value.question.path] if is_asked_for else None
            if words and slot is not None and not (is_when(value, reading) or is_the_usual(words, slot)):
                name = without_kind(words, slot)
                named[path] = name if gloss is None else gloss.as_said(name, value.start, value.end)
        return named

    def _may_be(self, value: Filled, reading: Reading) -> bool:
        """Whether a value has a shape that its argument takes."""
        shapes = self._shapes.get(value.question.path[0], frozenset())
        if has_other_shape(value.question, value.value, shapes):
            return False
        return not (self._is_something_else(value, reading) or self._is_name_of_something_with_an_id(value, reading))

    def _as_said(self, value: Filled, reading: Reading) -> Filled | None:
        """Return a value as the prompt has it: all of "shop/backend", and False for what is denied."""
        if value.question.answer not in (Answer.WORDS, Answer.LIST):
            return as_said(value, self._slots[value.question.path], reading)
        if not isinstance(value.value, str) or not _takes_slugs(value.question):
            return value
        whole = next((each for each in reading.of_kind(Kind.SLUG) if each.covers(value.start, value.end)), None)
        if whole is None or value.start == value.end:
            return value
        return evolve(value, value=whole.value, start=whole.start, end=whole.end)

    def _is_valid(self, name: str, value: Any) -> bool:
        schema = self._schemas.get(name)
        return schema is not None and schema.is_valid(value)

    def _is_something_else(self, value: Filled, reading: Reading) -> bool:
        """Whether the words for an id are a time or a telephone number: "my 3pm meeting" is not meeting 3."""
        slot = self._slots.get(value.question.path)
        if slot is None or not slot.is_identifier:
            return False
        moments = reading.of_kind(Kind.MOMENT)
        if isinstance(value.value, str) and _PHONE.fullmatch(value.value):
            return _TAKES_PHONE.search(value.question.text) is None
        if not isinstance(value.value, int):
            return any(moment.covers(value.start, value.end) for moment in moments)
        figure = reading.prompt.rfind(str(value.value), value.start, value.end)
        if figure >= 0 and _GOES_ON.match(reading.prompt, figure + len(str(value.value))):
            return True  # "zoom 845 220 19" isn't the meeting 845
        before = reading.prompt[:figure]
        is_phone = "+" in reading.prompt[max(0, value.start - 1) : value.start + 1]
        is_phone = is_phone or (_YEARS.fullmatch(str(value.value)) is not None and _is_in_a_name(before, slot))
        return is_phone or any(moment.overlaps(value.start, value.end) for moment in moments)

    def _is_name_of_something_with_an_id(self, value: Filled, reading: Reading) -> bool:
        """Whether an id is asked for and the prompt only has a name: nobody can tell the id from that."""
        if value.question.path not in self._of_ids or not any(map(str.isalpha, str(value.value))):
            return False
        found = reading.of_kind(Kind.IDENTIFIER, Kind.NUMBER, Kind.EMAIL, Kind.SLUG, Kind.URL)
        if isinstance(value.value, list) and len(value.value) > 1:
            ids = {reading.prompt[mention.start : mention.end] for mention in found}
            return not ids.issuperset(map(str, value.value))
        return not any(mention.covers(value.start, value.end) for mention in found)


def _completing(
    complete: Callable[[_Asked, list[Filled], str], list[Filled]], asked: _Asked | None
) -> list[_Completion]:
    """Return what completes the values with those of some arguments; nothing if a function doesn't ask for them."""
    return [] if asked is None else [partial(complete, asked)]


def _given(values: Sequence[Filled], prompt: str, gloss: Gloss | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return values as arguments, and the words that they came from; those of a gloss as the prompt has them."""
    arguments: dict[str, Any] = {}
    evidence: dict[str, str] = {}
    for value in values:
        words, said = prompt[value.start : value.end], value.value
        if gloss is not None and words:
            words = gloss.words(value.start, value.end)
            if value.question.answer in (Answer.WORDS, Answer.LIST):
                said = gloss.as_said(said, value.start, value.end)
        put_at(arguments, value.question.path, said)
        if words:  # a text is its own evidence
            own = isinstance(said, str) and said in words
            evidence[".".join(value.question.path)] = said if own else words
    return arguments, evidence


def _is_in_a_name(before: str, slot: Slot) -> bool:
    """Whether a number is the end of a name: "Best jackets 2019" is no post 2019."""
    name = _END_OF_NAME.search(before[-40:])
    return name is not None and all(word.stem not in slot.words for word in words_of(name[0])[-1:])


def _says_share(reply: Reply, prompt: str) -> bool:
    """Whether the words for a sum of money surely are a share: "refund half of it"."""
    best = reply.spans[0] if reply.spans else None
    if reply.question.answer is not Answer.WORDS or best is None or best.confidence < SURE:
        return False
    return is_share_of_sum(prompt[best.start : best.end + len(" percent")], reply.question.schema)


def _takes_slugs(question: Question) -> bool:
    """Whether an argument is a branch, or its example or description shows a name behind that of its group or owner."""
    return question.name.split()[-1] in _BRANCHES or _SLUG.search(description_and_example(question.schema)) is not None
