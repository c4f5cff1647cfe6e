"""Functions from a file of JSON lines; types and apps that it doesn't give are guessed on the safe side."""

from collections.abc import Mapping, Sequence
from typing import Any

from service_client.models import Function, FunctionApp, FunctionMeta, FunctionType, Parameters
from service_server.predict.app_names import known_app
from service_server.predict.candidate import Candidate
from service_server.predict.mood_words import VERBS
from service_server.predict.verbs import VerbClass, function_verb
from service_server.predict.words import identifier_words, stem, word_set, words_of

_TYPES: tuple[FunctionType, ...] = ("query", "mutation", "passthrough")
_SHARE_OF_APPS = 0.5
# These change nothing, and no request has them as its verb.
_REASONING = word_set(
    """calculate compute estimate convert analyze analyse predict recommend evaluate solve detect identify translate
    determine assess validate verify suggest classify simulate measure forecast optimize summarize count sort filter
    answer"""
)

_REASONING_STEMS = frozenset(map(stem, _REASONING))


def candidates_in(entries: Sequence[Mapping[str, Any]]) -> list[Candidate]:
    """
    Return the functions of a catalogue's entries: `{"name", "description", "parameters"}` each.

    An entry may also have `type`, `destructive`, `app_title` and `app_also_called` (a list). Raises KeyError,
    TypeError, ValueError or AttributeError for an entry that is not a function.
    """
    names = [str(entry["name"]) for entry in entries]
    known = [_app(name) for name in names]
    all_have_apps = sum(map(bool, known)) > _SHARE_OF_APPS * len(names)
    found = []
    for entry, name, app in zip(entries, names, known, strict=True):
        if entry.get("app_title") or (all_have_apps and not app):
            app = name.partition("-")[0]
        title = str(entry.get("app_title") or " ".join(word.folded for word in identifier_words(app)).title())
        found.append(_candidate(entry, name, app, title))
    return found


def guessed_type(name: str, description: str) -> FunctionType:
    """Return "mutation" if the name contains a verb of change or, failing that, the description begins with one."""
    explains = any(word.stem in _REASONING_STEMS for word in words_of(description)[:1])
    if explains and function_verb(identifier_words(name)[:1]) is None:
        return "query"  # "finance-dividend-per-share: Calculate …" shares nothing
    for words in (identifier_words(name), words_of(description)[:1]):
        verb = function_verb(words)
        first = next((word.folded for word in words if word.folded in _REASONING or function_verb([word])), "")
        if verb is None and not first and words and words[0].folded in VERBS:
            return "mutation"  # "transfer-money": nobody knows; a query taken for a mutation loses little
        if verb is not None or first:
            return "query" if first in _REASONING or verb is None or verb[0] is VerbClass.READ else "mutation"
    return "query"


def _app(name: str) -> str:
    """Return the app before a function's first hyphen, if it is a known one or is written in several words."""
    first, hyphen, _ = name.partition("-")
    return known_app(name) or (first if hyphen and "_" in first else "")


def _candidate(entry: Mapping[str, Any], name: str, app: str, title: str) -> Candidate:
    parameters = entry.get("parameters") or {}
    description = str(entry.get("description", ""))
    action = name.removeprefix(app) if app else name
    kind = entry.get("type") or guessed_type(action, description)
    if kind not in _TYPES:
        raise ValueError(f"a type that is none of {', '.join(_TYPES)}")
    meta = None
    if "destructive" in entry:
        shown = FunctionApp(name=app, title=title, icon_url="")
        meta = FunctionMeta(app=shown, title="", type=kind, destructive=bool(entry["destructive"]))
    function = Function(
        name=name,
        description=description,
        parameters=Parameters(
            properties=dict(parameters.get("properties") or {}), required=tuple(parameters.get("required") or ())
        ),
        type=kind,
        meta=meta,
    )
    called = tuple(map(str, entry.get("app_also_called", ())))
    return Candidate(function=function, title="", app_name=app, app_title=title, app_also_called=called)
