"""The list of connectors with what each is verified by; it is written, not kept by hand."""

from collections.abc import Iterator, Mapping

from service_server.catalog.load import SHIPPED
from service_server.catalog.values import Connector
from tests.connectors.building import connector_of
from tests.connectors.descriptions.registered import Registered, registered

TABLE = SHIPPED / "README.md"

_HEAD = """\
# The connectors, and what each is verified by

Written by `./dev exec python -m tests.connectors.vendors table`; a test compares.

*Compared* functions: the requests that they make, with the arguments of their examples and with every argument, are as
a description says that somebody else keeps, at the pinned version; and so is the call that tests a connection. *Called*
functions are named in tests that run the software (or, where it says so, an emulator of it). A connector that is
neither says in its folder what it rests on.

"""


def shipped() -> dict[str, Connector]:
    """The shipped connectors by their name; AssertionError where one has problems."""
    return {file.parent.name: connector_of(file.parent.name) for file in sorted(SHIPPED.glob("*/connector.yaml"))}


def own_functions(connector: Connector) -> list[str]:
    """Return the names of a connector's functions without the app's, leaving the generated passthrough out."""
    prefix = f"{connector.name}-"
    return [name.removeprefix(prefix) for name, each in connector.functions.items() if each.type != "passthrough"]


def table() -> str:
    """Write the whole list."""
    connectors, checks = shipped(), registered()
    rows = [_row(connector, checks.get(name)) for name, connector in connectors.items()]
    functions = {name: len(own_functions(connector)) for name, connector in connectors.items()}
    compared = sum(
        functions[name] - len(set(each.undescribed) - {"test"})
        for name, each in checks.items()
        if each.check is not None and name in connectors
    )
    summary = (
        f"{len(connectors)} apps with {sum(functions.values())} functions, of which {compared} are compared with a "
        "description.\n"
    )
    return "".join(
        (
            _HEAD,
            summary,
            "\n",
            "| App | Functions | Compared | Called | With |\n|---|--:|--:|--:|---|\n",
            *rows,
            *_gaps(checks),
        )
    )


def _row(connector: Connector, check: Registered | None) -> str:
    functions = own_functions(connector)
    compared = called = "–"
    against = []
    if check is not None and check.check is not None:
        compared = str(len(functions) - len(set(check.undescribed) - {"test"}))
        packages = dict.fromkeys(str(members.package) for members in check.check.members)
        against.append(f"{', '.join(packages)} ({check.check.way})")
    if check is not None and check.run is not None:
        called = str(len(check.run.called(connector) & {f"{connector.name}-{each}" for each in functions}))
        against.append(check.run.name)
    if check is None:
        against.append(f"[unverified]({connector.name}/README.md)")
    return f"| {connector.title} | {len(functions)} | {compared} | {called} | {'; '.join(against)} |\n"


def _gaps(checks: Mapping[str, Registered]) -> Iterator[str]:
    """List the functions that a description lacks."""
    lines = [
        f"- `{app}-{name}`: {reason}\n" for app, each in checks.items() for name, reason in each.undescribed.items()
    ]
    if lines:
        yield "\n## Functions, and calls that test a connection, that the description of their app lacks\n\n"
        yield from lines
