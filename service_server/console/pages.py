"""How the console's pages are made: their templates and headers, and how values are written in them."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from unicodedata import category

from jinja2 import Environment
from litestar import Response
from litestar.datastructures import Cookie

from service_server.html_pages.addresses import root
from service_server.html_pages.rendering import environment, html_response, page_headers

_IMAGES = "img-src 'self' data:"
_HEADERS = page_headers(_IMAGES)
# What the browser SDK needs, besides; pages that have it know where it comes from.
_SDK = ("worker-src blob:", "trusted-types servicejs")
_SCRIPTED = {"calls.html": page_headers(_IMAGES, "script-src 'self'", "connect-src 'self'")}
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)")
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def page_response(
    template: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
    cookies: Sequence[Cookie] = (),
    sdk_from: str | None = None,
) -> Response[bytes]:
    """Answer with a page; `sdk_from` is the origin of the browser SDK, where the page has it."""
    html = _templates().get_template(template).render(context)
    headers = _SCRIPTED.get(template, _HEADERS) if sdk_from is None else _with_sdk(sdk_from)
    return html_response(html, headers, status=status, cookies=cookies)


def _with_sdk(origin: str) -> dict[str, str]:
    allowed = (f"script-src 'self' {origin} 'wasm-unsafe-eval'", f"connect-src 'self' {origin}")
    return page_headers(f"img-src 'self' data: {origin}", *allowed, *_SDK)


def file_headers() -> dict[str, str]:
    """The headers of a file that is saved, not shown."""
    return dict(_HEADERS)


def see_other(path: str, cookies: Sequence[Cookie] = ()) -> Response[bytes]:
    """Send the browser to another page of the console, or to the address of an operators' provider."""
    location = f"{root()}{path}" if path.startswith("/") else path
    return Response(b"", status_code=303, headers={**_HEADERS, "Location": location}, cookies=list(cookies))


@cache
def _templates() -> Environment:
    templates = environment("console")
    templates.filters.update(
        moment=moment,
        visible=visible,
        readable_json=readable_json,
        duration=duration,
        percent=percent,
        visible_lines=visible_lines,
        number=number,
    )
    return templates


def moment(timestamp: str) -> str:
    """A stored timestamp as people read it, to the second."""
    match = _MOMENT.match(timestamp)
    return timestamp if match is None else f"{match[1]} {match[2]}"


def duration(milliseconds: float | None) -> str:
    """A duration as people read it."""
    if milliseconds is None:
        return "–"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def percent(share: float) -> str:
    """A share (0 to 1) as people read it."""
    text = f"{share * 100:.0f} %" if share == 0 or share >= 0.01 else "< 1 %"
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def number(value: float) -> str:
    """A number with its thousands apart."""
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


def visible(text: str) -> str:
    """A text from outside with its invisible characters written out, so that it can't pass for another one."""
    return "".join(json.dumps(each)[1:-1] if category(each) in _HIDDEN else each for each in text)


def visible_lines(text: str) -> str:
    """As `visible`, of a text of several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def readable_json(value: Any) -> str:
    """A JSON value over several lines, without invisible characters."""
    return visible_lines(json.dumps(value, indent=2, ensure_ascii=False))
