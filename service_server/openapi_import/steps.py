"""Imports a document: the steps in their order."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from service_server.openapi_import.answers import read_answer
from service_server.openapi_import.bodies import map_body
from service_server.openapi_import.document import Document
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.flatten import Flattener
from service_server.openapi_import.kinds import set_example, set_kind, set_words
from service_server.openapi_import.naming import name_functions
from service_server.openapi_import.operations import Operation, choose_operations, possible_operations
from service_server.openapi_import.overview import describe_app, find_account, shared_headers
from service_server.openapi_import.paging import Declared, find_paging
from service_server.openapi_import.parameters import credential_parameters, map_parameters
from service_server.openapi_import.problems import Fault, ImportRefused, LeftOut
from service_server.openapi_import.read import read_source
from service_server.openapi_import.report import Flattening, Report
from service_server.openapi_import.servers import Servers, find_servers
from service_server.openapi_import.signing_in import find_ways
from service_server.openapi_import.sources import propose_sources
from service_server.openapi_import.texts import is_plural, words_of
from service_server.openapi_import.unneeded import unneeded_operations
from service_server.openapi_import.verify import faults_of, give_reasons, too_large
from service_server.openapi_import.versions import open_document
from service_server.openapi_import.write import write_connector, yaml_of

_MOST_FAULTS = 20


@frozen
class Choice:
    """
    What is asked for: the app's name, its title (None: the document's), and which operations (empty: all).

    `keeps_all` keeps what nobody needs in a form as well.
    """

    name: str
    title: str | None = None
    include: Sequence[str] = ()
    keeps_all: bool = False


@frozen
class Imported:
    """A connector that passed the check; `functions` are its files by their stems, `texts` what is written of them."""

    connector: dict[str, Any]
    functions: dict[str, dict[str, Any]]
    texts: dict[str, str] = field(repr=False)
    report: Report


def import_file(file: Path, choice: Choice, directory: Path) -> tuple[Path, Imported]:
    """
    Import a document and write the connector's folder below a directory.

    Raises:
        ImportRefused: the document can't be imported; nothing was written.
        FileExistsError: the folder is there already; nothing was changed.
    """
    folder = directory / choice.name
    if folder.exists():
        raise FileExistsError(str(folder))
    source = read_source(file)
    imported = import_document(source.value, choice)
    imported.report.source, imported.report.digest = source.name, source.digest
    markdown = imported.report.markdown(imported.connector["title"])
    write_connector(folder, imported.connector, imported.texts, markdown)
    return folder, imported


def import_document(value: Any, choice: Choice) -> Imported:
    """Make a connector of a document's content; raises `ImportRefused` where that isn't possible."""
    report = Report()
    document, report.version = open_document(value)
    operations = _operations(document, choice, report)
    app = describe_app(document, choice.name, choice.title)
    servers = find_servers(document, operations, report)
    credentials = credential_parameters(document, operations)
    drafts = _drafts(document, operations, servers, credentials, choice.keeps_all, report)
    pagination = _paginate(drafts)
    name_functions(drafts, choice.name, [_lists(draft) for draft in drafts])
    for draft in drafts:
        set_words(draft)
    connector = {
        **app,
        "vars": servers.variables,
        "base_url": servers.base_url,
        "headers": shared_headers(drafts),
        "auth": find_ways(document, servers, drafts, app["title"], report),
        **find_account(drafts),
        "retry": {"max": 2, "on": [429, 502, 503, 504], "methods": ["GET", "HEAD"]},
        "pagination": pagination,
    }
    connector = {key: part for key, part in connector.items() if part}
    report.sources = propose_sources(drafts)
    for draft in drafts:
        set_example(draft, app["title"])
    return _passing(connector, drafts, report)


def _operations(document: Document, choice: Choice, report: Report) -> list[Operation]:
    """Return the operations that functions are made of, without those that nobody needs unless all are asked for."""
    chosen = choose_operations(document, choice.include, report)
    if not choice.keeps_all:
        for operation, rule in unneeded_operations(document, chosen):
            if operation.path not in choice.include:  # which asks for it by its own path
                report.unneeded.append((operation.label, rule))
        spared = {label for label, _ in report.unneeded}
        chosen = [each for each in chosen if each.label not in spared]
    return possible_operations(chosen, report)


def _drafts(
    document: Document,
    operations: Sequence[Operation],
    servers: Servers,
    credentials: frozenset[tuple[str, str]],
    keeps_all: bool,
    report: Report,
) -> list[Draft]:
    drafts: list[Draft] = []
    faults: list[Fault] = []
    for operation in operations:
        draft = Draft(operation, Flattener(document, keeps_all), read_answer(document, operation))
        try:
            prefix = servers.prefix(operation)
            if prefix is None:
                raise LeftOut("it is on another server than most")
            map_parameters(draft, document, prefix, credentials)
            map_body(draft, document)
        except LeftOut as reason:
            report.left_out(operation.label, str(reason))
        except ImportRefused as error:
            faults.extend(error.faults)
        else:
            set_kind(draft)
            drafts.append(draft)
    different = list(dict.fromkeys(faults))
    if len(different) > _MOST_FAULTS:
        different[_MOST_FAULTS:] = [Fault("", f"and {len(different) - _MOST_FAULTS} more")]
    if different:
        raise ImportRefused(different)
    if not drafts:
        raise ImportRefused([Fault("#/paths", "no operation could be imported: " + report.operations_left_out[0][1])])
    return drafts


def _lists(draft: Draft) -> bool:
    """Whether a function lists things; where the document doesn't tell its answer, by the last word of its path."""
    words = words_of(draft.operation.last_segment)
    looks_so = (
        draft.type == "query" and not draft.operation.ends_with_parameter and bool(words) and is_plural(words[-1])
    )
    return draft.answer.is_list or (not draft.answer.is_known and looks_so)


