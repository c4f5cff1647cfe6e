"""The figures as Prometheus reads them: those of this process, and those of all workers put together."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

_SIBLING_SECONDS = 2.0
"""How long another worker may take to tell its figures; else they are missing this time."""


class Exposition:
    """
    Tells the figures of all workers that have a socket in one folder.

    Each figure has a label `process`. Figures of processes are not added up here: Prometheus does that, and so takes
    the end of one for what it is, and not for a count that went back.
    """

    def __init__(self, registry: CollectorRegistry, folder: Path) -> None:
        self._registry = registry
        self._folder = folder
        self._own = folder / f"{os.getpid()}.sock"

    @contextlib.asynccontextmanager
    async def answering_siblings(self) -> AsyncIterator[None]:
        """Tell the other workers this one's figures while the block lasts."""

        async def tell(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                writer.write((await self._text()).encode())
                await writer.drain()
            writer.close()

        server = await asyncio.start_unix_server(tell, self._own)
        try:
            yield
        finally:
            server.close()
            self._own.unlink(missing_ok=True)

    async def text(self) -> str:
        """The figures of all workers."""
        siblings = [each for each in self._folder.glob("*.sock") if each != self._own]
        texts = await asyncio.gather(self._text(), *(_told_by(each) for each in siblings))
        processes = [self._own.stem, *(each.stem for each in siblings)]
        return merged(dict(zip(processes, texts, strict=True)))

    async def _text(self) -> str:
        return (await asyncio.to_thread(generate_latest, self._registry)).decode()


async def _told_by(sibling: Path) -> str:
    """What another worker says; nothing of one that has ended without a word, whose socket is taken away."""
    try:
        async with asyncio.timeout(_SIBLING_SECONDS):
            reader, writer = await asyncio.open_unix_connection(sibling)
            try:
                return (await reader.read()).decode()
            finally:
                writer.close()
    except ConnectionRefusedError:
        sibling.unlink(missing_ok=True)
        return ""
    except (OSError, TimeoutError):
        return ""


def merged(texts: Mapping[str, str]) -> str:
    """One text of those of several processes: each family once, each figure with the label `process`."""
    families: dict[str, list[str]] = {}
    for process, text in texts.items():
        for block in f"\n{text}".split("\n# HELP ")[1:]:
            described, kind, *figures = block.splitlines()
            family = families.setdefault(f"# HELP {described}\n{kind}", [])
            family += [_labelled(each, process) for each in figures]
    return "".join(f"{head}\n" + "".join(f"{each}\n" for each in figures) for head, figures in families.items())


def _labelled(figure: str, process: str) -> str:
    name, brace, labels = figure.partition("{")
    if brace:
        return f'{name}{{process="{process}",{labels}'
    name, _, value = figure.partition(" ")
    return f'{name}{{process="{process}"}} {value}'
