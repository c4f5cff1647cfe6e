"""`service-server connector try`: the connection test and one function of a connector, with a credential at hand."""

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console

from service_server.administration.failures import AdministrationError
from service_server.catalog.auth import AuthMethod, OAuth2Code
from service_server.catalog.load import SHIPPED, connector_named
from service_server.catalog.pagination import Pagination
from service_server.catalog.problems import nearest
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.cli.callback import callback_told
from service_server.cli.options import (
    allowed_hosts,
    as_json,
    connector_directories,
    public_address,
    public_url_or_default,
)
from service_server.cli.trial import read_arguments, run
from service_server.cli.trial_values import Outcome, Page, Trial
from service_server.connect.signing_in.fields import credential_problem, tidied_credential

_MOST_PAGES = 1000


@click.command("try")
@click.argument("app")
@click.argument("function", required=False)
@click.option("--arg", multiple=True, help="NAME=VALUE of an argument (repeatable).")
@click.option("--var", multiple=True, help="NAME=VALUE of one of the app's variables (repeatable).")
@click.option("--auth", help="The id of a way to sign in (default: the first).")
@click.option(
    "--credentials",
    type=click.Path(path_type=Path),
    help="A file with a JSON object of what the user would type in, or of an access_token; - reads standard input "
    "(default: ask).",
)
@click.option(
    "--pages",
    type=click.IntRange(1, _MOST_PAGES),
    default=1,
    help="How many pages of a list to ask for at most.",
)
@click.option(
    "--test/--no-test",
    default=True,
    help="Run the connector's test first, as connecting an account does.",
)
@click.option("--yes", is_flag=True, help="Change data without asking.")
@as_json
@connector_directories
@allowed_hosts
@public_address
def try_connector(
    app: str,
    function: str | None,
    arg: tuple[str, ...],
    var: tuple[str, ...],
    auth: str | None,
    credentials: Path | None,
    pages: int,
    test: bool,
    yes: bool,
    as_json: bool,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
    public_url: str | None,
) -> None:
    """
    Run the connection test and one function with a credential at hand.

    FUNCTION is named with or without the app's name before it; without one, only the test runs.

    Shows whose account it is, each request without its secrets, each answer and the times. Ends with 0 when the app
    answered with a 2xx, with 1 when it did not, or nothing could be sent.
    """
    connector = connector_named([SHIPPED, *connectors], app)
    if connector is None:
        raise AdministrationError(
            f"There is no app named {app}; `connector list` shows the apps, and --connectors DIR adds yours."
        )
    definition = None if function is None else _function(connector, function)
    method = _method(connector, auth)
    if definition is None and (arg or connector.test_of(method) is None or not test):
        raise AdministrationError(f"Say which function to try, such as {_short_names(connector)[0]}.")
    variables = _variables(connector, method, _pairs("--var", var))
    arguments = {} if definition is None else read_arguments(definition, _pairs("--arg", arg))
    given = _asked(method) if credentials is None else _read(credentials)
    checked = _checked(connector, method, given, public_url_or_default(public_url))
    trial = Trial(
        connector=connector,
        function=definition,
        auth=method,
        variables=variables,
        arguments=arguments,
        credentials=checked,
        allow_hosts=allow_host,
        pages=pages,
        tests=test,
    )
    if definition is not None and definition.type != "query" and not yes:
        click.confirm(f"“{definition.title}” may change data in {connector.title}. Go on?", abort=True, err=True)
    outcome = asyncio.run(run(trial))
    if as_json:
        click.echo(json.dumps(outcome.described()))
    else:
        _show(outcome, connector, None if definition is None else definition.given(arguments).pagination)
    sys.exit(0 if outcome.succeeded else 1)


def _function(connector: Connector, name: str) -> FunctionDefinition:
    full = name if name.startswith(f"{connector.name}-") else f"{connector.name}-{name}"
    definition = connector.functions.get(full)
    if definition is None:
        known = ", ".join(_short_names(connector))
        raise AdministrationError(f"{connector.title} has no function {name}; it has: {known}.")
    return definition


def _short_names(connector: Connector) -> list[str]:
    return [each.removeprefix(f"{connector.name}-") for each in connector.functions]


def _method(connector: Connector, auth: str | None) -> AuthMethod:
    method = connector.auth[0] if auth is None else connector.auth_method(auth)
    if method is None:
        raise AdministrationError(f"--auth is one of {', '.join(each.id for each in connector.auth)}.")
    return method


