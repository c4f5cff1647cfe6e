"""The events that the service's code writes, with their fields, as its syntax says."""

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

SOURCES = Path(__file__).parents[3] / "service_server"
_HOOKS = SOURCES / "connectors"  # which can write none
_LEVELS = ("debug", "info", "warning", "error", "exception")


def events_in_code() -> dict[str, frozenset[str]]:
    """The fields of every event by its name, those of all places together."""
    files = [path for path in sorted(SOURCES.rglob("*.py")) if path.name != "events.py" and _HOOKS not in path.parents]
    modules = [list(ast.walk(ast.parse(path.read_text()))) for path in files]
    functions = [{each.name: each for each in nodes if isinstance(each, ast.FunctionDef)} for nodes in modules]
    everywhere = {name: each for found in functions for name, each in found.items()}
    events: dict[str, set[str]] = {}
    for nodes, own in zip(modules, functions, strict=True):
        known, tellers = {**everywhere, **own}, _tellers(nodes)
        for call in (each for each in nodes if isinstance(each, ast.Call)):
            for name, fields in _events(call, known, tellers):
                events.setdefault(name, set()).update(fields)
    return {name: frozenset(fields) for name, fields in events.items()}


def _tellers(nodes: Iterable[ast.AST]) -> set[str]:
    """What a module imports to tell events with."""
    return {
        each.name
        for found in nodes
        if isinstance(found, ast.ImportFrom) and found.module == "service_server.events"
        for each in found.names
        if each.name in ("tell", "warn")
    }


def _events(
    call: ast.Call, known: Mapping[str, ast.FunctionDef], tellers: Container[str]
) -> Iterator[tuple[str, set[str]]]:
    """What a call writes: by a logger or `tell`; or, where it is work that is repeated, when that fails."""
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "_LOG":
        if function.attr not in (*_LEVELS, "log"):
            return
        name = call.args[1 if function.attr == "log" else 0]
        if isinstance(name, ast.Name) and name.id == "failure":  # `repeated`, whose callers name the event
            return
        yield _text(name), _fields(call, known) | ({"exception"} if function.attr == "exception" else set())
    elif isinstance(function, ast.Name) and function.id in tellers:
        yield _text(call.args[0]), _fields(call, known)
    elif isinstance(function, ast.Name) and function.id == "repeated":
        yield _text(call.args[2]), {"reason", "exception"}


def _text(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant), ast.unparse(node)
    assert isinstance(node.value, str), ast.unparse(node)
    return node.value


def _fields(call: ast.Call, known: Mapping[str, ast.FunctionDef]) -> set[str]:
    fields: set[str] = set()
    for keyword in call.keywords:
        if keyword.arg is None:
            fields |= _returned(keyword.value, known)
        else:
            fields.add("exception" if keyword.arg == "exc_info" else keyword.arg)
    return fields


def _returned(value: ast.expr, known: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The keys of a dictionary that stands there, or that a function returns."""
    if isinstance(value, ast.Dict):
        return {_text(key) for key in value.keys if key is not None}
    assert isinstance(value, ast.Call), ast.unparse(value)
    name = value.func.attr if isinstance(value.func, ast.Attribute) else ast.unparse(value.func)
    returns = [each for each in ast.walk(known[name]) if isinstance(each, ast.Return)]
    assert returns[0].value is not None, name
    return _returned(returns[0].value, known)
