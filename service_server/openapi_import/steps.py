"""Imports a document: the steps in their order."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from service_server.openapi_import.answers import read_answer
from service_server.openapi_import.app import Servers, describe_app, find_account, find_servers, shared_headers
from service_server.openapi_import.bodies import map_body
from service_server.openapi_import.document import Document, Fault, ImportRefused, LeftOut, refused
from service_server.openapi_import.draft import Draft, set_words
from service_server.openapi_import.flatten import Flattener
from service_server.openapi_import.naming import name_functions
from service_server.openapi_import.operations import Operation, choose_operations
from service_server.openapi_import.paging import paginate
from service_server.openapi_import.parameters import credential_parameters, map_parameters
from service_server.openapi_import.read import open_document, read_source
from service_server.openapi_import.report import Flattening, Report
from service_server.openapi_import.signing_in import find_ways
from service_server.openapi_import.sources import propose_sources
from service_server.openapi_import.write import faults_of, give_reasons, too_large, write_connector, yaml_of

_MOST_FAULTS = 20


@frozen
class Choice:
    """What is asked for: no title is the document's, nothing to include all; `keeps_all` has what nobody needs, too."""

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
    """Import a document and write its connector's folder; raises `ImportRefused`, `FileExistsError` for the folder."""
    folder = directory / choice.name
    if folder.exists():
        raise FileExistsError(str(folder))
    value, digest = read_source(file)
    imported = import_document(value, choice)
    imported.report.source, imported.report.sha256 = file.name, digest
    write_connector(folder, imported.connector, imported.texts, imported.report.markdown(imported.connector["title"]))
    return folder, imported


def import_document(value: Any, choice: Choice) -> Imported:
    """Make a connector of a document's content; raises `ImportRefused` where that isn't possible."""
    report = Report()
    document, report.version = open_document(value)
    operations = choose_operations(document, choice.include, choice.keeps_all, report)
    app = describe_app(document, choice.name, choice.title)
    servers = find_servers(document, operations, report)
    drafts = _drafts(document, operations, servers, choice.keeps_all, report)
    pagination = paginate(drafts)
    name_functions(drafts, choice.name)
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
    return _passing({key: part for key, part in connector.items() if part}, drafts, report)


def _drafts(
    document: Document, operations: Sequence[Operation], servers: Servers, keeps_all: bool, report: Report
) -> list[Draft]:
    credentials = credential_parameters(document, operations)
    drafts: list[Draft] = []
    faults: dict[Fault, None] = {}
    for operation in operations:
        draft = Draft(operation, Flattener(document, keeps_all), read_answer(document, operation))
        try:
            prefix = servers.prefixes[operation.label]
            if prefix is None:
                raise LeftOut("it is on another server than most")
            map_parameters(draft, prefix, credentials)
            map_body(draft)
        except LeftOut as reason:
            report.operations_left_out.append((operation.label, str(reason)))
        except ImportRefused as error:
            faults |= dict.fromkeys(error.faults)
        else:
            drafts.append(draft)
    if faults:
        more = [Fault("", f"and {len(faults) - _MOST_FAULTS} more")] if len(faults) > _MOST_FAULTS else []
        raise ImportRefused([*list(faults)[:_MOST_FAULTS], *more])
    if not drafts:
        raise refused(f"no operation could be imported: {report.operations_left_out[0][1]}", "#/paths")
    return drafts


def _passing(connector: dict[str, Any], drafts: list[Draft], report: Report) -> Imported:
    """Leave out what the check refuses, again and again, since others may have had it as their source."""
    while True:
        report.sources = propose_sources(drafts)
        for draft in drafts:
            set_words(draft, connector["title"])
        functions = {draft.stem: draft.content() for draft in drafts}
        if not (faults := faults_of(connector, functions)):
            report.typed_in, report.unsearched = give_reasons(connector["name"], functions)
            texts = {stem: yaml_of(function) for stem, function in functions.items()}
            if not (faults := too_large(functions, texts)):
                _tell(report, drafts)
                return Imported(connector, functions, texts, report)
        refusals = [(draft.operation.label, faults[draft.stem]) for draft in drafts if draft.stem in faults]
        report.operations_left_out += [(label, f"the function made of it is refused: {why}") for label, why in refusals]
        drafts = [draft for draft in drafts if draft.stem not in faults]
        if not drafts:
            raise refused(f"no function passes the check: {next(iter(faults.values()))}")


def _tell(report: Report, drafts: Sequence[Draft]) -> None:
    found = sorted((draft.stem, draft.flattener) for draft in drafts)
    report.functions = [stem for stem, _ in found]
    report.types = Counter(sorted("query" if draft.operation.looks else "mutation" for draft in drafts))
    report.paginated = sum(bool(draft.paginate) for draft in drafts)
    report.without_example = sorted(draft.stem for draft in drafts if not draft.example)
    report.flattened = [Flattening(stem, *each) for stem, of in found for each in sorted(of.notes)]
    report.unneeded_parameters = [Flattening(stem, *each) for stem, of in found for each in sorted(of.unneeded)]
    report.lost = [Flattening(stem, *each) for stem, of in found for each in sorted(of.lost)]
    report.limits = Counter(sorted(limit for _, of in found for limit in of.limits))
