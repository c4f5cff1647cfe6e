"""Fill one function's arguments with the trained reader, and with rules where it finds nothing."""

from datetime import UTC, datetime
from typing import Any

from service_client.models import Function
from service_server.predict.arguments.filling import ArgumentFiller
from service_server.predict.mentions import Kind
from service_server.predict.reader.filling import Filled, filled, validators_of
from service_server.predict.reader.moments import asks_for_a_form
from service_server.predict.reader.questions import heading_of, questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reader.slugs import owner_and_repository
from service_server.predict.reading import Reading
from service_server.predict.values import ArgumentPrediction


class ReaderFiller:
    """Reads the arguments of one function from prompts; its questions and schemas are made once."""

    def __init__(self, function: Function, reader: Reader) -> None:
        parameters = function.parameters
        self._heading = heading_of(function.name, function.description)
        self._questions = questions_of({"properties": parameters.properties, "required": list(parameters.required)})
        self._validators = validators_of(self._questions)
        self._required = parameters.required
        self._in_described_form = {  # which the rules know nothing of
            question.path[0]
            for question in self._questions
            if "format" not in question.schema and asks_for_a_form(question.schema)
        }
        self._rules = ArgumentFiller(function)
        self._reader = reader

    def fill(self, reading: Reading, now: datetime | None) -> ArgumentPrediction:
        """Return the arguments that a prompt gives; without `now` a date that counts from today is left out."""
        replies = self._reader.replies(reading.prompt, self._heading, self._questions)
        found = filled(replies, reading.prompt, now, self._validators)
        values = [value for value in found if not self._is_name_of_something_with_an_id(value, reading)]
        arguments: dict[str, Any] = {}
        evidence: dict[str, str] = {}
        for value in values:
            put_at(arguments, value.question.path, value.value)
            words = reading.prompt[value.start : value.end]
            if words:  # a text is its own evidence
                own = isinstance(value.value, str) and value.value in words
                evidence[".".join(value.question.path)] = value.value if own else words
        ruled = self._rules.fill(reading, now or datetime.now(UTC))
        for name in self._required:
            if name not in arguments and name in ruled.arguments and name not in self._in_described_form:
                arguments[name] = ruled.arguments[name]
                evidence |= {path: words for path, words in ruled.evidence.items() if path.split(".")[0] == name}
        halves = owner_and_repository(self._questions, arguments)
        arguments |= halves
        evidence |= halves  # both stand in the prompt as they are
        arguments = {name: value for name, value in arguments.items() if self._rules.is_valid(name, value)}
        evidence = {path: words for path, words in evidence.items() if path.split(".")[0] in arguments}
        missing = tuple(name for name in self._required if name not in arguments)
        sure = [value.confidence for value in values if value.question.path[0] in arguments]
        confidence = round(sum(sure) / (len(sure) + len(missing)), 3) if sure else 0.0 if missing else 1.0
        filled_in = {".".join(value.question.path) for value in values}
        named = {path: words for path, words in ruled.named.items() if path not in filled_in}
        for value in found:
            path, words = ".".join(value.question.path), reading.prompt[value.start : value.end]
            if path not in filled_in and words:
                named[path] = words
        return ArgumentPrediction(
            arguments=arguments, missing=missing, evidence=evidence, confidence=confidence, named=named
        )

    def _is_name_of_something_with_an_id(self, value: Filled, reading: Reading) -> bool:
        """Whether an id is asked for and the prompt has but a name: nobody can know the id from that."""
        if not self._rules.is_opaque(value.question.path):
            return False
        found = reading.of_kind(Kind.IDENTIFIER, Kind.NUMBER, Kind.EMAIL, Kind.SLUG)
        return not any(mention.start <= value.start and value.end <= mention.end for mention in found)


def put_at(target: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set the argument at a path; names may hold dots."""
    for name in path[:-1]:
        target = target.setdefault(name, {})
    target[path[-1]] = value
