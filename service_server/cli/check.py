"""`service-server check`: whether everything is there that the service needs, and what to do about what isn't."""

import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import click
from attrs import asdict, evolve, frozen
from rich.console import Console

from service_server.catalog.catalog import Catalog
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.cli.administration import is_file_to_be_made, opened_database
from service_server.cli.options import (
    as_json,
    connector_directories,
    data_directory,
    database_url,
    kept_connectors,
    model_directory,
    public_address,
    public_url_or_default,
    settings_for,
)
from service_server.cli.serve import serve_cli
from service_server.cli.setting_names import unknown_settings
from service_server.oauth.app_settings import AppSettingsReader
from service_server.onward.lookup import NameServers
from service_server.predict.encoder.manifest import ModelUnusable, checked_model
from service_server.predict.encoder.recipe import SHIPPED as SHIPPED_MODEL
from service_server.settings import MEBIBYTE, Settings, default_database_url
from service_server.store import (
    AppConfigurations,
    Application,
    Applications,
    Database,
    DatabaseAway,
    Schema,
    VaultKeys,
)
from service_server.store.database_url import kind_of
from service_server.store.failures import DatabaseUnusable
from service_server.store.migrations import newest_revision, revision_of
from service_server.vault import Vault, VaultKeyError, existing_vault

LITTLE_SPACE = 1024 * MEBIBYTE
NO_SPACE = 64 * MEBIBYTE
MOST_CLOCK_SECONDS = 5.0
MOST_HOSTS = 3
_PRIVATE = 0o077
_SIGNS = {"ok": "[green]✓[/]", "warning": "[yellow]![/]", "problem": "[red]✗[/]"}

State = Literal["ok", "warning", "problem"]


@frozen
class Finding:
    """What was found of one thing; a warning does not keep the service from working, a problem does."""

    about: str
    state: State
    message: str


@click.command("check")
@data_directory
@database_url
@connector_directories
@model_directory
@public_address
@as_json
def check_cli(
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    model_dir: Path,
    public_url: str | None,
    as_json: bool,
) -> None:
    """
    Check that the service has all it needs.

    Says what to do about what is missing. Changes no data, and may run beside a service. Ends with 1 if something keeps
    the service from working.
    """
    address = public_url_or_default(public_url)
    findings = list(_all(settings_for(data_dir, database, address, connectors, model_dir=model_dir)))
    if as_json:
        click.echo(json.dumps([asdict(each) for each in findings]))
    else:
        console = Console(soft_wrap=True, highlight=False)
        for each in findings:
            console.print(f"{_SIGNS[each.state]} [bold]{each.about}[/]", end=": ")
            console.print(each.message, markup=False)
    if any(each.state == "problem" for each in findings):
        sys.exit(1)


def _all(settings: Settings) -> Iterator[Finding]:
    for unknown in unknown_settings(os.environ, serve_cli.params):
        yield Finding("Settings", "warning", unknown.advice)
    yield _data_directory(settings.data_directory)
    yield from asyncio.run(_database_and_what_is_in_it(settings))
    try:
        model = checked_model(settings.model_directory or Path(), SHIPPED_MODEL, thoroughly=True)
        yield Finding("Model", "ok", f"{model.manifest.id} in {settings.model_directory}")
    except ModelUnusable as error:
        yield Finding("Model", "warning", f"Functions are predicted by words alone. {error}")


