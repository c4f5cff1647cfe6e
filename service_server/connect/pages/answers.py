"""What a step of connecting answers the browser with; `responses` decides how that looks."""

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import field, frozen

from service_server.catalog.auth import AuthMethod
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.connect.pages.appearance import Appearance
from service_server.connect.sessions.choosing import Choosing
from service_server.connect.signing_in.fields import FormField
from service_server.store import ConnectSessionRow

EndKind = Literal["connected", "cancelled", "failed", "expired", "refused"]


@frozen(kw_only=True)
class Ask:
    """The page that asks the user to go on: who wants what, the ways to sign in, and the fields of the chosen one."""

    session: ConnectSessionRow
    appearance: Appearance
    connector: Connector
    methods: tuple[AuthMethod, ...]
    chosen: AuthMethod
    scopes: Mapping[str, Sequence[str]]  # what the provider will be asked for, by way to sign in
    functions: tuple[FunctionDefinition, ...]  # what the account is connected for, if that was said
    fields: tuple[FormField, ...]
    account_name: str | None  # of the account to reconnect
    problem: str | None
    page: str
    form_token: str = field(repr=False)
    status: int = 200


@frozen(kw_only=True)
class Choose:
    """The page that asks which of several things in the app the account is for, once the user has signed in."""

    session: ConnectSessionRow
    appearance: Appearance
    connector: Connector
    choosing: Choosing
    words: str  # that the choices were searched for
    page: str
    form_token: str = field(repr=False)


@frozen(kw_only=True)
class Leave:
    """A page that goes on to another site at once."""

    url: str = field(repr=False)
    to: str
    appearance: Appearance


@frozen(kw_only=True)
class Begin:
    """The first page of a link that was sent; the browser that goes on from it is the one the link is bound to."""

    session: ConnectSessionRow
    appearance: Appearance
    connector: Connector


@frozen(kw_only=True)
class SeeOther:
    """A redirect."""

    url: str = field(repr=False)


@frozen(kw_only=True)
class Ended:
    """A last page: what happened and what to do now, with ways to go back or to try again."""

    appearance: Appearance
    kind: EndKind
    heading: str
    text: str
    steps: tuple[str, ...] = ()
    connector: Connector | None = None
    back_url: str | None = field(default=None, repr=False)
    retry_url: str | None = None
    closes: bool = False
    closing: Mapping[str, str] | None = field(default=None, repr=False)  # what the beacon tells while it is pending
    status: int = 200


Answer = Begin | Ask | Choose | Leave | SeeOther | Ended
