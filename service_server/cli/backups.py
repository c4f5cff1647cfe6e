"""`service-server backup` and `service-server restore`."""

import contextlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click
from attrs import asdict
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.table import Table

from service_server import backup
from service_server.cli.options import as_json, data_directory, database_url, settings_for

INTERRUPTED = 130

_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command("backup")
@_FILE
@click.option(
    "--with-keys",
    is_flag=True,
    help="Put the vault's keys into it as well: whoever has the file then has every credential.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@as_json
@data_directory
@database_url
def backup_cli(file: Path, with_keys: bool, force: bool, as_json: bool, data_dir: Path, database: str | None) -> None:
    """Copy all of the service's data to one FILE, while it runs."""
    settings = settings_for(data_dir, database)
    with _interruptible(), _Display("Copying") as display:
        manifest = backup.take(settings, file, with_keys=with_keys, replace=force, watch=display.show)
    if with_keys:
        click.echo(
            f"Warning: {file} holds the vault's keys beside what they seal. Keep it where you would keep every "
            "password in it, or encrypt it.",
            err=True,
        )
    if as_json:
        click.echo(json.dumps({"file": str(file), "bytes": file.stat().st_size, **manifest.described()}))
        return
    click.echo(f"{file}: {_rows(manifest)}, of {manifest.made_at}.")
    if manifest.key_ids and not with_keys:
        kept = "SERVICE_VAULT_KEY" if settings.vault_key is not None else settings.vault_key_file
        click.echo(
            f"To open the secrets in it, the vault's {_keys(manifest)} will be needed, which it does not hold: keep a "
            f"copy of {kept} apart from it."
        )


@click.command("restore")
@_FILE
@click.option("--check", is_flag=True, help="Only find out whether FILE is whole and can be restored.")
@as_json
@data_directory
@database_url
def restore_cli(file: Path, check: bool, as_json: bool, data_dir: Path, database: str | None) -> None:
    """Restore a service from a backup FILE. The data directory or database must be empty."""
    if check:
        with _interruptible(), _Display("Reading") as display:
            manifest = backup.check(file, display.show)
        if as_json:
            click.echo(json.dumps(manifest.described()))
        else:
            _tell(manifest)
            click.echo(f"{file} is whole. {_needed(manifest)}")
        return
    settings = settings_for(data_dir, database)
    settings.data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _interruptible(), _Display("Unpacking") as display:
        restored = backup.restore(settings, file, display.show)
    if as_json:
        described = {**restored.manifest.described(), "ended": asdict(restored.cut_off)}
        click.echo(json.dumps(described | {"wrote_vault_keys": restored.wrote_keys}))
        return
    _tell(restored.manifest)
    cut_off = restored.cut_off
    click.echo(f"Restored, as it was at {restored.manifest.made_at}.")
    under_way = [
        f"{what}: {count}"
        for what, count in (
            ("calls, whose outcome is unknown now", cut_off.calls),
            ("idempotency keys, which stay taken", cut_off.idempotency_keys),
            ("refreshes of credentials", cut_off.refreshes),
            ("connect sessions, which have expired", cut_off.connect_sessions),
        )
        if count
    ]
    if under_way:
        click.echo(f"Under way at that moment: {'; '.join(under_way)}.")
    if restored.wrote_keys:
        click.echo(f"The vault's keys came with it and stand in {settings.vault_key_file}.")
    click.echo("Start it only where the service that it was taken of no longer runs: both would use the same accounts.")


class _Display:
    """Shows on standard error how far it is."""

    def __init__(self, doing: str) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(doing, total=None)

    def __enter__(self) -> "_Display":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, done: int, total: int | None) -> None:
        """Draw it."""
        self._progress.update(self._task, completed=done, total=total)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Clean up on SIGTERM and SIGHUP as on Ctrl-C, and say so."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped. Nothing was left behind.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(manifest: backup.Manifest) -> None:
    table = Table("Table", "Rows")
    for name, rows in manifest.rows.items():
        table.add_row(name, str(rows))
    Console().print(table)


def _rows(manifest: backup.Manifest) -> str:
    return f"{sum(manifest.rows.values())} rows in {len(manifest.rows)} tables"


def _keys(manifest: backup.Manifest) -> str:
    return f"{'key' if len(manifest.key_ids) == 1 else 'keys'} {', '.join(manifest.key_ids)}"


def _needed(manifest: backup.Manifest) -> str:
    if not manifest.key_ids:
        return "Nothing in it is sealed."
    if manifest.holds_keys:
        return f"It holds the vault's {_keys(manifest)}."
    return f"It takes the vault's {_keys(manifest)} to open the secrets in it."
