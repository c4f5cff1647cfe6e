"""What an import made, left out and flattened, and why: for the terminal, as data, and as a file of the connector."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict, define, field, frozen

from service_server.openapi_import.texts import one_line

_ALIKE = 3
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})  # what Markdown or HTML would read otherwise


@frozen(order=True)
class Flattening:
    """Something of a function that a connector can't say as the document does."""

    function: str
    where: str
    what: str


@define
class Report:
    """What people should know of an import, sorted; `notes` are about the connector as a whole."""

    source: str = ""
    sha256: str = ""
    version: str = ""
    functions: list[str] = field(factory=list)
    types: Counter[str] = field(factory=Counter)
    paginated: int = 0
    sources: int = 0
    typed_in: list[Flattening] = field(factory=list)
    unsearched: list[str] = field(factory=list)
    without_example: list[str] = field(factory=list)
    not_included: int = 0
    operations_left_out: list[tuple[str, str]] = field(factory=list)
    unneeded: list[tuple[str, str]] = field(factory=list)
    unneeded_parameters: list[Flattening] = field(factory=list)
    sign_in_left_out: list[tuple[str, str]] = field(factory=list)
    lost: list[Flattening] = field(factory=list)
    flattened: list[Flattening] = field(factory=list)
    limits: Counter[str] = field(factory=Counter)
    notes: list[str] = field(factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether every chosen operation and every way to sign in was imported, with all that a call needs."""
        return not (self.operations_left_out or self.sign_in_left_out or self.lost)

    def described(self) -> dict[str, Any]:
        """Return everything as JSON's values."""
        found = asdict(self)
        found["left_out"] = found.pop("operations_left_out")
        for key, of in (("left_out", "operation"), ("unneeded", "operation"), ("sign_in_left_out", "scheme")):
            found[key] = [{of: each, "reason": reason} for each, reason in found[key]]
        return found

    def summary(self, most: int = 5) -> list[str]:
        """Return what a terminal shows: the figures, and of each list its first lines."""
        lines = [self._figures()]
        for heading, entries in self._chapters().items():
            lines += ["", f"{heading} ({len(entries)}):", *(f"  {entry}" for entry in entries[:most])]
            if len(entries) > most:
                lines.append(f"  and {len(entries) - most} more")
        return lines

    def markdown(self, title: str) -> str:
        """Return the report as a file of the connector's folder."""
        lines = [
            f"# How {title} was imported",
            "",
            f"From `{self.source}` ({self.version}, SHA-256 `{self.sha256}`). {self._figures()}",
            "",
            "Read the functions before you rely on them: such a document tells what can be sent, not what it is for.",
        ]
        for heading, entries in self._chapters().items():
            lines += ["", f"## {heading} ({len(entries)})", "", *(f"- {each.translate(_ESCAPED)}" for each in entries)]
        return "\n".join(lines) + "\n"

    def _figures(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.types.items())
        text = f"{len(self.functions)} functions ({kinds}), {self.paginated} of them by pages;"
        text += f" {self.sources} fields have a source function."
        if self.not_included:
            text += f" {self.not_included} operations were not asked for."
        operations = Counter(rule for _, rule in self.unneeded)
        parameters = Counter(each.what for each in self.unneeded_parameters)
        told = [
            f"what {rule} ({count} {noun}{'s' if count > 1 else ''})"
            for noun, rules in (("operation", operations), ("parameter", parameters))
            for rule, count in rules.most_common()
        ]
        return f"{text} Left out, since nobody needs it in a form: {', '.join(told)}. --all keeps it." if told else text

    def _chapters(self) -> Mapping[str, list[str]]:
        to_do = {
            "To look at": self.notes,
            "Operations left out": _told(self.operations_left_out),
            "Ways to sign in left out": _told(self.sign_in_left_out),
            "Needed by calls, and can't be sent": _told_once(self.lost),
            "To be typed in, as x-typed-in says there: give them choices or fields": _told_once(self.typed_in),
            "Lists that can't be searched, as unsearched says there": self.unsearched,
            "Functions without an example, because the document has none for what they need": self.without_example,
        }
        unneeded = [*_told(self.unneeded), *_told_once(self.unneeded_parameters)]
        to_know = {
            "Left out, since nobody needs it in a form (--all keeps it)": unneeded,
            "Flattened": _told_once(self.flattened),
            "Limits that only the app checks": [f"{key}: {count} fields" for key, count in self.limits.items()],
        }
        chapters = dict(sorted(to_do.items(), key=lambda chapter: len(chapter[1]))) | to_know
        return {heading: [one_line(entry) for entry in entries] for heading, entries in chapters.items() if entries}


def _told(reasons: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{each}: {reason}" for each, reason in reasons]


def _told_once(flattened: Iterable[Flattening]) -> list[str]:
    """Return a line for each, with what is the same in several functions told once; what is in the most, first."""
    functions: dict[str, list[str]] = {}
    for each in flattened:
        functions.setdefault(f"{each.where}: {each.what}", []).append(each.function)
    lines: list[tuple[int, str]] = []
    for what, several in functions.items():
        lines += [(-1, f"{function}: {what}") for function in several if len(several) <= _ALIKE]
        if len(several) > _ALIKE:
            lines.append((-len(several), f"{len(several)} functions ({', '.join(several[:_ALIKE])}, …): {what}"))
    return [line for _, line in sorted(lines)]
