"""What an instance is made with."""

import sys
from typing import Any

from attrs import field, frozen

from service_client import AsyncClient
from service_client.models import CONVERTER, ConnectSessionState
from service_client.plans import AsyncTransport
from servicejs.call_arguments import CallArguments, refuse
from servicejs.page.page import Page

THEMES = ("light", "dark")
OPTIONS = ("appKey", "userId", "hash", "token", "baseUrl", "theme", "locale", "redirectUrl")
"""What a page may give; the rest of what is read comes from the shell."""

_FROM_THE_SHELL = ("asksToken", "isAccepted", "location", "redeemed")


@frozen(kw_only=True)
class Options:
    """
    Who is asking, and where the service is.

    Either `hash` or a token stands for the user: `token` itself, or `asks_token` when the host page has a function
    that gives tokens. `location` is the page's address, `redirect_url` the one that connect pages lead back to.
    `is_accepted` says that the service already accepted the credentials for its first screen. `redeemed` is the
    connect session that the service finished for the user, who came back as `location` says. `theme` is the one that
    the page chose, if any.
    """

    app_key: str
    user_id: str
    base_url: str
    hash: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    asks_token: bool = False
    redirect_url: str | None = None
    location: str = ""
    is_accepted: bool = False
    redeemed: ConnectSessionState | None = None
    theme: str | None = None

    @classmethod
    def read(cls, values: dict[str, Any]) -> "Options":
        """
        Read the constructor's options; raises an error that names what is missing or wrong.

        What doesn't keep the instance from working is only told in the console, since a page may be written for another
        version than this.
        """
        arguments = CallArguments(values)
        if "appSecret" in values or "secret" in values:
            refuse("The application secret must never be in a browser: compute the hash on your server.")
        asks_token = values.get("asksToken") is True
        options = cls(
            app_key=arguments.text("appKey"),
            user_id=arguments.text("userId"),
            base_url=arguments.text("baseUrl"),
            hash=arguments.optional_text("hash"),
            token=arguments.optional_text("token"),
            asks_token=asks_token,
            redirect_url=arguments.optional_text("redirectUrl"),
            location=str(values.get("location", "")),
            is_accepted=values.get("isAccepted") is True,
            redeemed=None
            if (known := values.get("redeemed")) is None
            else CONVERTER.structure(known, ConnectSessionState),
            theme=theme if (theme := values.get("theme")) in THEMES else None,
        )
        for name in sorted(values.keys() - {*OPTIONS, *_FROM_THE_SHELL}):
            _warn(f"There is no option {name!r}; there are {', '.join(OPTIONS)}.")
        if theme and options.theme is None:
            _warn(f"There is no theme {theme!r}; it is {' or '.join(THEMES)}, or left out for the user's setting.")
        if options.hash is None and options.token is None and not asks_token:
            refuse("hash or token is required: compute the hash, or mint a session token, on your server.")
        return options


def _warn(message: str) -> None:
    """Write to the browser's console."""
    print(f"ServiceJS: {message}", file=sys.stderr)


def open_client(options: Options, page: Page, instance: str, transport: AsyncTransport | None) -> AsyncClient:
    """Open the client that an instance's requests go through; without a transport it picks its own."""

    async def fetch_token() -> str:
        answer = await page.fetch_token(instance)
        token = answer.get("token") if isinstance(answer, dict) else answer
        if not isinstance(token, str) or not token:
            refuse("The token function must return a session token, or what POST /session_tokens answered.")
        return token

    return AsyncClient(
        options.base_url,
        app_key=options.app_key,
        user_id=options.user_id,
        hash=options.hash,
        token=fetch_token if options.asks_token else options.token,
        transport=transport,
    )
