"""Files on the machine of whoever types a command: taken where a function takes one, written where it gives one."""

import asyncio
import contextlib
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service_server.administration.failures import AdministrationError
from service_server.catalog.values import FunctionDefinition

if TYPE_CHECKING:  # they take a second to import
    from service_server.files import Files, Owner

_CHUNK_BYTES = 512 * 1024


def check_paths(function: FunctionDefinition, values: dict[str, Any], save: Path | None) -> None:
    """Refuse paths that lead nowhere, before anything is asked or sent."""
    for name in function.files:
        for path in _paths(values.get(name)):
            if not path.is_file():
                raise AdministrationError(
                    f"{name}: there is no file {path}. It takes a path, an https address or the id of an uploaded file."
                )
    if save is None:
        return
    if function.gives_file is None:
        raise AdministrationError(f"{function.name} gives no file, so there is nothing to --save.")
    if save.exists():
        raise AdministrationError(f"{save} is there already; --save overwrites nothing.")
    if not save.parent.is_dir():
        raise AdministrationError(f"There is no directory {save.parent} to --save into.")


@contextlib.asynccontextmanager
async def uploaded(
    files: "Files", owner: "Owner", function: FunctionDefinition, values: dict[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """
    The arguments with ids in place of paths; what was kept for that is deleted in the end.

    What can't be deleted then goes when its hour is over: that must not take the place of what became of the call.
    """
    kept: list[str] = []

    async def id_of(given: Any) -> Any:
        for path in _paths(given):
            kept.append(await _keep(files, owner, path))
            return kept[-1]
        return given

    ids = dict(values)
    try:
        for name in function.files:
            given = values.get(name)
            if isinstance(given, list):
                ids[name] = [await id_of(each) for each in given]
            elif given is not None:
                ids[name] = await id_of(given)
        yield ids
    finally:
        for each in kept:
            with contextlib.suppress(Exception):
                await files.delete(owner, each)


async def saved(files: "Files", owner: "Owner", output: Any, path: Path) -> bool:
    """Write the file that a call gave; return whether it gave one."""
    from service_server.files import FileGone

    kept = await files.find(owner, str(output.get("id"))) if isinstance(output, dict) else None
    if kept is None:
        return False
    try:
        with path.open("xb") as file:
            async for chunk in kept.chunks():
                await asyncio.to_thread(file.write, chunk)
    except FileGone:
        path.unlink()
        return False
    except OSError as error:
        raise AdministrationError(
            f"The file could not be written to {path} ({error.strerror}). The service keeps it for an hour: {kept.id}"
        ) from None
    return True


async def _keep(files: "Files", owner: "Owner", path: Path) -> str:
    from service_server.errors import ServiceError
    from service_server.files import FileTooLarge, NoRoomForFile
    from service_server.rest.files import no_room, too_large

    media_type = mimetypes.guess_type(path.name)[0] or ""
    try:
        return (await files.keep(owner, path.name, media_type, _content(path), path.stat().st_size)).id
    except FileTooLarge as problem:
        refusal: ServiceError = too_large(problem.limit)
    except NoRoomForFile as problem:
        refusal = no_room(problem)
    except OSError as error:
        raise AdministrationError(f"{path} can't be read: {error.strerror}.") from None
    raise AdministrationError(f"{path}: {refusal.error}")


async def _content(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK_BYTES):
            yield chunk


def _paths(given: Any) -> list[Path]:
    """What of an argument are paths, and neither addresses nor ids."""
    from service_server.files.files import ID

    texts = [each for each in (given if isinstance(given, list) else [given]) if isinstance(each, str)]
    return [Path(each).expanduser() for each in texts if not each.startswith("https:") and not ID.fullmatch(each)]
