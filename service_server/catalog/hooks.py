"""
The hooks of a connector: pure functions in its `hooks.py`, for what its data can't say.

There are two kinds, named by function files: `prepare` makes of a call's arguments what the request's templates find
under `prepared`, and `reshape` makes of a successful answer the body that `output` picks from. A second argument of
`prepare` is what the requests under `before` gave. A hook computes and does nothing else: it reads no file, asks no
server and keeps nothing, and what it may import is listed here.
"""

import ast
import builtins
import copy
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from service_server.catalog.expressions import Context, InvalidRequest
from service_server.catalog.folders import HOOKS_FILE
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.problems import Problem, nearest
from service_server.catalog.requests import Request
from service_server.onward.values import OnwardRequest

__all__ = ["HookFailed", "Hooks", "InvalidRequest", "PreparedRequest", "read_hooks", "unused_hooks"]

Hook: TypeAlias = Callable[..., Any]

MAX_BYTES = 64 * 1024
_SOURCE = "__source__"

# Modules of the standard library that only compute.
MODULES: Final = frozenset({
    "base64", "binascii", "calendar", "collections", "collections.abc", "datetime", "decimal", "email.headerregistry",
    "email.message", "email.policy", "email.utils", "enum", "fractions", "functools", "hashlib", "hmac", "html",
    "itertools", "json", "math", "operator", "re", "string", "textwrap", "typing", "unicodedata", "urllib.parse",
    "uuid", "zoneinfo",
})  # fmt: skip
# The one name of this service that a hook may import: the way to say what is wrong with an argument.
_OWN_MODULE = "service_server.catalog.hooks"
_OWN_NAME = "InvalidRequest"
_FORBIDDEN: Final = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "open", "print"}
)


class HookFailed(Exception):
    """A hook raised something, or returned what it must not: a defect of its connector, not of the call."""

    def __init__(self, hook: str, reason: str) -> None:
        super().__init__(f"{hook}: {reason}")
        self.hook = hook
        self.reason = reason


@frozen
class Hooks:
    """The hooks of one connector by their names; `usable` tells whether they can be used, `content` is their file's."""

    functions: Mapping[str, Hook] = field(factory=dict, repr=False)
    usable: bool = True
    content: bytes | None = field(default=None, repr=False, eq=False)

    def problem(self, name: str) -> str | None:
        """Say why a function file can't name a hook, None where it can (or the hooks' own file is at fault)."""
        if name in self.functions or not self.usable:
            return None
        if not self.functions:
            return f"there is no function '{name}', because the connector's folder has no {HOOKS_FILE}"
        return f"there is no function '{name}' in {HOOKS_FILE}{nearest(name, self.functions)}"


@frozen
class PreparedRequest:
    """
    A request whose templates find defaults where nobody gave a value, and under `prepared` what a hook makes of them.
    """

    template: Request
    prepare: Hook | None = field(repr=False)
    defaults: Mapping[str, Any] = field(repr=False)

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """Return the request, without credentials; raises InvalidRequest, and HookFailed for a defect of the hook."""
        context = {**context, "args": {**self.defaults, **context["args"]}}
        if self.prepare is None:
            return self.template.build(base_url, context)
        given = (dict(context["before"]),) if takes_before(self.prepare) else ()
        prepared = _run(self.prepare, context["args"], *given)
        if not isinstance(prepared, dict):
            kind = "nothing" if prepared is None else f"a {type(prepared).__name__}"
            raise HookFailed(_name(self.prepare), f"returned {kind} and not a dict")
        return self.template.build(base_url, {**context, "prepared": prepared})


def picked(body: Any, reshape: Hook | None, picker: Callable[[Any], Any] | None) -> Any:
    """Return the part of an answer that is relayed; the whole body where it isn't there. Raises HookFailed."""
    try:
        whole = body if reshape is None else _run(reshape, body)
    except InvalidRequest as problem:
        raise HookFailed(_name(reshape), "raised InvalidRequest, which only 'prepare' may") from problem
    part = whole if picker is None else picker(whole)
    return body if part is None else part


@frozen
class SourcedHook:
    """A hook as its source, so that it can be taken to another process."""

    file: Path
    content: bytes = field(repr=False)
    name: str

    @classmethod
    def of(cls, hook: Hook) -> "SourcedHook":
        """The source of a hook that was read from a connector's folder."""
        file, content = hook.__globals__[_SOURCE]
        return cls(file, content, _name(hook))

    def __call__(self, value: Any) -> Any:
        """Call the hook."""
        return _compiled(self.file, self.content).functions[self.name](value)


@lru_cache(maxsize=64)
def _compiled(file: Path, content: bytes) -> Hooks:
    return compile_hooks(file, content, [])


def unused_hooks(folder: Path, hooks: Hooks, functions: Iterable[DeclaredFunction]) -> list[Problem]:
    """Say which hooks of a connector none of its functions use."""
    exchanges = [exchange for function in functions for exchange in function.exchanges]
    used = {name for exchange in exchanges for name in (exchange.prepare, exchange.reshape)}
    message = "no function uses it; remove it, or start its name with an underscore"
    return [Problem(folder / HOOKS_FILE, 1, name, message) for name in hooks.functions if name not in used]


