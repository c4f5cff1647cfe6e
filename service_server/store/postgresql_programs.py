"""Runs pg_dump and pg_restore: finds them, checks their version, and passes the password so that nobody sees it."""

import asyncio
import contextlib
import os
import re
import shutil
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, unquote, urlencode

from attrs import frozen

from service_server.store.failures import DatabaseUnusable

_LOOK_SECONDS = 0.2
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_MOST_TOLD = 3
_LINE_CHARACTERS = 300


@frozen
class Program:
    """One of PostgreSQL's programs, of a version that can do what is asked of it."""

    name: str
    path: str

    @classmethod
    async def found(cls, name: str, major: int) -> "Program":
        """The program on the PATH, of this major version or a newer one; DatabaseUnusable names what to install."""
        path = shutil.which(name)
        install = (
            f"Install PostgreSQL's client programs of version {major} or newer (Debian and Ubuntu: the package "
            f"postgresql-client-{major}), so that {name} is on the PATH."
        )
        if path is None:
            raise DatabaseUnusable(f"There is no {name} here, which this needs on PostgreSQL. {install}")
        process = await asyncio.create_subprocess_exec(
            path, "--version", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        said, _ = await process.communicate()
        version = _VERSION.search(said.decode(errors="replace"))
        if version is None:
            raise DatabaseUnusable(f"{path} does not tell its version. {install}")
        if int(version[1]) < major:
            raise DatabaseUnusable(f"{path} is of version {version[1]}, and {major} is needed here. {install}")
        return cls(name, path)


async def run(program: Program, dsn: str, *options: str, meanwhile: Callable[[], None] = lambda: None) -> None:
    """
    Run a program on a database to its end, or until this task is cancelled; DatabaseUnusable says what it says.

    Only the lines with errors are kept, since those after them may quote rows. `meanwhile` is called now and then.
    """
    address, password = without_password(dsn)
    environment = {**os.environ, "LC_ALL": "C", **({} if password is None else {"PGPASSWORD": password})}
    process = await asyncio.create_subprocess_exec(
        program.path,
        "--no-password",
        f"--dbname={address}",
        *options,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    said = asyncio.create_task(process.communicate())
    try:
        while not (await asyncio.wait([said], timeout=_LOOK_SECONDS))[0]:
            meanwhile()
        meanwhile()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        lines = [line for line in said.result()[1].decode(errors="replace").splitlines() if "error:" in line]
        told = "; ".join(line[:_LINE_CHARACTERS] for line in lines[:_MOST_TOLD])
        if "unsupported version" in told:
            told += ". The backup was made by a newer pg_dump: install PostgreSQL's client programs of its version here"
        raise DatabaseUnusable(told or f"{program.name} has ended with status {process.returncode}.")


def without_password(dsn: str) -> tuple[str, str | None]:
    """
    Return an address for a command line, and the password apart: all users of a machine can see command lines.
    """
    where, _, query = dsn.removeprefix("postgresql://").partition("?")
    credentials, at, host = where.rpartition("@")
    user, colon, password = credentials.partition(":")
    found = unquote(password) if colon else None
    kept = []
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "sslpassword":
            raise DatabaseUnusable(
                "PostgreSQL's programs take sslpassword on the command line only, where other users of the machine see "
                "it. Use a key without a password for this, in a file that only you can read."
            )
        if name == "password":
            found = value
        else:
            kept.append((name, value))
    ending = f"?{urlencode(kept, quote_via=quote)}" if kept else ""
    return f"postgresql://{user}{at}{host}{ending}", found
