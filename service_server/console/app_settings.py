"""The form in which operators set what an app needs."""

from collections.abc import Mapping

from attrs import frozen

from service_server.administration.administration import operator_variables
from service_server.catalog.auth import OAuth2Code
from service_server.catalog.values import Connector
from service_server.store import AppConfiguration


@frozen(kw_only=True)
class SettingField:
    """One field of an app's settings."""

    name: str
    label: str
    help: str
    value: str = ""
    kind: str = "text"
    pattern: str | None = None
    default: str = ""
    example: str = ""
    problem: str | None = None


@frozen(kw_only=True)
class SettingsForm:
    """What can be set for an app, filled with what is set or was typed in."""

    fields: list[SettingField]
    client_field: SettingField
    takes_client: bool
    scopes: list[str]
    has_secret: bool
    secret_problem: str | None
    has_problems: bool


def settings_form(
    connector: Connector, kept: AppConfiguration | None, given: Mapping[str, str], wrong: Mapping[str, str]
) -> SettingsForm:
    """Make the form of an app; `given` was typed in, `wrong` says what is wrong with it."""
    kept = kept or AppConfiguration(app_name=connector.name)
    oauth_methods = [each for each in connector.auth if isinstance(each, OAuth2Code)]
    return SettingsForm(
        fields=[_variable_field(connector, name, kept, given, wrong) for name in operator_variables(connector)],
        client_field=SettingField(
            name="client_id",
            label="Client id",
            help="From the registration of this service with the provider.",
            value=given.get("client_id", kept.client_id or ""),
            problem=wrong.get("client_id"),
        ),
        takes_client=bool(oauth_methods),
        scopes=sorted({scope for method in oauth_methods for scope in method.scopes.default}),
        has_secret=kept.sealed_client_secret is not None,
        secret_problem=wrong.get("client_secret"),
        has_problems=bool(wrong),
    )


def _variable_field(
    connector: Connector, name: str, kept: AppConfiguration, given: Mapping[str, str], wrong: Mapping[str, str]
) -> SettingField:
    variable = connector.variables[name]
    key = f"variable.{name}"
    return SettingField(
        name=key,
        label=variable.title,
        help=variable.description,
        value=given.get(key, kept.variables.get(name, "")),
        kind="url" if variable.format == "uri" else "text",
        pattern=variable.pattern,
        default=variable.default or "",
        example=variable.example or "",
        problem=wrong.get(key),
    )