def read_hooks(folder: Path, problems: list[Problem]) -> Hooks:
    """Read a connector's hooks, none where it has no such file; what is wrong with it goes to `problems`."""
    file = folder / HOOKS_FILE
    if not file.exists():
        return Hooks()
    try:
        content = file.read_bytes()
    except OSError as error:
        problems.append(Problem(file, 1, "", f"can't be read: {error}"))
        return Hooks(usable=False)
    return compile_hooks(file, content, problems)


def compile_hooks(file: Path, content: bytes, problems: list[Problem]) -> Hooks:
    """Return the hooks in the content of a connector's file of hooks; what is wrong with it goes to `problems`."""
    functions: dict[str, Hook] = {}
    try:
        text = content.decode("utf-8")
        if len(text) > MAX_BYTES:
            raise ValueError(f"is larger than {MAX_BYTES // 1024} KiB")
        tree = ast.parse(text, filename=str(file))
        faults = list(_faults(tree))
    except SyntaxError as error:
        faults = [(error.lineno or 1, "", f"is not Python: {error.msg}")]
    except ValueError as error:
        faults = [(1, "", f"can't be read: {error}")]
    if not faults:
        try:
            functions = _loaded(file, content, compile(tree, str(file), "exec"))
        except Exception as error:
            faults = [(1, "", f"can't be run: {type(error).__name__}: {error}")]
    problems += [Problem(file, *fault) for fault in faults]
    return Hooks(functions, usable=not faults, content=content)


def _faults(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield what can't stand in the file: the line, the hook's name and a message."""
    for node in ast.walk(tree):
        yield from ((getattr(node, "lineno", 1), "", message) for message in _ways_out(node))
    for statement in tree.body:
        yield from ((statement.lineno, name, message) for name, message in _statement_problems(statement))


def _ways_out(node: ast.AST) -> list[str]:
    """Say what leads out of the file: imports, names that do something, and the insides of objects."""
    match node:
        case ast.Import():
            names = [alias.name for alias in node.names]
        case ast.ImportFrom():
            names = ["." * node.level + (node.module or "")]
            if names == [_OWN_MODULE] and [alias.name for alias in node.names] == [_OWN_NAME]:
                return []
        case ast.Name(id=name) if name in _FORBIDDEN:
            return [f"'{name}' can't be used: a hook computes and does nothing else"]
        case ast.Attribute(attr=name) if name.startswith("__"):
            return [f"'{name}' can't be used: a hook computes and does nothing else"]
        case _:
            return []
    allowed = f"only modules that compute can be: {', '.join(sorted(MODULES))}; and {_OWN_NAME} from {_OWN_MODULE}"
    return [f"'{name}' can't be imported; {allowed}" for name in names if name not in MODULES]


def _statement_problems(statement: ast.stmt) -> list[tuple[str, str]]:
    """Say what in the file is none of: imports, hooks, and what they share under names with an underscore."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            targets = []
        case ast.FunctionDef():
            return [(statement.name, message) for message in _function_problems(statement)]
        case ast.Assign():
            targets = statement.targets
        case ast.AnnAssign():
            targets = [statement.target]
        case _:
            return [("", "only imports, functions and constants can stand here")]
    return [
        (target.id, f"what is no hook starts with an underscore: _{target.id}")
        for target in targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]


def _function_problems(function: ast.FunctionDef) -> list[str]:
    if function.name.startswith("_"):
        return []
    arguments = function.args
    plain = len(arguments.posonlyargs) + len(arguments.args)
    problems = []
    if plain not in (1, 2) or arguments.vararg or arguments.kwonlyargs or arguments.kwarg or arguments.defaults:
        problems.append(
            "a hook takes one argument, or what `before` gave as a second; what is no hook starts with an underscore"
        )
    if function.decorator_list:
        problems.append("a hook has no decorators")
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        problems.append("a hook returns its value and yields nothing")
    return problems


def _loaded(file: Path, content: bytes, code: CodeType) -> dict[str, Hook]:
    module = ModuleType(f"hooks_of_{file.parent.name}")
    module.__dict__["__builtins__"] = vars(builtins)
    module.__dict__[_SOURCE] = (file, content)
    exec(code, module.__dict__)  # noqa: S102  the connector's own code, by the operator's choice
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
    }


def takes_before(hook: Hook) -> bool:
    """Whether a hook takes what the requests under `before` gave, beside the arguments."""
    return isinstance(hook, FunctionType) and hook.__code__.co_argcount > 1


def _run(hook: Hook, *values: Any) -> Any:
    """Call a hook with copies of its own, so that what it changes stays with it."""
    try:
        return hook(*map(copy.deepcopy, values))
    except InvalidRequest:
        raise
    except Exception as error:
        # Its words may hold an argument or a part of an answer, so only its kind and place are told.
        trace = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in trace if Path(frame.f_code.co_filename).name == HOOKS_FILE]
        where = f"in line {lines[-1] if lines else 0}"
        raise HookFailed(_name(hook), f"raised {type(error).__name__} {where}") from error


def _name(hook: Hook | None) -> str:
    return hook.name if isinstance(hook, SourcedHook) else getattr(hook, "__name__", "hook")
