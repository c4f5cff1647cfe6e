"""Which arguments take a repository's whole name ("acme/web"), which its owner, and which its own name."""

from collections.abc import Set
from enum import StrEnum

_WHOLE = frozenset({"full", "slug"})
_OWNER = frozenset({"owner", "org", "organiz", "workspac", "namespac"})
_REPOSITORY = frozenset({"repo", "repositori"})


class RepositoryName(StrEnum):
    """What part of "acme/web" an argument takes."""

    WHOLE = "whole"
    OWNER = "owner"
    OWN = "own"


def repository_name(stems: Set[str]) -> RepositoryName | None:
    """Return which part of a repository's name an argument takes, judged by the stems of the argument's own name."""
    if stems & _WHOLE:
        return RepositoryName.WHOLE
    if stems & _OWNER:
        return RepositoryName.OWNER
    return RepositoryName.OWN if stems & _REPOSITORY else None
