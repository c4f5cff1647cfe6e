"""Greenhouse's Harvest API, version 3, by a server for agents, since the vendor keeps neither in a package."""

import ast
from collections.abc import Mapping

from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.python_client import python_client

_READ = ast.parse("client.harvest_get", mode="eval").body


class _Plain(ast.NodeTransformer):
    """Writes what looks something up by its ids, or puts an object together by a function, as what it comes down to."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Write calls of the client that only the server has as its plain ones."""
        self.generic_visit(node)
        given = {each.arg: each.value for each in node.keywords}
        match ast.unparse(node.func), node.args:
            case "_lookup", [_, path, *_]:
                return _by_ids(path, ast.literal_eval(given.get("filter_name", ast.Constant("ids"))))
            case "client.harvest_get_by_id", [path, _]:
                return _by_ids(path, "ids")
            case "client.harvest_get_ids", [path, ast.Constant(value=str(asked)), *_]:
                return _by_ids(path, asked, given.get("params"))
            case "_list", [_, asked, *_]:
                return ast.Call(_READ, [ast.Constant("/interviews")], [ast.keyword("params", asked)])
            case "normalize_datetime", _:
                return ast.parse("str()", mode="eval").body
            case "_move_body", [_, _, stage, *_]:
                return _object({"from_stage_id": stage, **given})
            case "_profile_fields", []:
                return _object(given)
        for each in node.keywords:
            each.arg = "json" if each.arg == "json_data" else each.arg
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        """Leave out what is written where it is called."""
        self.generic_visit(node)
        return ast.Pass() if node.name == "_list" else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Take the None of `[one] if one is not None else None` for the list, since nothing is sent in its place."""
        self.generic_visit(node)
        is_none = isinstance(node.orelse, ast.Constant) and node.orelse.value is None
        return ast.IfExp(node.test, node.body, node.body if is_none else node.orelse)

    def visit_Await(self, node: ast.Await) -> ast.expr:
        """Leave out that something is waited for where it is a plain object."""
        self.generic_visit(node)
        return node.value if isinstance(node.value, ast.Dict) else node

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """Write `for key, value in (("name", name), …)` as one assignment after the other."""
        match node.iter, node.body:
            case ast.Tuple(elts=pairs), [ast.If(body=[ast.Assign(targets=[ast.Subscript(value=whole)])])] if pairs:
                named = [each.elts for each in pairs if isinstance(each, ast.Tuple)]
                return [
                    _set_maybe(ast.unparse(whole), ast.literal_eval(name), ast.unparse(value)) for name, value in named
                ]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """Write `add_date_filter(params, "created_at", gte=…)` as what it sets."""
        match node.value:
            case ast.Call(func=ast.Name("add_date_filter"), args=[whole, field], keywords=operators):
                names = [
                    f"{ast.literal_eval(field)}[{each.arg}]" for each in operators if isinstance(field, ast.Constant)
                ]
                return [_set_maybe(ast.unparse(whole), name, "str()") for name in names]
        self.generic_visit(node)
        return node


def _object(values: Mapping[str | None, ast.expr]) -> ast.Dict:
    return ast.Dict([ast.Constant(name) for name in values], list(values.values()))


def _set_maybe(whole: str, key: str, value: str) -> ast.stmt:
    return ast.parse(f"if {value}: {whole}[{key!r}] = {value}").body[0]


def _by_ids(path: ast.expr, asked: str, further: ast.expr | None = None) -> ast.Call:
    """Write a call that reads what has one of some ids."""
    ids = ast.Dict([ast.Constant(asked)], [ast.List([ast.Constant(1)], ast.Load())])
    if isinstance(further, ast.Dict):
        ids = ast.Dict([*ids.keys, *further.keys], [*ids.values, *further.values])
    return ast.Call(_READ, [path], [ast.keyword("params", ids)])


def _plain(texts: Mapping[str, str]) -> dict[str, str]:
    """Write all sources in plain calls, but for that which hands on what others put together."""
    return {
        name: "" if name.endswith("/workflows.py") else ast.unparse(_Plain().visit(ast.parse(text)))
        for name, text in texts.items()
    }


CHECK = python_client(
    pypi("open-greenhouse-mcp==0.5.0"),
    base_url="https://harvest.greenhouse.io/v3",
    sources=("greenhouse_mcp/harvest/*.py",),
    call=r"client\.harvest_(?P<method>get|post|patch|put|delete)(?:_cached)?",
    rewrite=_plain,
    # What the server hands on as it is given, or looks up by whatever it has found.
    untyped=(
        "body.application",
        "body.email_addresses.*",
        "body.interviewers.*",
        "body.phone_numbers.*",
        "body.rejection_email.*",
        "query.ids",
    ),
    # See https://harvestdocs.greenhouse.io/
    documented="""
        def documented(client, number: int = 1, flag: bool = False, text: str = ""):
            page = {"job_ids": number, "per_page": number}
            client.harvest_get("/job_interviews", params=page)
            page["application_ids"] = number
            page["status"] = text
            client.harvest_get("/interviews", params=page)
            page["current_only"] = flag
            client.harvest_get("/offers", params=page)
    """,
)
