"""A form being filled in: takes edits and listings, gives requests, problems and in the end the arguments."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import tzinfo
from typing import Any

from attrs import evolve

from service_client.models import CallResult, Code, ErrorDetail, Function, Prediction
from servicejs.forms import texts
from servicejs.forms.fields import function_field
from servicejs.forms.follow import follow_listing
from servicejs.forms.form_sources import FormSources, needed_by
from servicejs.forms.lookup import node_at
from servicejs.forms.paths import Path, path_text, plain_path_text
from servicejs.forms.problems import Problem
from servicejs.forms.reading import read
from servicejs.forms.sources import Listing, Remedy, Ticket
from servicejs.forms.values import ABSENT, Group, Leaf, Node, Rows, fill, is_blank, prune, walk
from servicejs.language import enumerated
from servicejs.language import gettext as _

UPLOAD_FAILED = "upload_failed"
"""The code of the problem that a chosen file did not get to the service."""


class Form:
    """
    One function's form, without any I/O.

    `problems` and `notices` say, by path, what has to be put right, and what the form changed by itself. `suggested`
    holds the words of a prompt that a value was predicted from, as long as nobody has changed the value. `general`
    holds the messages that belong to no field. Required parameters start with their defaults; the defaults of optional
    ones are left to the service and not sent. `sources` is what its fields need from source functions. `zone` is the
    user's time zone (None: as the platform says).
    """

    def __init__(self, function: Function, arguments: Mapping[str, Any], zone: tzinfo | None = None) -> None:
        self.function = function
        self.zone = zone
        self.problems: dict[Path, Problem] = {}
        self.notices: dict[Path, str] = {}
        self.general: list[str] = []
        self.suggested: dict[Path, str] = {}
        field = function_field(function)
        defaults = {each.name: each.default for each in field.members if each.required and each.default is not None}
        given = defaults | dict(arguments)
        paginated = function.meta is not None and function.meta.paginated
        # The cursor of a paginated function travels with its arguments but isn't something a person fills in.
        self._cursor = {"next_page": given.pop("next_page")} if paginated and "next_page" in given else {}
        root = fill(field, given)
        assert isinstance(root, Group)  # noqa: S101  a function's parameters are an object
        self.root = root
        self.sources = FormSources(root)
        # The names of fields that the form itself filled in: nobody has to see those that are folded away.
        self.chosen: set[str] = set()
        # What other choices are listed by, such as the workspace of a project, by its path.
        self._listed_by = {(name,) for name in needed_by(field) if name in root.members}
        self.show_misfits()

    # Looking

    def find(self, argument: str) -> Path | None:
        """Find the path that a gesture or the service named; None if there is no such field."""
        plain: Path | None = None
        for path, _node in walk(self.root):
            if path_text(path) == argument:
                return path
            if plain is None and plain_path_text(path) == argument:
                plain = path
        return plain

    def node(self, path: Path) -> Node:
        """Return the node at a path."""
        return node_at(self.root, path)

    def _path_of(self, leaf: Leaf) -> Path | None:
        """Return where a leaf is by now; None if it is no longer in the form."""
        return next((path for path, node in walk(self.root) if node is leaf), None)

    def is_undeclared(self, path: Path) -> bool:
        """Whether a value was given under a name that its object is not known to have."""
        if not path or isinstance(path[-1], int):
            return False
        parent = self.node(path[:-1])
        return isinstance(parent, Group) and all(field.name != path[-1] for field in parent.declared)

    def suggest(self, prediction: Prediction) -> None:
        """
        Note which values were predicted and from which words, and what empty fields may hold according to a prompt.

        Names that aren't fields of this form are ignored.
        """
        for name, words in prediction.evidence.items():
            path = self.find(name)
            if path and not is_blank(self.node(path)):
                self.suggested[path] = words
        for name, choices in prediction.choices.items():
            path = self.find(name)
            if path and choices and is_blank(self.node(path)):
                labels = enumerated(f"“{choice.label}”" for choice in choices)
                self.notices[path] = _("Your words may mean one of these: %(labels)s.", labels=labels)

    # Editing

    def set_text(self, path: Path, text: str) -> None:
        """Put a text into a scalar; if the field has a known problem, it is checked again."""
        leaf = self.node(path)
        if not isinstance(leaf, Leaf):
            return
        if leaf.field.control == "datetime":
            text = texts.with_offset(text, self.zone)
        leaf.text, leaf.misfit, leaf.label, leaf.search, leaf.file = text, ABSENT, "", "", None
        if leaf.field.source:
            leaf.checked_against = self.sources.listing_key(path)
            self.follow()
        self.notices.pop(path, None)
        self._forget_suggestion(path)
        if path in self.problems:
            self.check(path)

    def set_value(self, path: Path, value: Any) -> None:
        """Replace what is filled in at a path with a value; None leaves it empty."""
        node = self.node(path)
        text = texts.show(node.field, value) if isinstance(node, Leaf) and value is not None else ""
        if isinstance(node, Leaf) and text is not None:
            self.set_text(path, text)
            return
        parent, filled = self.node(path[:-1]), fill(node.field, ABSENT if value is None else value)
        if isinstance(parent, Group):
            parent.members[str(path[-1])] = filled
        elif isinstance(parent, Rows):
            parent.rows[int(path[-1])].node = filled
        self._forget_suggestion(path)
        self._forget_below(path)
        self.notices.pop(path, None)
        self.follow()

    def take_upload(self, leaf: Leaf, id: str) -> None:
        """Take the id under which the service keeps the file that was chosen for a field."""
        path, chosen = self._path_of(leaf), leaf.file
        if path is not None and chosen is not None:
            self.set_text(path, id)
            leaf.file, leaf.label = evolve(chosen, uploaded=True), chosen.name

    def refuse_upload(self, leaf: Leaf, message: str) -> None:
        """Note that the file that was chosen for a field could not be uploaded, and why."""
        path = self._path_of(leaf)
        if path is not None and leaf.file is not None:
            words = _("“%(file)s” could not be uploaded. %(why)s", file=leaf.file.name, why=message)
            leaf.file = None
            self.problems[path] = Problem(path, UPLOAD_FAILED, words)

    def check(self, path: Path) -> None:
        """Check one value by itself; an empty one is not a problem before the form is submitted."""
        node = self.node(path)
        if isinstance(node, Group):
            return
        found: list[Problem] = []
        read(node, path, found)
        known = self.problems.pop(path, None)
        if found and (known or not is_blank(node)):
            self.problems[path] = found[0]

    def add_row(self, path: Path) -> Path | None:
        """Add an empty entry to an array and return its path."""
        rows = self.node(path)
        if not isinstance(rows, Rows) or rows.field.item is None:
            return None
        rows.append(fill(rows.field.item))
        rows.given_empty = False
        self._forget_suggestion(path)
        self._forget_below(path)
        return (*path, len(rows.rows) - 1)

    def remove_row(self, path: Path) -> None:
        """Remove one entry of an array."""
        rows = self.node(path[:-1]) if path else None
        position = path[-1] if path else None
        if isinstance(rows, Rows) and isinstance(position, int):
            del rows.rows[position]
            self._forget_suggestion(path)
            self._forget_below(path[:-1])  # the positions of the entries after it have changed

    def discard(self, path: Path) -> None:
        """Remove a given value that doesn't fit, or that nobody declared."""
        if self.is_undeclared(path):
            parent = self.node(path[:-1])
            if isinstance(parent, Group):
                parent.members.pop(str(path[-1]), None)
        else:
            self.node(path).misfit = ABSENT
        self._forget_below(path)

    # Source functions

    def arrive(self, ticket: Ticket, result: CallResult) -> list[Ticket]:
        """Take an answer; returns the requests to send next, such as the next page of an object's fields."""
        if self.sources.arrive(ticket, result):
            self.follow()
            self._choose_only()
        return self.sources.following(ticket) + self.sources.due()

    def fail(self, ticket: Ticket, message: str, remedy: Remedy | None = None) -> Listing | None:
        """Note that a request failed, and what would help other than trying again; returns what is known about it."""
        return self.sources.fail(ticket, message, remedy)

    def follow(self) -> None:
        """Bring the values in line with the listings: keep what is still valid, drop the rest and say so."""
        fed = [(path, node) for path, node in walk(self.root) if node.field.source or node.field.dynamic]
        for path, node in fed:
            listing = self.sources.listing_for(path)
            request = self.sources.request_for(path) if listing else None
            if listing is None or request is None or listing.state != "ready":
                continue
            before = node.listing if isinstance(node, Group) else ""
            if notice := follow_listing(node, listing, request.key):
                self.notices[path] = notice
                self._forget_below(path)
            if isinstance(node, Group) and node.listing != before:
                for below, _ in walk(node, path):
                    self.check(below)

    def _choose_only(self) -> None:
        """Choose the only workspace there is, so that its projects are listed; once, for whoever clears it means it."""
        for path in sorted(self._listed_by):
            node, listing = self.node(path), self.sources.listing_for(path)
            if not isinstance(node, Leaf) or node.field.source is None or listing is None or not listing.complete:
                continue
            self._listed_by.discard(path)
            options = listing.choices(node.field.source)
            if len(options) == 1 and is_blank(node) and not node.search:
                self.set_text(path, options[0].text)
                node.label = options[0].label
                self.chosen.add(node.field.name)

    # Finishing

    def submit(self) -> dict[str, Any] | None:
        """Return the arguments; None when `problems` says what is wrong, or what decides about them `is_loading`."""
        prune(self.root)
        self.general = []
        found: list[Problem] = []
        arguments = read(self.root, (), found)
        found.extend(self._undeclared())
        loading = list(self._loading())
        self._set_problems(each for each in found if all(each.path[: len(path)] != path for path in loading))
        return None if self.problems or loading else {**arguments, **self._cursor}

    @property
    def is_loading(self) -> bool:
        """Whether something is on its way that decides what is right, or is itself to be sent."""
        return any(True for _path in self._loading())

    def preview(self) -> dict[str, Any]:
        """Return the arguments as far as they can be read now."""
        arguments = read(self.root, (), [])
        return {**arguments, **self._cursor}

    def show_details(self, details: Iterable[ErrorDetail]) -> None:
        """Show what the service found wrong, at the field that it named if the form has it."""
        found = []
        self.general = []
        for detail in details:
            path = self.find(detail.field) if detail.field else None
            if path:
                found.append(Problem(path, detail.code, detail.message))
            else:
                self.general.append(f"{detail.field}: {detail.message}" if detail.field else detail.message)
        self._set_problems(found)

    def first_problem(self) -> Path | None:
        """The first field with a problem, from the top."""
        return next((path for path, _ in walk(self.root) if path in self.problems), None)

    def _set_problems(self, found: Iterable[Problem]) -> None:
        self.problems = {}
        for problem in found:
            self.problems.setdefault(problem.path, problem)

    def show_misfits(self) -> None:
        """Say at once which given values don't fit; what is merely missing can wait."""
        found: list[Problem] = []
        read(self.root, (), found)
        found.extend(self._undeclared())
        self._set_problems(problem for problem in found if problem.code != Code.REQUIRED)

    def _undeclared(self) -> Iterator[Problem]:
        """The service refuses parameters it doesn't know; inside objects they may well be right."""
        for name in self.root.members:
            if self.is_undeclared((name,)):
                words = _("This function has no “%(name)s”. Remove it to continue.", name=name)
                yield Problem((name,), Code.UNKNOWN_PARAMETER, words)

    def _loading(self) -> Iterator[Path]:
        for path, node in walk(self.root):
            is_uploading = isinstance(node, Leaf) and node.file is not None and not node.file.uploaded
            if is_uploading or self.sources.is_loading(path, node) or not self.sources.is_settled(path, node):
                yield path

    def _forget_suggestion(self, path: Path) -> None:
        """Drop the suggestions for a value that somebody has changed, and for what contains it."""
        self.suggested = {key: words for key, words in self.suggested.items() if path[: len(key)] != key}

    def _forget_below(self, path: Path) -> None:
        self.problems = {key: value for key, value in self.problems.items() if key[: len(path)] != path}
        self.notices = {key: value for key, value in self.notices.items() if key[: len(path)] != path or key == path}
