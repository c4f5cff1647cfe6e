"""CHANGELOG.md as a release needs it: the section of one version."""

import re

UNRELEASED = "Unreleased"
_HEADING = re.compile(r"^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?[ \t]*$", re.MULTILINE)


class NoSection(Exception):
    """The changelog lacks what a release needs; says what to write."""


def notes_of(changelog: str, version: str) -> str:
    """What the changelog says of a version, without its heading; raises `NoSection`."""
    headings = list(_HEADING.finditer(changelog))
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        if heading[1] != version:
            continue
        if version != UNRELEASED and not heading[2]:
            raise NoSection(f"CHANGELOG.md has no date for {version}: write `## {version} - YYYY-MM-DD`.")
        notes = changelog[heading.end() : after.start() if after else None].strip()
        if not notes:
            raise NoSection(f"CHANGELOG.md says nothing of {version}.")
        return f"{notes}\n"
    raise NoSection(f"CHANGELOG.md has no section `## {version} - YYYY-MM-DD`.")


def notes_for_a_trial(changelog: str, version: str) -> str:
    """The notes of a version that may not have a section yet: then those of what is unreleased."""
    try:
        return notes_of(changelog, version)
    except NoSection:
        return notes_of(changelog, UNRELEASED)
