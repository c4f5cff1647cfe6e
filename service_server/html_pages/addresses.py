"""
Where the service's own pages are for the browser that asked.

A proxy may have the service below a path of its own (`--public-url https://example.com/functions`), and take that path
off each request. The service then knows its pages by the rest, and whatever a page links to has to begin with it.
"""

from contextvars import ContextVar
from urllib.parse import urlsplit

_path: ContextVar[str] = ContextVar("path", default="")


def reached_below(path: str) -> None:
    """Have pages that are made in this task link below a path: "/functions", or "" for none."""
    _path.set(path)


def path_of(url: str) -> str:
    """The path below which a service with this public address is reached; "" for none."""
    return urlsplit(url).path.rstrip("/")


def root() -> str:
    """What stands before the path of each page of ours, and of each file that one loads."""
    return _path.get()
