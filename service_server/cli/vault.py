"""`service-server vault`: replacing the key that everything secret is sealed with."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import click
from attrs import frozen
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table

from service_server.cli.administration import opened_database, upgrade_database
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import SEALED_KINDS, SealedValues, VaultKeys
from service_server.vault import KeyFile, VaultKeyError, new_keys, open_vault
from service_server.vault.rotation import Rotation, Rotator, Watch

INTERRUPTED = 130
_BEARERS_HOURS = 24  # no session token or console sign-in lives longer

_EPILOG = (
    "The service keeps running. Stopped at any moment, it goes on where it was when it is run again. The old key stays "
    "in the file for what users still carry about; --forget-old removes it later. Where the key comes from "
    "SERVICE_VAULT_KEY, the command says step by step what to set."
)


@click.group("vault")
def vault_cli() -> None:
    """The key that encrypts stored secrets."""


@vault_cli.command(epilog=_EPILOG)
@click.option(
    "--forget-old",
    is_flag=True,
    help="Make no new key; remove the old ones, and with them the tokens, cursors and sign-ins they sealed.",
)
@click.option(
    "--shared-key-file", is_flag=True, help="Every process of the service, on any machine, reads this very file."
)
@as_json
@data_directory
@database_url
def rotate(
    forget_old: bool,
    shared_key_file: bool,
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Make a new vault key and seal every kept secret with it, while the service runs."""
    settings = settings_for(data_dir, database)
    if settings.vault_key is None and not shared_key_file and not settings.database_url.startswith("sqlite"):
        raise VaultKeyError(
            f"This database may serve several machines, and others do not see {settings.vault_key_file}. If they all "
            "read this very file, say so with --shared-key-file; else set SERVICE_VAULT_KEY for every process."
        )
    upgrade_database(settings)
    try:
        with _Display() as display:
            done = asyncio.run(_rotate(settings, forget_old, display.show))
    except KeyboardInterrupt:
        click.echo("Stopped. What is done stays done; run the command again to go on.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    if as_json:
        click.echo(json.dumps(done.described()))
    else:
        done.tell()
    if done.rotation is not None and done.rotation.unopened:
        raise click.exceptions.Exit(1)


@frozen
class _Done:
    """What came of it, and what the operator does next."""

    rotation: Rotation | None
    next_steps: tuple[str, ...]

    def described(self) -> dict[str, Any]:
        """The JSON form; ids of keys, never keys."""
        described: dict[str, Any] = {"next_steps": list(self.next_steps)}
        if self.rotation is not None:
            described |= {
                "key_id": self.rotation.key_id,
                "old_key_ids": list(self.rotation.old_key_ids),
                "new_key": self.rotation.is_new,
                "values": {kind: tally.rows for kind, tally in self.rotation.tallies.items()},
                "resealed": {kind: tally.resealed for kind, tally in self.rotation.tallies.items()},
                "unopened": [{"kind": kind, "key": list(key)} for kind, key in sorted(self.rotation.unopened)],
            }
        return described

    def tell(self) -> None:
        """The form for people."""
        if self.rotation is not None and any(tally.rows for tally in self.rotation.tallies.values()):
            table = Table("Sealed values", "Kept", "Sealed again")
            for kind, tally in self.rotation.tallies.items():
                table.add_row(kind, str(tally.rows), str(tally.resealed))
            Console().print(table)
        for step in self.next_steps:
            click.echo(step)


class _Display:
    """Shows how far a rotation is, one bar a kind of value, on standard error."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[resealed]} sealed again"),
            console=console,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._said = ""

    def __enter__(self) -> "_Display":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, rotation: Rotation, doing: str) -> None:
        """Draw what is done now."""
        if doing in SEALED_KINDS:
            tally = rotation.tallies[doing]
            if doing not in self._tasks:
                self._tasks[doing] = self._progress.add_task(doing, resealed=0)
            self._progress.update(
                self._tasks[doing], completed=tally.seen, total=max(tally.rows, tally.seen), resealed=tally.resealed
            )
        elif not self._said:
            self._said = doing
            self._progress.console.print(f"{doing[:1].upper()}{doing[1:]}.", highlight=False, markup=False)


async def _rotate(settings: Settings, forget_old: bool, watch: Watch) -> _Done:
    async with opened_database(settings) as database:
        keys = VaultKeys(database)
        rotator = Rotator(keys, SealedValues(database), watch)
        if settings.vault_key is not None:
            return await _with_environment(settings, settings.vault_key, keys, rotator)
        file = KeyFile(settings.vault_key_file)
        if forget_old:
            return _forgotten(file, await rotator.forget_old_keys(file))
        return _rotated(file, await rotator.rotate_file(file))


def _rotated(file: KeyFile, rotation: Rotation) -> _Done:
    if rotation.unopened:
        return _Done(rotation, _mend(rotation))
    steps = [
        f"Everything kept is sealed with key {rotation.key_id}.",
        f"Back up {file.path} now, apart from the database.",
    ]
    if not rotation.is_new:
        steps.insert(1, "This ended a rotation that had been interrupted. Run it again if you want yet another key.")
    if rotation.old_key_ids:
        ended = time.localtime(file.written_at() + _BEARERS_HOURS * 3600)
        steps.append(
            f"Old keys ({', '.join(rotation.old_key_ids)}) stay in the file: they open session tokens, page cursors "
            f"and console sign-ins that were made before. From {time.strftime('%Y-%m-%d %H:%M', ended)} on only page "
            "cursors of an earlier day are left of those; then run `service-server vault rotate --forget-old`. Run it "
            "at once if an old key may be in wrong hands: all of them end then."
        )
    return _Done(rotation, tuple(steps))


def _forgotten(file: KeyFile, rotation: Rotation) -> _Done:
    if rotation.unopened:
        return _Done(rotation, _mend(rotation))
    if not rotation.old_key_ids:
        return _Done(rotation, (f"There is no old key in {file.path}; nothing was changed.",))
    gone = ", ".join(rotation.old_key_ids)
    return _Done(
        rotation,
        (
            f"Only key {rotation.key_id} is left in {file.path}; {gone} opens nothing any more.",
            f"Keep {gone} as long as you keep backups of the database that were made before.",
        ),
    )


def _mend(rotation: Rotation) -> tuple[str, ...]:
    rows = "; ".join(f"{kind}: {', '.join(map(str, key))}" for kind, key in sorted(rotation.unopened)[:20])
    return (
        f"{len(rotation.unopened)} values open with no key that is here ({rows}). All others are sealed with key "
        f"{rotation.key_id}. The old keys stay. Put a missing key back, or replace what cannot be opened (reconnect or "
        "disconnect the account, set the secret again), then run this again.",
    )


async def _with_environment(settings: Settings, text: str, keys: VaultKeys, rotator: Rotator) -> _Done:
    """Rotate a key that only the operator can put in place: say the steps, and seal again when they are done."""
    vault = await open_vault(keys, settings.vault_key_file, text)
    prepared = KeyFile(settings.data_directory / "vault.key.new")
    waiting = prepared.read().sealing if prepared.exists() else None
    if len(vault.key_ids) == 1 and set(await keys.proofs()) == {vault.sealing_key_id}:
        if waiting == vault.sealing_key_id:
            prepared.path.unlink()  # the new key is in place by now, so another one is being asked for
            waiting = None
        if waiting is None:
            prepared.create(new_keys())
        return _Done(
            None,
            (
                f"The key comes from SERVICE_VAULT_KEY, so you put the new one in place. It stands in {prepared.path}.",
                "1. Add its line after the present one in SERVICE_VAULT_KEY, for every process, and restart them all.",
                "2. Then put its line first, for every process and for this command, and restart them all again.",
                "3. Then run this command again.",
            ),
        )
    if waiting is not None and waiting in vault.key_ids and waiting != vault.sealing_key_id:
        return _Done(
            None,
            (
                f"Key {waiting} opens, and {vault.sealing_key_id} still seals. Once every process runs with both, put "
                f"{waiting} first in SERVICE_VAULT_KEY, restart them all, and run this command again.",
            ),
        )
    rotation = await rotator.seal_with_first(vault)
    if rotation.unopened:
        return _Done(rotation, _mend(rotation))
    prepared.path.unlink(missing_ok=True)
    return _Done(
        rotation,
        (
            f"Everything kept is sealed with key {rotation.key_id}.",
            f"Take {', '.join(rotation.old_key_ids)} out of SERVICE_VAULT_KEY after {_BEARERS_HOURS} hours, when the "
            "session tokens and console sign-ins that it sealed have ended (page cursors end with it).",
        ),
    )
