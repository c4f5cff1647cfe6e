"""The service's own pages: rendered from the templates, with headers that keep each page to itself."""

import base64
import hashlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from litestar import Response
from litestar.datastructures import Cookie

from service_server.html_pages.addresses import root
from service_server.html_pages.language import direction, enumerated, gettext, spoken


def page_headers(*allowed: str, style: str = "") -> dict[str, str]:
    """
    The headers of every page; `allowed` are Content-Security-Policy directives for what it loads besides styles.

    `style` is the text of the one `style` element that the page may have.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        "default-src 'none'",
        f"style-src 'self' 'sha256-{digest}'" if style else "style-src 'self'",
        *allowed,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
    }


def html_response(
    html: str, headers: Mapping[str, str], *, status: int = 200, cookies: Sequence[Cookie] = ()
) -> Response[bytes]:
    """Answer with a page; half a surrogate pair, which JSON can carry and UTF-8 can't, shows as a question mark."""
    return Response(
        html.encode("utf-8", "replace"),
        status_code=status,
        media_type="text/html",
        headers=headers,
        cookies=list(cookies),
    )


def render(folder: str, name: str, context: Mapping[str, Any]) -> str:
    """Fill in a template of a folder of `web_assets/templates`; everything filled in is escaped."""
    return environment(folder).get_template(name).render(context)


@cache
def environment(folder: str) -> Environment:
    """The templates of a folder."""

    def source(name: str) -> str | None:
        try:
            data = pkgutil.get_data("web_assets", f"templates/{folder}/{name}")
        except OSError:
            return None
        return None if data is None else data.decode()

    made = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"_": gettext, "spoken": spoken, "direction": direction, "enumerated": enumerated, "root": root}
    return made
