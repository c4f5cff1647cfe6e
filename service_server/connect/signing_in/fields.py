"""The fields that a user fills in to connect: credentials to type in, and variables such as a server's address."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import field, frozen

from service_server.catalog.auth import AuthMethod
from service_server.catalog.auth_parts import CredentialField
from service_server.catalog.format.connector import Variable
from service_server.catalog.regular_expressions import fits
from service_server.catalog.values import Connector
from service_server.connect.signing_in.setback import About
from service_server.html_pages.language import gettext as _
from service_server.html_pages.language import listed

FieldKind = Literal["text", "password", "multiline"]

_LONGEST_VALUE = 4096
_LONGEST_LINES = 16_384  # a private key in PEM, with what surrounds it
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_AROUND = re.compile(rf"^[\s{''.join(map(chr, _INVISIBLE))}]+|[\s{''.join(map(chr, _INVISIBLE))}]+$")
_DIGITS_ONLY = re.compile(r"(\[0-9\]|\\d)[0-9{},+*]*")


@frozen(kw_only=True)
class FormField:
    """
    One field as the page shows it; the value of a secret is never sent back.

    `ways` are the ids of the ways to sign in that ask for it. `missing` and `mismatch` say what is wrong with a field
    that is empty, or not in the right form; `keyboard` is the one that a phone should offer.
    """

    name: str
    label: str
    help: str
    secret: bool
    pattern: str | None
    placeholder: str
    example: str
    kind: FieldKind
    keyboard: Literal["text", "email", "numeric", "url"]
    ways: tuple[str, ...]
    missing: str
    mismatch: str
    longest: int = _LONGEST_VALUE
    prefix: str = ""
    suffix: str = ""
    value: str = field(default="", repr=False)
    problem: str | None = None


@frozen
class Filled:
    """What the user filled in; it is complete only if `problems`, which is by field name, is empty."""

    creds: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str] = field(repr=False)
    problems: Mapping[str, str]


def read_filled_fields(connector: Connector, method: AuthMethod, form: Mapping[str, str]) -> Filled:
    """Read the fields of a way to sign in, without the blanks and invisible characters that copying adds."""
    creds, variables, problems = {}, {}, {}
    for variable in _variables(connector):
        if not variable.is_for(method.id):
            continue
        name = variable_name(variable)
        value = _tidied(variable, _AROUND.sub("", form.get(name, "")) or variable.default or "")
        variables[variable.name] = value
        problem = _variable_problem(variable, value)
        if problem is not None:
            problems[name] = problem
    for credential in _credentials(method):
        name = _credential_name(connector, credential)
        value = tidied_credential(credential, form.get(name, ""))
        creds[credential.name] = value
        problem = credential_problem(credential, value)
        if problem is not None:
            problems[name] = problem
    return Filled(creds, variables, problems)


def asked_titles(connector: Connector, method: AuthMethod, about: About = "everything") -> str:
    """The titles of the fields that a way to sign in asks for, as part of a sentence; empty if there are none."""
    titles = [] if about == "credentials" else [each.title for each in _variables(connector) if each.is_for(method.id)]
    if about != "address":
        titles += [credential.title for credential in _credentials(method)]
    return listed(titles)


def form_fields(
    connector: Connector, methods: Sequence[AuthMethod], form: Mapping[str, str], problems: Mapping[str, str]
) -> tuple[FormField, ...]:
    """
    The fields to show for the ways to sign in, with what was filled in (but no secret) and what is wrong with it.

    If several ways ask for the same thing in the same words, that is one field.
    """
    variables = tuple(
        _variable_field(variable, ways, form, problems)
        for variable in _variables(connector)
        if (ways := tuple(method.id for method in methods if variable.is_for(method.id)))
    )
    asked = {_credential_name(connector, each): each for method in methods for each in _credentials(method)}
    credentials = tuple(
        _credential_field(
            name,
            credential,
            tuple(method.id for method in methods if credential in _credentials(method)),
            form,
            problems,
        )
        for name, credential in asked.items()
    )
    return variables + credentials


def variable_name(variable: Variable) -> str:
    """The form field's name for a variable that the user gives."""
    return f"variable.{variable.name}"


