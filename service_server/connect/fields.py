"""The fields that a user fills in to connect: credentials to type in, and variables such as a server's address."""

import re
from collections.abc import Mapping

from attrs import field, frozen

from service_server.catalog.values import AuthMethod, Connector, CredentialField, Variable

_LONGEST_VALUE = 4096
_LONGEST_LINES = 16_384  # a private key in PEM, with what surrounds it


@frozen(kw_only=True)
class FormField:
    """One field as the page shows it; the value of a secret is never sent back."""

    name: str
    label: str
    help: str
    secret: bool
    pattern: str | None
    placeholder: str
    example: str
    kind: str
    value: str = field(default="", repr=False)
    problem: str | None = None


@frozen
class Filled:
    """What the user filled in; `problems` is by field name, and the rest is whole only if it is empty."""

    creds: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str] = field(repr=False)
    problems: Mapping[str, str]


def read_form(connector: Connector, method: AuthMethod, form: Mapping[str, str]) -> Filled:
    """Read the fields of a way to sign in, without the blanks that copying leaves around a value."""
    creds, variables, problems = {}, {}, {}
    for variable in _variables(connector, method):
        name = _variable_name(variable)
        value = form.get(name, "").strip() or variable.default or ""
        variables[variable.name] = value
        problem = f"Enter {variable.title}." if not value else variable.problem(value)
        if problem is not None:
            problems[name] = problem
    for credential in _credentials(method):
        name = _credential_name(credential)
        value = form.get(name, "").strip().replace("\r\n", "\n")
        creds[credential.name] = value
        problem = _problem(credential, value)
        if problem is not None:
            problems[name] = problem
    return Filled(creds, variables, problems)


def form_fields(
    connector: Connector, method: AuthMethod, form: Mapping[str, str], problems: Mapping[str, str]
) -> tuple[FormField, ...]:
    """The fields to show for a way to sign in, with what was filled in (but no secret) and what is wrong with it."""
    variables = tuple(
        FormField(
            name=_variable_name(variable),
            label=variable.title,
            help=variable.description,
            secret=False,
            pattern=variable.pattern,
            placeholder="",
            example=variable.example or "",
            kind="url" if variable.format == "uri" else "text",
            value=form.get(_variable_name(variable), variable.default or "")[:_LONGEST_VALUE],
            problem=problems.get(_variable_name(variable)),
        )
        for variable in _variables(connector, method)
    )
    credentials = tuple(
        FormField(
            name=_credential_name(credential),
            label=credential.title,
            help=credential.description,
            secret=credential.secret,
            pattern=credential.pattern,
            placeholder=credential.placeholder,
            example=credential.example,
            kind="multiline" if credential.multiline else "password" if credential.secret else "text",
            value="" if credential.secret else form.get(_credential_name(credential), "")[: _longest(credential)],
            problem=problems.get(_credential_name(credential)),
        )
        for credential in _credentials(method)
    )
    return variables + credentials


def _problem(credential: CredentialField, value: str) -> str | None:
    if not value:
        return f"Enter {credential.title}."
    lines = value.split("\n") if credential.multiline else [value]
    if len(value) > _longest(credential) or not all(line.isprintable() for line in lines):
        return f"{credential.title} is too long or has characters that can't be typed."
    if credential.pattern is not None and re.fullmatch(credential.pattern, value) is None:
        example = f" It looks like {credential.example}." if credential.example else ""
        return f"{credential.title} doesn't have the expected form.{example} Copy it again, whole."
    return None


def _longest(credential: CredentialField) -> int:
    return _LONGEST_LINES if credential.multiline else _LONGEST_VALUE


def _variables(connector: Connector, method: AuthMethod) -> tuple[Variable, ...]:
    return tuple(
        variable
        for variable in connector.variables.values()
        if variable.set_by == "user" and variable.is_for(method.id)
    )


def _credentials(method: AuthMethod) -> tuple[CredentialField, ...]:
    return tuple(method.fields.values())


def _variable_name(variable: Variable) -> str:
    return f"variable.{variable.name}"


def _credential_name(credential: CredentialField) -> str:
    return f"field.{credential.name}"
