"""Checks a connector as `connector check` does, and writes its folder, all or nothing, in YAML as people write it."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.representer import SafeRepresenter

from service_server.catalog.connector_file import App, check_connector
from service_server.catalog.connector_folder import check_functions
from service_server.catalog.document import CORE_SCHEMA, MAX_BYTES, MAX_NODES, Document
from service_server.catalog.fillable import in_order, lacks
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.hooks import Hooks
from service_server.catalog.icons import plain_icon
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report
from service_server.catalog.schemas import read_form
from service_server.openapi_import.document import Fault, ImportRefused
from service_server.openapi_import.report import Flattening

Files = Mapping[str, Mapping[str, Any]]
_TYPED_IN = "The description that this was imported from doesn't tell where people find it."
_UNSEARCHED = "The description that this was imported from has no search for it."
_WIDTH: Final = 120
_LONGEST_WORD: Final = 12  # a folded line ends after the word that reaches the width
_ALWAYS_BLOCK: Final = ("properties", "auth", "fields", "vars", "pagination", "examples", "parameters")
_SCALARS: Final = SafeRepresenter()


def faults_of(connector: Mapping[str, Any], functions: Files) -> dict[str, str]:
    """Return what is wrong with functions, by their stems; raises `ImportRefused` for what is with the connector."""
    folder = Path(str(connector["name"]))
    report = Report(Document(folder / "connector.yaml", connector))
    declared: DeclaredConnector | None = read_form(report, "connector")
    if declared is not None:
        check_connector(report, declared)
    if declared is None or report.problems:
        raise ImportRefused([Fault("", f"the connector made of it is wrong: {each}") for each in report.problems])
    own = {stem: Report(Document(folder / f"{stem}.yaml", function)) for stem, function in functions.items()}
    check_functions(App(declared, Hooks()), own)
    wrong = {stem: [f"{each.key}: {each.message}" for each in found.problems[:3]] for stem, found in own.items()}
    return {stem: "; ".join(told) for stem, told in wrong.items() if told}


def too_large(functions: Files, texts: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with functions whose files, of these texts, would be too large."""
    why = "its file would be larger than a connector's file may be"
    sizes = ((stem, len(text.encode()), _count(functions[stem])) for stem, text in texts.items())
    return {stem: why for stem, length, count in sizes if length > MAX_BYTES or count > MAX_NODES}


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(2 + _count(each) for each in value.values())
    return 1 + sum(map(_count, value)) if isinstance(value, list) else 1


def give_reasons(app: str, functions: dict[str, dict[str, Any]]) -> tuple[list[Flattening], list[str]]:
    """Write into functions why ids have no choices and lists no search, and return both; drop what nobody would say."""
    field: Any
    for function in functions.values():
        for _, field in walk_fields(function["parameters"]):
            field.pop("x-typed-in", None)  # given before, when more functions were there
    typed_in: list[Flattening] = []
    unsearched: dict[str, None] = {}
    for stem, lack in [(each, lack) for each in functions for lack in lacks(each, app, functions)]:
        if lack.kind == "x-typed-in":
            field = functions[stem]
            for key in lack.at:
                field = field[key]
            field["x-typed-in"] = _TYPED_IN
            while field["type"] == "array":
                field = field["items"]
            what = "is an object without fields" if field["type"] == "object" else "is an id without choices"
            typed_in.append(Flattening(stem, lack.of, what))
        elif lack.kind == "unsearched":
            functions[lack.of]["unsearched"] = _UNSEARCHED
            unsearched[lack.of] = None
        elif lack.kind == "order":
            parameters = functions[stem]["parameters"]
            parameters["properties"] = in_order(parameters["properties"])
        else:
            functions[stem].pop("examples", None)  # an import gives one at most
    return sorted(typed_in), sorted(unsearched)


def write_connector(folder: Path, connector: Mapping[str, Any], functions: Mapping[str, str], report: str) -> None:
    """Write a checked connector, its functions' texts by their stems; `FileExistsError` where the folder is there."""
    if folder.exists() or folder.is_symlink():
        raise FileExistsError(str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    # A service that watches the folder of connectors takes the one around it for no connector, and this one not yet.
    around = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    unfinished = around / folder.name
    try:
        (unfinished / "functions").mkdir(parents=True)
        # With a blank line before each part, as people write it.
        head = ("name", "title", "description", "docs_url")
        parts = [("" if key in head else "\n") + yaml_of({key: value}) for key, value in connector.items()]
        contents = {
            "connector.yaml": "".join(parts),
            "icon.svg": plain_icon(connector["name"], connector["title"]),
            "IMPORT.md": report,
            **{f"functions/{stem}.yaml": text for stem, text in functions.items()},
        }
        for name, text in contents.items():
            (unfinished / name).write_text(text, encoding="utf-8")
        unfinished.rename(folder)
    finally:
        shutil.rmtree(around, ignore_errors=True)


class _Dumper(yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper):  # type: ignore[misc]
    """Puts texts in quotes that YAML 1.1, by PyYAML's own rules, or 1.2, by ours, would read as something else."""


for _tag, _pattern, _first in CORE_SCHEMA:
    _Dumper.add_implicit_resolver(_tag, _pattern, _first)


def yaml_of(value: Mapping[str, Any]) -> str:
    """Return an object as the text of a YAML file."""
    node, _ = _node(value, 0, 0)
    text: str = yaml.serialize(node, Dumper=_Dumper, allow_unicode=True, width=_WIDTH - _LONGEST_WORD)
    return text


def _node(value: Any, indent: int, room: int) -> tuple[Node, int]:
    """Return the node of a value, and its length on one line; it takes one where that is no more than `room`."""
    if isinstance(value, list):
        items = [_node(each, indent + 2, 0 if isinstance(each, Mapping) else _WIDTH - indent - 2) for each in value]
        length = 2 * len(items) + sum(each for _, each in items)
        return SequenceNode("tag:yaml.org,2002:seq", [node for node, _ in items], flow_style=length <= room), length
    if not isinstance(value, Mapping):
        return _scalar(value, room)
    pairs: list[tuple[Node, Node]] = []
    length = 0
    for key, each in value.items():
        key_node, key_length = _scalar(key, _WIDTH)
        left = 0 if key in _ALWAYS_BLOCK and isinstance(each, Mapping | list) else _WIDTH - indent - key_length - 2
        node, node_length = _node(each, indent + 2, left)
        pairs.append((key_node, node))
        length += key_length + node_length + 4
    is_flow = length <= room and "description" not in value
    return MappingNode("tag:yaml.org,2002:map", pairs, flow_style=is_flow), length


def _scalar(value: Any, room: int) -> tuple[ScalarNode, int]:
    node: ScalarNode = _SCALARS.represent_data(value)
    if isinstance(value, str) and not value.isprintable():
        node.style = '"'
    elif isinstance(value, str) and len(value) + 2 > room:
        node.style = ">" if " ".join(value.split()) == value else '"'
    return node, len(node.value) + (2 if '"' in node.value or "{" in node.value else 0)
