"""Checks the body of a ticket call: every wrong field is named, and nothing is changed unless all is right."""

import math
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any

from attrs import asdict, evolve

from examples.sandbox_app.messages import FieldProblem, Refusal
from examples.sandbox_app.workspaces import PRIORITIES, STATUSES, CustomField, Project, TicketContent, Workspace

MAX_TITLE = 200
MAX_DESCRIPTION = 5000
MAX_LABELS = 20
MAX_LABEL = 50
MAX_CUSTOM_STRING = 1000


class _Problem(Exception):
    """One value is wrong; becomes a `FieldProblem` where the field's name is known."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _string(value: Any, maximum: int) -> str:
    if not isinstance(value, str):
        raise _Problem("type", "This must be a string.")
    if len(value) > maximum:
        raise _Problem("too_long", f"This may have {maximum} characters at most.")
    return value


def _title(value: Any) -> str:
    title = _string(value, MAX_TITLE).strip()
    if not title:
        raise _Problem("required", "A ticket needs a title.")
    return title


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Problem("type", "This must be true or false.")
    return value


def _labels(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise _Problem("type", "This must be a list of strings.")
    if len(value) > MAX_LABELS or any(not 0 < len(label) <= MAX_LABEL for label in value):
        raise _Problem("too_long", f"At most {MAX_LABELS} labels of 1 to {MAX_LABEL} characters.")
    return tuple(dict.fromkeys(value))


def _due_date(value: Any) -> str | None:
    if value is None:
        return None
    text = _string(value, 10)
    try:
        parsed = date.fromisoformat(text)
    except ValueError:
        raise _Problem("format", "This must be a date such as 2026-12-31.") from None
    return parsed.isoformat()


def _status(value: Any) -> str:
    if value not in STATUSES:
        raise _Problem("enum", "This must be one of: " + ", ".join(STATUSES) + ".")
    return str(value)


def _priority(value: Any) -> str:
    if value not in PRIORITIES:
        raise _Problem("enum", "This must be one of: " + ", ".join(PRIORITIES) + ".")
    return str(value)


def _custom_value(field: CustomField, value: Any) -> Any:
    if field.type == "boolean":
        return _boolean(value)
    if field.type == "number":
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise _Problem("type", "This must be a number.")
        return value
    text = _string(value, MAX_CUSTOM_STRING)
    if field.type == "enum" and text not in field.options:
        raise _Problem("enum", "This must be one of: " + ", ".join(field.options) + ".")
    if field.required and not text.strip():
        raise _Problem("required", f"{field.name} is required in this project.")
    return text


class _Checked:
    """Collects the problems of one body, and what was read from it."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self.values: dict[str, Any] = {}
        self.problems: list[FieldProblem] = []

    def read(self, name: str, reading: Callable[[Any], Any]) -> None:
        if name in self._body:
            self.try_read(name, name, self._body[name], reading, self.values)

    def try_read(self, path: str, name: str, value: Any, reading: Callable[[Any], Any], into: dict[str, Any]) -> None:
        try:
            into[name] = reading(value)
        except _Problem as problem:
            self.problems.append(FieldProblem(path, problem.code, str(problem)))

    def require(self, name: str) -> None:
        if name not in self._body:
            self.problems.append(FieldProblem(name, "required", f"{name} is required."))

    def refuse_unknown(self, known: set[str]) -> None:
        for name in sorted(self._body.keys() - known):
            self.problems.append(FieldProblem(name, "unknown", f"There is no field {name}."))

    def finish(self) -> None:
        """Raise `Refusal` 422 if anything was wrong."""
        if self.problems:
            raise Refusal(422, "invalid", "Some fields are not right.", fields=tuple(self.problems))


_CHOSEN = {"title", "description", "priority", "urgent", "labels", "assignee_id", "due_date", "fields"}


def check_new(body: Mapping[str, Any], workspace: Workspace) -> TicketContent:
    """The content of a new ticket; raises `Refusal` 422 with every problem."""
    checked = _Checked(body)
    checked.require("title")
    checked.require("project_id")
    checked.refuse_unknown(_CHOSEN | {"project_id"})
    checked.read("project_id", lambda value: _project(value, workspace).id)
    _read_common(checked, workspace)
    project = workspace.projects.get(checked.values.get("project_id", ""))
    if project is not None:
        checked.values["fields"] = _custom_fields(checked, body.get("fields", {}), {}, project)
    checked.finish()
    return TicketContent(**checked.values)


def check_change(body: Mapping[str, Any], content: TicketContent, workspace: Workspace) -> TicketContent:
    """A ticket's content after a change; raises `Refusal` 422 with every problem."""
    checked = _Checked(body)
    checked.refuse_unknown(_CHOSEN | {"status"})
    _read_common(checked, workspace)
    checked.read("status", _status)
    if "fields" in body:
        project = workspace.projects[content.project_id]
        checked.values["fields"] = _custom_fields(checked, body["fields"], content.fields, project)
    checked.finish()
    return evolve(content, **checked.values)


def _read_common(checked: _Checked, workspace: Workspace) -> None:
    checked.read("title", _title)
    checked.read("description", lambda value: _string(value, MAX_DESCRIPTION))
    checked.read("priority", _priority)
    checked.read("urgent", _boolean)
    checked.read("labels", _labels)
    checked.read("assignee_id", lambda value: _assignee(value, workspace))
    checked.read("due_date", _due_date)


def _project(value: Any, workspace: Workspace) -> Project:
    project = workspace.projects.get(_string(value, 100))
    if project is None:
        raise _Problem("not_found", "There is no such project.")
    return project


def _assignee(value: Any, workspace: Workspace) -> str | None:
    if value is None:
        return None
    member = workspace.members.get(_string(value, 100))
    if member is None:
        raise _Problem("not_found", "There is no such member.")
    return member.id


def _custom_fields(checked: _Checked, given: Any, present: Mapping[str, Any], project: Project) -> dict[str, Any]:
    """The project's fields after merging `given`; null drops an optional one. Problems go to `checked`."""
    merged = dict(present)
    if not isinstance(given, dict):
        checked.problems.append(FieldProblem("fields", "type", "This must be an object."))
        return merged
    known = {field.key: field for field in project.custom_fields}
    for key, value in given.items():
        field = known.get(key)
        path = f"fields.{key}"
        if field is None:
            checked.problems.append(FieldProblem(path, "unknown", f"{project.name} has no field {key}."))
        elif value is None and not field.required:
            merged.pop(key, None)
        else:
            checked.try_read(path, key, value, partial(_custom_value, field), merged)
    for field in project.custom_fields:
        if field.required and field.key not in merged and field.key not in given:
            message = f"{field.name} is required in this project."
            checked.problems.append(FieldProblem(f"fields.{field.key}", "required", message))
    return merged


def describe_custom_field(field: CustomField) -> dict[str, Any]:
    """A custom field as the API shows it."""
    return {**asdict(field), "options": list(field.options)}
