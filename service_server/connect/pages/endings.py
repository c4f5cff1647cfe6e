"""The words at the end of an attempt."""

from collections.abc import Mapping

from service_server.administration.origins import with_parameters
from service_server.catalog.values import Connector
from service_server.connect.pages.answers import Ended
from service_server.connect.signing_in.setback import Setback
from service_server.store import Account, ConnectSessionRow

UNKNOWN = Ended(
    kind="refused",
    heading="This link is not valid",
    text="It was used before, has ended, or was not copied whole.",
    steps=("Go back to the application and start connecting again.",),
    status=404,
)
FOREIGN_BROWSER = Ended(
    kind="refused",
    heading="This link belongs to another browser",
    text="A link to connect an account only works in the browser that opened it first, so that nobody can make you "
    "connect your account for someone else.",
    steps=("If someone sent you this link, don't use it.", "Otherwise start connecting again in this browser."),
    status=403,
)
NO_COOKIE = Ended(
    kind="refused",
    heading="This browser sent no cookie",
    text="Connecting needs one cookie, which is gone when the browser is closed: it makes sure that the account is "
    "connected for the person who started.",
    steps=("Allow cookies for this page, or use the browser you started in.", "Then start connecting again."),
    status=403,
)
NOT_OURS = Ended(
    kind="refused",
    heading="This page is out of date",
    text="It was not sent from the page that this service showed you.",
    steps=("Open the link again from the application.",),
    status=403,
)

_BACK = "Go back to {application} and start again."


def how_it_ended(
    session: ConnectSessionRow, application_name: str, connector: Connector | None, account: Account | None
) -> Ended:
    """The page of a session that has ended already, for the browser it is bound to."""
    title = session.app_name if connector is None else connector.title
    if session.standing == "connected":
        name = title if account is None else f"“{account.display_name}” in {title}"
        return Ended(
            kind="connected",
            heading=f"{title} is connected" + (" again" if session.reconnect_account_id is not None else ""),
            text=f"{application_name} can now use {name}. You can close this window.",
            connector=connector,
            closes=True,
            back_url=_back_url(session),
            back_to=application_name,
        )
    if session.standing == "cancelled":
        return cancelled(session, application_name, connector)
    if session.standing == "expired":
        return Ended(
            kind="expired",
            heading="This took too long",
            text=session.error or f"Connecting {title} has to be finished within ten minutes.",
            steps=(_BACK.format(application=application_name),),
            connector=connector,
            back_url=_back_url(session),
            back_to=application_name,
            status=410,
        )
    return set_back(session, application_name, connector, Setback(session.error or "Something went wrong."))


def cancelled(session: ConnectSessionRow, application_name: str, connector: Connector | None) -> Ended:
    """The page after the user said no."""
    title = session.app_name if connector is None else connector.title
    return Ended(
        kind="cancelled",
        heading="Nothing was connected",
        text=f"You cancelled connecting {title}. You can close this window.",
        connector=connector,
        closes=True,
        back_url=_back_url(session),
        back_to=application_name,
    )


def set_back(
    session: ConnectSessionRow,
    application_name: str,
    connector: Connector | None,
    setback: Setback,
    *,
    retry_url: str | None = None,
    closing: Mapping[str, str] | None = None,
) -> Ended:
    """The page of an attempt that came to nothing; with `retry_url` it can be repeated."""
    title = session.app_name if connector is None else connector.title
    steps = setback.steps if setback.steps or retry_url else (_BACK.format(application=application_name),)
    return Ended(
        kind="failed",
        heading=f"{title} was not connected",
        text=setback.text,
        steps=steps,
        connector=connector,
        retry_url=retry_url,
        closing=closing,
        back_url=None if retry_url else _back_url(session),
        back_to=application_name,
        status=400,
    )


def _back_url(session: ConnectSessionRow) -> str | None:
    """In redirect mode, where the application waits; it learns the outcome from the session's state."""
    url = session.redirect_url
    return None if url is None else with_parameters(url, {"connect_session": session.id})
