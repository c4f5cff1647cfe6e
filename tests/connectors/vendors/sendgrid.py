"""SendGrid's API by a server for agents, which is made of the vendor's OpenAPI documents, and mails by its client."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from warnings import catch_warnings

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, assigned, nothing
from tests.connectors.descriptions.description import any_of
from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import npm, pypi
from tests.connectors.descriptions.zod_tools import BEGINNING, HEAD, ZOD, given

_TYPE = re.compile(r"^ +(\w+) \((\w+)\): ", re.MULTILINE)
_TEXTS = ("email", "first_name", "last_name", "city", "country", "postal_code", "state_province_region", "phone_number")
_CONTACT = {
    "type": "object",
    "required": ["email"],
    "properties": {**{key: {"type": "string"} for key in _TEXTS}, "custom_fields": {"type": "object"}},
}


def _document(texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Write what the server's methods do as a document, without mails, whose parts they don't tell."""
    (text,) = texts.values()
    paths: dict[str, dict[str, Any]] = {}
    with catch_warnings(action="ignore"):  # of backslashes in its docstrings
        tree = ast.parse(text)
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef):
            for path, verb, operation in _operations(method):
                paths.setdefault(path, {})[verb] = operation
    del paths["/v3/mail/send"]
    contacts = paths["/v3/marketing/contacts"]["put"]["requestBody"]["content"]["application/json"]["schema"]
    contacts["properties"]["contacts"]["items"] = _CONTACT
    yield {"openapi": "3.0.0", "info": {"title": "SendGrid", "version": "3"}, "paths": paths}


def _operations(method: ast.FunctionDef) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """
    Yield the path, the method and the operation of a method that makes a request.

    Its address is an f-string, its query a list of pairs, its body a dictionary, and types stand in its docstring.
    """
    nodes = list(ast.walk(method))
    types = {name: {"type": kind} for name, kind in _TYPE.findall(ast.get_docstring(method, clean=False) or "")}
    given = [each.arg for each in method.args.args]
    required = set(given[1 : len(given) - len(method.args.defaults)])
    urls = [each for each in nodes if isinstance(each, ast.JoinedStr) and "base_url" in ast.unparse(each)]
    pairs = [each.elts for each in nodes if isinstance(each, ast.Tuple)]
    query = _sent((name, value) for name, value in pairs)
    body = _sent(
        (name, value)
        for each in nodes
        if isinstance(each, ast.Dict)
        for name, value in zip(each.keys, each.values, strict=True)
    )
    verbs = [each.attr.removeprefix("_") for each in nodes if isinstance(each, ast.Attribute) and each.attr[:1] == "_"]
    for url in urls:
        path = ast.unparse(url)[2:-1].replace("{self.base_url}", "")
        told = [(name, argument, "query") for name, argument in query.items()]
        told += [(name, name, "path") for name in re.findall(r"\{(\w+)\}", path)]
        parameters = [
            {"name": name, "in": place, "required": argument in required, "schema": types.get(argument, {})}
            for name, argument, place in told
        ]
        schema = {"type": "object", "properties": {name: types[argument] for name, argument in body.items()}}
        content = {"requestBody": {"content": {"application/json": {"schema": schema}}}} if body else {}
        yield path, verbs[0], {"parameters": parameters, **content}


def _sent(pairs: Iterable[tuple[ast.expr | None, ast.expr]]) -> dict[str, str]:
    """Name what is sent, and the arguments that it is."""
    return {
        name.value: value.id
        for name, value in pairs
        if isinstance(name, ast.Constant) and isinstance(name.value, str) and isinstance(value, ast.Name)
    }


def _mail(_: Mapping[str, str]) -> Iterator[Call]:
    """The client's form of mails; with a template the subject and the content are in there."""
    with_template = 'Omit<MailJSON, "subject" | "content"> & { subject?: string; template_id: string }'
    yield Call("POST", "/v3/mail/send", body=f"MailJSON | ({with_template})")


# What the other server's maker left out.
_LEFT_OUT = ("/v3/marketing/lists/{}/contacts", "/v3/stats", "/v3/templates")
_CALLS = ConfiguredCalls(
    r"^    (?P<name>\w+): \{\n        config: \{$" + BEGINNING,
    given,
    query=assigned(r"[?&](\w+)=\$\{"),
    body=nothing,
    url=r"`https://api\.sendgrid\.com(?P<path>/v3/[^`?]+)\?",
    method=r'method: "(\w+)"',
    otherwise="GET",
)


def _left_out(sources: Mapping[str, str]) -> Iterator[Call]:
    yield from (call for call in _CALLS(sources) if call.path in _LEFT_OUT)


CHECK = any_of(
    compiled_client(
        npm("@sendgrid/helpers@8.0.0"),
        base_url="https://api.sendgrid.com",
        sources=("classes/*.d.ts",),
        reader=_mail,
        head='import type { MailJSON } from "./classes/mail";',
        # Any value can be written into a template, as the client has it in its other form of the same.
        rewrite=amended(
            ("dynamic_template_data?: { [key: string]: string; }", "dynamic_template_data?: { [key: string]: any }")
        ),
        untyped=("body.personalizations.dynamic_template_data.*",),
    ),
    compiled_client(
        npm("sendgrid-mcp@1.0.4"),
        base_url="https://api.sendgrid.com",
        sources=tuple(f"build/tools/{module}.js" for module in ("contacts", "stats", "templates")),
        reader=_left_out,
        head=HEAD,
        beside=(ZOD,),
    ),
    openapi_documents(
        pypi("universal-mcp-sendgrid==0.1.1").keeping("universal_mcp_sendgrid/app.py"),
        base_url="https://api.sendgrid.com",
        reader=_document,
        left_out="which keys of bodies are required; what contacts hold, which is as the vendor documents it",
    ),
)
