"""Which methods a path takes, as its `Allow` header says."""

import re
from collections.abc import Iterable

from litestar.routes import BaseRoute, HTTPRoute

# Opening one of these in a browser does something that works only once, so HEAD must not count as opening it.
_NO_HEAD = ("/connect/", "/oauth/")


class Methods:
    """The methods of every route: HEAD wherever GET is harmless, and OPTIONS everywhere."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        of_path: dict[tuple[str, ...], set[str]] = {}
        for route in routes:
            if isinstance(route, HTTPRoute):
                of_path.setdefault(_parts(route), set()).update(route.methods)
        self._patterns = [
            (re.compile("/" + "/".join(parts) + "/?"), frozenset(methods))
            for parts, methods in sorted(of_path.items(), key=_parameters)
        ]

    def of(self, path: str) -> str | None:
        """What the `Allow` header of a path says; None for a path that there isn't."""
        for pattern, methods in self._patterns:
            if pattern.fullmatch(path):
                head = {"HEAD"} if "GET" in methods and has_head(path) else set()
                return ", ".join(sorted(methods | head | {"OPTIONS"}))
        return None


def has_head(path: str) -> bool:
    """Whether HEAD is answered as GET is, without the body."""
    return not path.startswith(_NO_HEAD)


def _parts(route: HTTPRoute) -> tuple[str, ...]:
    return tuple(
        re.escape(part) if isinstance(part, str) else ".+" if part.full.endswith(":path") else "[^/]+"
        for part in route.path_components
    )


def _parameters(item: tuple[tuple[str, ...], object]) -> int:
    return sum(part.endswith("+") for part in item[0])