def _pairs(option: str, texts: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            raise AdministrationError(f"{option} takes NAME=VALUE, not {text[:100]}.")
        pairs.append((name, value))
    return pairs


def _variables(connector: Connector, method: AuthMethod, given: list[tuple[str, str]]) -> dict[str, str]:
    values = {name: variable.default for name, variable in connector.variables.items() if variable.default is not None}
    for name, value in given:
        variable = connector.variables.get(name)
        problem = f"there is no variable {name}" if variable is None else variable.problem(value)
        if problem:
            raise AdministrationError(f"--var {name}: {problem}.")
        values[name] = value
    for name, variable in connector.variables.items():
        if name not in values and variable.set_by not in ("token", "choice") and variable.is_for(method.id):
            raise AdministrationError(f"Say what {variable.title} is: --var {name}={variable.example or '…'}")
    return values


def _asked(method: AuthMethod) -> dict[str, str]:
    """Ask for what a user would type in; secrets are not shown, and never stand on the command line."""
    if isinstance(method, OAuth2Code):
        return {"access_token": click.prompt("Access token", hide_input=True, err=True)}
    return {name: click.prompt(field.title, hide_input=field.secret, err=True) for name, field in method.fields.items()}


def _read(path: Path) -> dict[str, str]:
    try:
        value = json.loads(sys.stdin.read() if str(path) == "-" else path.read_text())
    except ValueError:  # the error's message would show the content
        raise AdministrationError("--credentials holds no JSON.") from None
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise AdministrationError("--credentials takes a JSON object of texts.")
    return value


def _checked(connector: Connector, method: AuthMethod, given: Mapping[str, str], public_url: str) -> Mapping[str, str]:
    """Tidy credentials as the connect page does, and tell what is wrong with them before anything is sent."""
    if given.get("access_token"):
        return given
    if isinstance(method, OAuth2Code):
        others = [each.id for each in connector.auth if not isinstance(each, OAuth2Code)]
        elsewise = f", or try another way to sign in: --auth {' or '.join(others)}" if others else ""
        raise AdministrationError(
            f"“{method.title}” takes place on {connector.title}’s own page in a browser, so `connector try` needs a "
            f'token at hand: --credentials with {{"access_token": "…"}}{elsewise}.\nTo try the sign-in itself, run '
            f"`service-server app configure {connector.name}` and `serve`, and connect an account. "
            f"{callback_told(connector, public_url)}"
        )
    lacking = [name for name in method.fields if not given.get(name)]
    unknown = [f"{name}{nearest(name, method.fields)}" for name in given if name not in method.fields]
    if lacking or unknown:
        takes = "{" + ", ".join(f'"{name}": "…"' for name in method.fields) + "}"
        said = [f"lacks {', '.join(lacking)}"] if lacking else []
        said += [f"has a key that nothing asks for ({', '.join(unknown)})"] if unknown else []
        raise AdministrationError(f"--credentials {' and '.join(said)}; “{method.title}” takes {takes}.")
    tidied = {name: tidied_credential(field, given[name]) for name, field in method.fields.items()}
    problems = [credential_problem(field, tidied[name]) for name, field in method.fields.items()]
    if any(problems):
        raise AdministrationError("\n".join(filter(None, problems)))
    return tidied


def _show(outcome: Outcome, connector: Connector, pagination: Pagination | None) -> None:
    console = Console(soft_wrap=True)
    if outcome.sign_in_milliseconds is not None:
        console.print(f"Signed in within {outcome.sign_in_milliseconds:.0f} ms.", style="dim", highlight=False)
    if outcome.account is not None:
        identity = outcome.account.external_id
        told = "without an id, so that every connection is an account of its own" if identity is None else identity
        console.print(f"The account is “{outcome.account.display_name}” ({told}).\n", highlight=False, markup=False)
        if outcome.account.display_name == connector.title:
            console.print(
                "None of the templates under account.name has a text or number in the answer to the test, so it is "
                "called like the app.\n",
                style="yellow",
            )
    for page in outcome.pages:
        _show_page(console, page)
    if outcome.more:
        console.print(f"\nThere are more pages: --pages {len(outcome.pages) + 1} shows the next one.", style="dim")
    elif pagination is not None and outcome.succeeded:
        told = f"\nNo page follows, going by {pagination.goes_by} of the answer."
        console.print(told, style="dim", highlight=False, markup=False)


def _show_page(console: Console, page: Page) -> None:
    console.print(f"[bold]{page.method}[/bold]", end=" ")
    console.print(page.url, highlight=False, markup=False)
    for name, value in page.headers.items():
        console.print(f"{name}: {value}", style="dim", highlight=False, markup=False)
    if page.body is not None:
        console.print_json(data=page.body)
    console.print(
        f"\n[{'green' if page.succeeded else 'red'}]{page.status}[/{'green' if page.succeeded else 'red'}] in "
        f"{page.milliseconds:.0f} ms"
    )
    if page.missed:
        console.print(
            "`output` leads to nothing in this answer, so the whole body is relayed:", style="yellow", highlight=False
        )
    if page.output is not None:
        console.print_json(data=page.output)
    if page.file is not None:
        style = "green" if page.file.problem is None else "yellow"
        console.print(str(page.file), style=style, highlight=False, markup=False)
    _show_outcome(console, page)


def _show_outcome(console: Console, page: Page) -> None:
    """Show what people see of the answer, by the function's `outcome`."""
    if page.said is not None:
        facts = ", ".join(f"{fact.title}: {fact.value}" for fact in page.said.facts)
        for text in filter(None, (page.said.title, page.said.link, facts)):
            console.print(text, style="green", highlight=False, markup=False)
    for reason in page.unsaid:
        console.print(f"outcome.{reason}", style="yellow", highlight=False, markup=False)