def _paginate(drafts: Sequence[Draft]) -> dict[str, Declared]:
    """Find how each list is paged, and return the different ways by the names that functions refer to."""
    ways: dict[str, Declared] = {}
    names = {
        "link": "links",
        "cursor": "cursor",
        "page": "pages",
        "offset": "offset",
        "body_url": "next_url",
        "header_url": "next_url",
    }
    for draft in drafts:
        declared = find_paging(draft)
        if draft.type == "query" and draft.answer.path:
            draft.output = draft.answer.output
        if declared is None:
            continue
        base, number = names[declared["type"]], 2
        name = base
        while ways.setdefault(name, declared) != declared:
            name, number = f"{base}_{number}", number + 1
        draft.paginate = name
    return ways


def _passing(connector: dict[str, Any], drafts: list[Draft], report: Report) -> Imported:
    """Leave out what the check refuses, again and again, since others may have had it as their source."""
    while True:
        functions = {draft.stem: draft.content() for draft in drafts}
        faults = faults_of(connector, functions)
        if not faults:
            report.typed_in, report.unsearched = give_reasons(connector["name"], functions)
            texts = {stem: yaml_of(function) for stem, function in functions.items()}
            faults = too_large(functions, texts)
        if not faults:
            _tell(report, drafts)
            return Imported(connector, functions, texts, report)
        for draft in [draft for draft in drafts if draft.stem in faults]:
            report.left_out(draft.operation.label, f"the function made of it is refused: {faults[draft.stem]}")
        drafts = [draft for draft in drafts if draft.stem not in faults]
        if not drafts:
            raise ImportRefused([Fault("", f"no function passes the check: {next(iter(faults.values()))}")])
        report.sources = propose_sources(drafts)


def _tell(report: Report, drafts: Sequence[Draft]) -> None:
    report.functions = [draft.stem for draft in drafts]
    report.types = Counter(draft.type for draft in drafts)
    report.paginated = sum(bool(draft.paginate) for draft in drafts)
    report.without_example = [draft.stem for draft in drafts if draft.example is None]
    for draft in drafts:
        report.flattened.extend(Flattening(draft.stem, where, what) for where, what in draft.flattener.notes)
        report.unneeded_parameters.extend(Flattening(draft.stem, *each) for each in draft.flattener.unneeded)
        report.lost.extend(Flattening(draft.stem, where, what) for where, what in draft.flattener.lost)
        report.limits.update(draft.flattener.limits)