def _variable_field(
    variable: Variable, ways: tuple[str, ...], form: Mapping[str, str], problems: Mapping[str, str]
) -> FormField:
    name = variable_name(variable)
    return FormField(
        name=name,
        label=variable.title,
        help=variable.description,
        secret=False,
        # A value that is tidied before it is checked may be copied with more around it.
        pattern=None if variable.format or variable.prefix or variable.suffix else variable.pattern,
        placeholder="",
        example=variable.example or "",
        kind="text",
        keyboard="url" if variable.format else _keyboard(variable.name, variable.pattern),
        ways=ways,
        missing=_("Enter %(field)s.", field=variable.title),
        mismatch=_mismatch(variable.title, variable.example or ""),
        prefix=variable.prefix,
        suffix=variable.suffix,
        value=form.get(name, variable.default or "")[:_LONGEST_VALUE],
        problem=problems.get(name),
    )


def _credential_field(
    name: str, credential: CredentialField, ways: tuple[str, ...], form: Mapping[str, str], problems: Mapping[str, str]
) -> FormField:
    return FormField(
        name=name,
        label=credential.title,
        help=credential.description,
        secret=credential.secret,
        pattern=credential.pattern,
        placeholder=credential.placeholder,
        example=credential.example,
        kind="multiline" if credential.multiline else "password" if credential.secret else "text",
        keyboard=_keyboard(credential.name, credential.pattern),
        ways=ways,
        missing=_("Enter %(field)s.", field=credential.title),
        mismatch=_mismatch(credential.title, credential.example),
        longest=_longest(credential),
        value="" if credential.secret else form.get(name, "")[: _longest(credential)],
        problem=problems.get(name),
    )


def _keyboard(name: str, pattern: str | None) -> Literal["text", "email", "numeric"]:
    if name == "email" or name.endswith("_email"):
        return "email"
    return "numeric" if pattern is not None and _DIGITS_ONLY.fullmatch(pattern) else "text"


def _tidied(variable: Variable, value: str) -> str:
    """Return the address or host name that was meant, as people copy it from the address bar or type it from memory."""
    if variable.format == "uri" and value:
        return (value if "://" in value else f"https://{value}").rstrip("/")
    if variable.format == "hostname" and "://" in value:
        return value.partition("://")[2].partition("/")[0]
    return variable.bare(value)


def _variable_problem(variable: Variable, value: str) -> str | None:
    if not value:
        return _("Enter %(field)s.", field=variable.title)
    if variable.pattern is not None and not fits(variable.pattern, value):
        return _mismatch(variable.title, variable.example or "")
    problem = variable.problem(value)
    return None if problem is None else f"{problem.rstrip('.')}."


def tidied_credential(credential: CredentialField, text: str) -> str:
    """Return a credential without what copying leaves around it, and with the same line ends for every system."""
    value = _AROUND.sub("", text).replace("\r\n", "\n")
    return value.translate(_INVISIBLE) if credential.plain else value


def credential_problem(credential: CredentialField, value: str) -> str | None:
    """Say what is wrong with a credential before it is sent anywhere, without repeating it; None when nothing is."""
    if not value:
        return _("Enter %(field)s.", field=credential.title)
    lines = value.split("\n") if credential.multiline else [value]
    if len(value) > _longest(credential) or not all(line.isprintable() for line in lines):
        return _("%(field)s is too long or has characters that can't be typed.", field=credential.title)
    if credential.plain and not value.isascii():
        position = next(number for number, character in enumerate(value, start=1) if not character.isascii())
        return _(
            "%(field)s has a character that can't be in it (character %(position)s), such as an accented letter or a "
            "curly quote. Copy all of it again.",
            field=credential.title,
            position=position,
        )
    if credential.pattern is not None and not fits(credential.pattern, value):
        return _mismatch(credential.title, credential.example)
    return None


def _longest(credential: CredentialField) -> int:
    return _LONGEST_LINES if credential.multiline else _LONGEST_VALUE


def _mismatch(title: str, example: str) -> str:
    if example:
        return _("%(field)s should look like %(example)s. Copy all of it again.", field=title, example=example)
    return _("%(field)s isn't in the expected format. Copy all of it again.", field=title)


def _variables(connector: Connector) -> tuple[Variable, ...]:
    return tuple(variable for variable in connector.variables.values() if variable.set_by == "user")


def _credentials(method: AuthMethod) -> tuple[CredentialField, ...]:
    return tuple(method.fields.values())


def _credential_name(connector: Connector, credential: CredentialField) -> str:
    """The field's name in the form; ways that use one name for different things don't get each other's values."""
    for method in connector.auth:
        for other in _credentials(method):
            if other == credential:
                first = next(each for way in connector.auth for each in _credentials(way) if each.name == other.name)
                return f"field.{other.name}" if first == other else f"field.{other.name}.{method.id}"
    raise LookupError(f"{connector.title} has no field {credential.name}.")
