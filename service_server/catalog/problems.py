"""What is wrong with connector files, told all at once with file, line and key."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve, field, frozen

from service_server.catalog.document import Document, KeyPath


@frozen(order=True)
class Problem:
    """One thing that is wrong; `key` is dotted, `line` counts from 1 (0: a folder), `message` says what to do."""

    file: Path
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        return f"{self.file}{line}: {f'{self.key}: ' if self.key else ''}{self.message}"


class CatalogError(Exception):
    """The connector files can't be used; `problems` holds everything that is wrong with them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


@frozen
class Report:
    """Collects the problems of one document, or of the part of it below a key, while it is read."""

    document: Document
    problems: list[Problem] = field(factory=list)
    part: KeyPath = ()

    def below(self, *path: str | int) -> "Report":
        """Return a report of the part below a key, whose problems are found among this one's."""
        return evolve(self, part=(*self.part, *path))

    def add(self, path: KeyPath, message: str) -> None:
        """Note a problem at a key of the document."""
        path = (*self.part, *path)
        self.problems.append(Problem(self.document.file, self.document.line(path), dotted(path), message))

    @contextmanager
    def telling(self, path: KeyPath) -> Iterator[None]:
        """Note as a problem at a key of the document what a ValueError says that is raised meanwhile."""
        try:
            yield
        except ValueError as error:
            self.add(path, str(error))


def dotted(path: Iterable[str | int]) -> str:
    """Write a path as people, and the contract, write it: `auth[0].inject.header`."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the known name that is most like another, or nothing."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{matches[0]}'?" if matches else ""
