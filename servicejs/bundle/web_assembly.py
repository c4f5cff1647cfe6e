"""A WebAssembly module as its sections: enough to leave out exports and data and to import the memory."""

from collections.abc import Callable, Iterator

from attrs import frozen

HEAD = b"\0asm\x01\0\0\0"
IMPORTS, MEMORY, EXPORTS, CODE, DATA, DATA_COUNT = 2, 5, 7, 10, 11, 12
_FUNCTION, _TABLE, _MEMORY, _GLOBAL, _TAG = range(5)
_LIMITED, _ACTIVE, _END = 1, 0, 0x0B


class UnexpectedModule(RuntimeError):
    """The module holds something that is not understood, so nothing may be left out of it."""


@frozen
class Reader:
    """A place in a module's bytes; every method reads what is there and returns it with the place after it."""

    content: bytes
    at: int = 0

    def number(self) -> "tuple[int, Reader]":
        """Read an unsigned LEB128 number."""
        value = shift = 0
        for at in range(self.at, len(self.content)):
            byte = self.content[at]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value, Reader(self.content, at + 1)
        raise UnexpectedModule("The module ends within a number.")

    def take(self, count: int) -> "tuple[bytes, Reader]":
        """Read `count` bytes."""
        end = self.at + count
        if end > len(self.content):
            raise UnexpectedModule("The module is cut short.")
        return self.content[self.at : end], Reader(self.content, end)

    def text(self) -> "tuple[str, Reader]":
        """Read a text with its length before it."""
        size, reader = self.number()
        text, reader = reader.take(size)
        return text.decode(), reader


@frozen
class Export:
    """An entry of the exports: its name, which of the five kinds it is, its number, and its bytes."""

    name: str
    kind: int
    index: int
    entry: bytes


def number(value: int) -> bytes:
    """Write an unsigned LEB128 number."""
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def section(kind: int, content: bytes) -> bytes:
    """Write a section."""
    return bytes([kind]) + number(len(content)) + content


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the content of every section."""
    head, reader = Reader(module).take(len(HEAD))
    if head != HEAD:
        raise UnexpectedModule("This is no WebAssembly module of version 1.")
    while reader.at < len(module):
        kind, reader = reader.take(1)
        size, reader = reader.number()
        content, reader = reader.take(size)
        yield kind[0], content


def exported_functions(module: bytes) -> Iterator[tuple[str, int]]:
    """Yield the name of each exported function that the module itself defines, and its place among the bodies."""
    imported = sum(kind == _FUNCTION for kind in _imported_kinds(_section(module, IMPORTS)))
    for export in _exports(_section(module, EXPORTS)):
        if export.kind == _FUNCTION and export.index >= imported:
            yield export.name, export.index - imported


def memory_pages(module: bytes) -> tuple[int, int]:
    """Return how many pages of 64 KiB the module's memory has at first, and how many at most."""
    count, reader = Reader(_section(module, MEMORY)).number()
    mode, reader = reader.number()
    if (count, mode) != (1, _LIMITED):
        raise UnexpectedModule("The module does not have exactly one memory with a limit.")
    least, reader = reader.number()
    most, _ = reader.number()
    return least, most


def with_memory_from_outside(module: bytes, is_needed: Callable[[str], bool]) -> bytes:
    """
    Return the module with its memory imported as `env.memory`, and without exported functions and addresses that are
    not needed.

    The memory must then already hold what the module would have put there. Nothing is renumbered: types, functions,
    globals and the table stay as they are.
    """
    memory_pages(module)  # for its check
    memory = _section(module, MEMORY)[1:]
    written = bytearray(HEAD)
    for kind, content in sections(module):
        if kind == IMPORTS:
            count, reader = Reader(content).number()
            entry = _text("env") + _text("memory") + bytes([_MEMORY]) + memory
            written += section(kind, number(count + 1) + content[reader.at :] + entry)
        elif kind == EXPORTS:
            written += section(kind, _kept_exports(content, is_needed))
        elif kind == DATA:
            _check_data(content)
        elif kind not in (MEMORY, DATA_COUNT):
            written += section(kind, content)
    return bytes(written)


def _section(module: bytes, wanted: int) -> bytes:
    for kind, content in sections(module):
        if kind == wanted:
            return content
    raise UnexpectedModule(f"The module has no section {wanted}.")


def _text(text: str) -> bytes:
    return number(len(text.encode())) + text.encode()


def _check_data(content: bytes) -> None:
    """Raise UnexpectedModule unless all data is put in its place at the start and is never used after that."""
    count, reader = Reader(content).number()
    for _ in range(count):
        mode, reader = reader.number()
        if mode != _ACTIVE:
            raise UnexpectedModule("The module has data that is not put in its place at the start.")
        _, reader = reader.take(1)  # i32.const, of an address
        _, reader = reader.number()
        end, reader = reader.take(1)
        if end[0] != _END:
            raise UnexpectedModule("The module computes the address of data.")
        size, reader = reader.number()
        _, reader = reader.take(size)


def _kept_exports(content: bytes, is_needed: Callable[[str], bool]) -> bytes:
    kept = [each.entry for each in _exports(content) if each.kind not in (_FUNCTION, _GLOBAL) or is_needed(each.name)]
    return number(len(kept)) + b"".join(kept)


def _exports(content: bytes) -> Iterator[Export]:
    count, reader = Reader(content).number()
    for _ in range(count):
        started = reader.at
        name, reader = reader.text()
        kind, reader = reader.number()
        index, reader = reader.number()
        yield Export(name, kind, index, content[started : reader.at])


def _imported_kinds(content: bytes) -> Iterator[int]:
    count, reader = Reader(content).number()
    for _ in range(count):
        _, reader = reader.text()
        _, reader = reader.text()
        kind, reader = reader.number()
        yield kind
        if kind in (_TABLE, _GLOBAL, _TAG):
            _, reader = reader.take(1)  # a type, or what a tag is for
        if kind == _GLOBAL:
            _, reader = reader.take(1)  # whether it changes
        elif kind in (_TABLE, _MEMORY):
            limits, reader = reader.number()
            _, reader = reader.number()
            if limits & _LIMITED:
                _, reader = reader.number()
        else:
            _, reader = reader.number()  # a type