def _data_directory(folder: Path) -> Finding:
    if not folder.exists():
        return Finding("Data directory", "ok", f"{folder} is not there yet; `serve` makes it.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("Data directory", "problem", f"{folder} cannot be written to: {error.strerror}.")
    told = f"{folder}, {free / (1024 * MEBIBYTE):.1f} GiB free"
    if free < NO_SPACE:
        return Finding("Data directory", "problem", f"{told}: too little. Make room, or calls that change data fail.")
    if free < LITTLE_SPACE:
        return Finding("Data directory", "warning", f"{told}: make room soon.")
    key = folder / "vault.key"
    if key.exists() and key.stat().st_mode & _PRIVATE:
        return Finding("Data directory", "warning", f"{told}; others may read {key}: run chmod 600 {key}.")
    return Finding("Data directory", "ok", told)


async def _database_and_what_is_in_it(settings: Settings) -> list[Finding]:
    catalog = load_catalog([SHIPPED, *settings.connector_directories], kept_connectors(settings.data_directory))
    apps = Finding("Connectors", "ok", f"{len(catalog.connectors)} apps, {len(catalog.names())} functions")
    new = Finding("Database", "ok", "is not there yet; `serve` makes it.")
    if not settings.data_directory.exists() and settings.database_url == default_database_url(settings.data_directory):
        return [new, apps]
    kind = kind_of(settings.database_url)
    if is_file_to_be_made(kind):
        return [evolve(new, message=f"{kind.name} {new.message}"), apps]
    revision = await revision_of(kind)
    if revision is None:
        reason = await _why_not(settings, kind.name)
        return [Finding("Database", "problem" if reason else "ok", reason or "empty; `serve` sets it up."), apps]
    findings: list[Finding] = []
    async with opened_database(settings) as database:
        schema = Schema(database)
        findings += [await _schema(schema, revision, kind.name), await _clock(schema)]
        try:
            proofs = await VaultKeys(database).proofs()
            vault = existing_vault(proofs, settings.vault_key_file, settings.vault_key)
        except VaultKeyError as error:
            return [*findings, Finding("Vault key", "problem", str(error)), apps]
        if vault is None:
            return [*findings, Finding("Vault key", "ok", "none yet; `serve` makes one."), apps]
        findings.append(Finding("Vault key", "ok", f"{vault.sealing_key_id} opens what is kept."))
        return [*findings, apps, *[each async for each in _apps(database, vault, catalog, settings)]]


async def _why_not(settings: Settings, name: str) -> str | None:
    """Why nothing can be read of a database; None where it is just empty."""
    try:
        async with opened_database(settings) as database:
            await Schema(database).clock()
    except (DatabaseAway, DatabaseUnusable) as error:
        what = (
            "Let this user write to the file and its folder, restore a backup if it is damaged, or say with --data-dir "
            "where it is."
            if name.startswith("/")
            else "Start the server, or mend the host, name, user or password of --database (SERVICE_DATABASE)."
        )
        return f"{name} can't be used: {str(error).rstrip('.')}. {what}"
    return None


async def _schema(schema: Schema, revision: str, name: str) -> Finding:
    newest = newest_revision()
    if revision == newest:
        if reason := await schema.why_not_writable():
            message = (
                f"{name} can be read but not written to: {reason}. Give the service's user all rights to its tables."
            )
            return Finding("Database", "problem", message)
        return Finding("Database", "ok", f"{name}, schema {revision}")
    if revision < newest:
        message = f"{name} has schema {revision}; `serve` or `db upgrade` brings it to {newest}."
        return Finding("Database", "warning", message)
    if await schema.suits_this_release():
        message = f"{name} has schema {revision} of a newer release; this one works on it all the same."
        return Finding("Database", "warning", message)
    message = f"{name} has schema {revision}, and this release knows {newest}. Install the newer release."
    return Finding("Database", "problem", message)


async def _clock(schema: Schema) -> Finding:
    difference = time.time() - await schema.clock()
    told = f"{abs(difference):.0f} s {'ahead of' if difference > 0 else 'behind'} the database's"
    if abs(difference) > MOST_CLOCK_SECONDS:
        message = f"This machine's clock is {told}: sessions and tokens end at the wrong time. Set both by NTP."
        return Finding("Clock", "warning", message)
    return Finding("Clock", "ok", "as the database's")


async def _apps(database: Database, vault: Vault, catalog: Catalog, settings: Settings) -> AsyncIterator[Finding]:
    configurations = AppConfigurations(database)
    reader = AppSettingsReader(configurations, vault)
    usable: list[str] = []
    waiting: list[str] = []
    hosts: dict[str, str] = {}
    for connector in catalog.connectors.values():
        of_app = await reader.shared(connector)
        lacking = [of_app.lacks(connector, method.id) for method in connector.auth]
        (waiting if all(lacking) else usable).append(connector.name)
        if of_app.client is None:
            continue
        if all(lacking):
            options = " ".join(dict.fromkeys(option for each in lacking for option in each))
            command = f"service-server app configure {connector.name} {options}"
            yield Finding(connector.title, "warning", f"is set up in part. Go on with: {command}")
        with contextlib.suppress(InvalidRequest):
            hosts[urlsplit(connector.base_url({"vars": of_app.variables})).hostname or ""] = connector.title
    async for finding in _own_settings(configurations, reader, catalog, await Applications(database).everyone()):
        yield finding
    yield Finding("Apps", "ok", f"{len(usable)} can be connected: {', '.join(sorted(usable))}")
    if waiting:
        yield Finding(
            "Apps",
            "ok",
            f"{len(waiting)} wait until this service is registered with them under the callback URL "
            f"{settings.callback_url} (service-server app configure NAME): {', '.join(sorted(waiting))}",
        )
    async for finding in _names(list(hosts.items())[:MOST_HOSTS]):
        yield finding


async def _own_settings(
    configurations: AppConfigurations,
    reader: AppSettingsReader,
    catalog: Catalog,
    applications: Sequence[Application],
) -> AsyncIterator[Finding]:
    """Name what is missing among the settings of apps that are an application's own."""
    known = {each.id: each for each in applications}
    for own in await configurations.own():
        connector, application = catalog.connector(own.app_name), known.get(own.application_id or 0)
        if connector is None or application is None:
            continue
        settings = await reader.of(connector, application.id)
        lacking = [settings.lacks(connector, method.id) for method in connector.auth]
        if all(lacking):
            options = " ".join(dict.fromkeys(option for each in lacking for option in each))
            command = f"service-server app configure {connector.name} --application {application.app_key} {options}"
            message = f"is set up in part for {application.name} alone. Go on with: {command}"
            yield Finding(connector.title, "warning", message)


async def _names(hosts: Sequence[tuple[str, str]]) -> AsyncIterator[Finding]:
    """Look up where some of the apps are that are set up, as calls would."""
    servers = NameServers()
    try:
        for host, title in hosts:
            try:
                await servers(host)
            except OSError as error:
                message = f"{host} of {title} can't be looked up ({error}). Look at /etc/resolv.conf and the network."
                yield Finding("Names", "warning", message)
            else:
                yield Finding("Names", "ok", f"{host} of {title} has an address")
    finally:
        await servers.close()
