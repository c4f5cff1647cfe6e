"""Checks the expressions of connector files at load, so that a call can't meet one that means nothing."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from attrs import field, frozen

from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import SPREAD, ExpressionError, Reference, members, parse_text
from service_server.catalog.given_files import PARTS
from service_server.catalog.problems import Report, nearest

_TAKES_FILES = frozenset({"body", "raw", "multipart", "graphql"})
_PLACES = (
    ("vars", "base_url", "headers"),
    ("creds vars", "test"),
    ("vars", "auth[].base_url"),
    ("creds vars", "auth[].test", "auth[].then.request"),
    ("creds test token vars", "account"),
    ("vars", "auth[].authorize_url", "auth[].token_url", "auth[].revoke_url", "auth[].issuer", "auth[].scopes.default"),
    ("", "auth[].authorize_parameters", "auth[].token_parameters"),
    ("vars", "auth[].token_parameters of oauth2_client_credentials"),
    ("creds vars", "auth[].inject of api_key"),
    ("token vars", "auth[].inject of oauth2_code"),
    (
        "creds token vars",
        *(f"auth[].inject of {way}" for way in ("oauth2_client_credentials", "jwt", "token_exchange")),
    ),
    ("creds vars", *(f"auth[].{key}" for key in ("username", "password", "key", "header", "claims", "login"))),
    ("creds token vars", "auth[].refresh.request", "auth[].logout"),
    ("args before lookup prepared vars", "request"),
    ("args vars", "lookup.request"),
    ("args before vars", "before[].request"),
    ("args output vars", "outcome"),
    ("args", "x-source.args", "x-fields.args"),
)
ROOTS_AT: Final = {place: frozenset(roots.split()) for roots, *places in _PLACES for place in places}
"""Which roots an expression may use where, by the place in the files; anywhere else a text stands for itself."""


@frozen
class Names:
    """
    What expressions may refer to in one place of a file.

    `roots` are the roots allowed there, `known` the first keys behind them: a root that isn't there takes any path, and
    what stands behind `args` is known by `arguments`, the function's parameter schema.
    """

    roots: Collection[str]
    known: Mapping[str, Collection[str]] = field(factory=dict)
    arguments: Mapping[str, Any] = field(factory=dict)


def check_template(report: Report, path: KeyPath, template: Any, names: Names) -> bool:
    """Report every expression of a template that names nothing; tell whether the template can be compiled."""
    if not isinstance(template, str):
        results = [check_template(report, (*path, key), value, names) for key, value in members(template)]
        if isinstance(template, Mapping):
            results += [check_template(report, (*path, key), f"{key} ", names) for key in template if "${" in key]
        return all(results)
    try:
        parts = parse_text(template)
        problems = [
            message
            for part in parts
            if isinstance(part, Reference) and (message := _problem(part, names, len(parts) > 1, path))
        ]
    except ExpressionError as error:
        problems = [str(error)]
    for message in problems:
        report.add(path, message)
    return not problems


def _problem(reference: Reference, names: Names, inside_text: bool, path: KeyPath) -> str | None:
    root = reference.root
    if root not in names.roots:
        return f"'{root}' can't be used here; these can: {', '.join(sorted(names.roots)) or 'none'}"
    if root == "args":
        return _argument_problem(reference, names.arguments, inside_text, path)
    known = names.known.get(root)
    if known is None:
        return None
    if not reference.keys:
        return f"'{root}' needs a name behind it, such as {root}.name"
    if reference.keys[0] not in known:
        return f"there is no {root}.{reference.keys[0]}{nearest(reference.keys[0], known)}"
    return None


def _argument_problem(reference: Reference, schema: Mapping[str, Any], inside_text: bool, path: KeyPath) -> str | None:
    if not reference.keys:
        return None if path[-1:] == (SPREAD,) else "'args' needs a name behind it, such as args.name"
    always = True
    for depth, key in enumerate(reference.keys):
        properties = schema.get("properties", {})
        if schema.get("format") == "file" and depth == len(reference.keys) - 1 and key in PARTS:
            return _absence_problem(reference, always)
        if schema.get("type") != "object":
            return f"{_name(reference, depth)} is not an object, so there is no {key} in it"
        if key not in properties:
            if not is_open(schema):
                return f"there is no parameter {_name(reference, depth + 1)}{nearest(key, properties)}"
            return None if reference.optional else f"write ${{{reference}?}}, because it can be absent"
        always = always and key in schema.get("required", ())
        schema = properties[key]
    if (problem := _absence_problem(reference, always)) is not None:
        return problem
    if schema.get("format") == "file" and (inside_text or not _TAKES_FILES & set(path)):
        return "a file can be sent in a 'body', as 'raw' or as a part of 'multipart'; its name is ${args.file.name}"
    if inside_text and schema.get("type") in ("array", "object"):
        return f"{_name(reference, len(reference.keys))} is not a single value, so it can't stand inside a text"
    if path[-1:] == (SPREAD,) and schema.get("type") != "object":
        return f"{_name(reference, len(reference.keys))} is not an object, so it can't be spread"
    return None


def _absence_problem(reference: Reference, always: bool) -> str | None:
    if always or reference.optional:
        return None
    return f"write ${{{reference}?}}, because {_name(reference, len(reference.keys))} is not required"


def is_file(template: Any, names: Names) -> bool:
    """Whether a template is one expression that stands for a given file, as far as anybody can tell."""
    if not isinstance(template, str):
        return False
    try:
        parts = parse_text(template)
    except ExpressionError:
        return True  # which is told
    if len(parts) != 1 or not isinstance(parts[0], Reference) or parts[0].root != "args":
        return False
    schema: Any = names.arguments
    for key in parts[0].keys:
        schema = schema.get("properties", {}).get(key, {})
    return bool(schema.get("format") == "file")


def _name(reference: Reference, depth: int) -> str:
    return ".".join(reference.keys[:depth]) or "args"


def is_open(schema: Mapping[str, Any]) -> bool:
    """Whether an object takes keys that its schema doesn't list: it says so, has dynamic fields or lists none."""
    return bool(schema.get("additionalProperties")) or "x-fields" in schema or "properties" not in schema
