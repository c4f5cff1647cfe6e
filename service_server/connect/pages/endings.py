"""The words at the end of an attempt."""

from collections.abc import Mapping

from service_server.administration.origins import with_parameters
from service_server.catalog.values import Connector
from service_server.connect.pages.answers import Ended
from service_server.connect.pages.appearance import Appearance, neutral
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import gettext as _
from service_server.store import Account, ConnectSessionRow


def unknown() -> Ended:
    """The page of a link that leads nowhere."""
    return Ended(
        appearance=neutral(),
        kind="refused",
        heading=_("This link is not valid"),
        text=_("It was used before, has expired, or was not copied completely."),
        steps=(_("Go back to the application and start connecting again."),),
        status=404,
    )


def out_of_order() -> Ended:
    """The page while the service can't answer, as when its database is away."""
    return Ended(
        appearance=neutral(),
        kind="failed",
        heading=_("That didn’t work"),
        text=_("Try again in a minute."),
        status=503,
    )


def foreign_browser() -> Ended:
    """The page for every browser except the one that a session is bound to."""
    return Ended(
        appearance=neutral(),
        kind="refused",
        heading=_("This link belongs to another browser"),
        text=_(
            "A link to connect an account only works in the browser that opened it first, so that nobody can make you "
            "connect your account for someone else."
        ),
        steps=(
            _("If someone sent you this link, don't use it."),
            _("Otherwise start connecting again in this browser."),
        ),
        status=403,
    )


def no_cookie() -> Ended:
    """The page for a browser that keeps no cookie."""
    return Ended(
        appearance=neutral(),
        kind="refused",
        heading=_("This browser sent no cookie"),
        text=_(
            "Connecting needs one cookie, which is gone when the browser is closed: it makes sure that the account is "
            "connected for the person who started."
        ),
        steps=(
            _("Allow cookies for this page, or use the browser you started in."),
            _("Then start connecting again."),
        ),
        status=403,
    )


def not_ours() -> Ended:
    """The page after a form that none of our pages gave to this browser."""
    return Ended(
        appearance=neutral(),
        kind="refused",
        heading=_("This page is out of date"),
        text=_("It was not sent from the page that this service showed you."),
        steps=(_("Open the link again from the application."),),
        status=403,
    )


def how_it_ended(
    session: ConnectSessionRow, appearance: Appearance, connector: Connector | None, account: Account | None
) -> Ended:
    """The page of a session that has ended already, for the browser it is bound to."""
    app = _title(session, connector)
    if session.standing == "connected":
        return _connected(session, appearance, connector, account)
    if session.standing == "cancelled":
        return cancelled(session, appearance, connector)
    if session.standing == "expired" and session.browser_hash is None:
        return Ended(
            appearance=appearance,
            kind="expired",
            heading=_("This link has expired"),
            text=_("It was not opened in time, so nothing was connected."),
            steps=(_start_again(appearance),),
            connector=connector,
            back_url=_back_url(session),
            status=410,
        )
    if session.standing == "expired":
        return Ended(
            appearance=appearance,
            kind="expired",
            heading=_("This took too long"),
            text=session.error or _("Connecting %(app)s has to be finished within ten minutes.", app=app),
            steps=(_start_again(appearance),),
            connector=connector,
            back_url=_back_url(session),
            status=410,
        )
    return set_back(session, appearance, connector, Setback(session.error or _("Something went wrong.")))


def cancelled(session: ConnectSessionRow, appearance: Appearance, connector: Connector | None) -> Ended:
    """The page after the user said no."""
    app = _title(session, connector)
    return Ended(
        appearance=appearance,
        kind="cancelled",
        heading=_("Nothing was connected"),
        text=_("You cancelled connecting %(app)s. You can close this window.", app=app),
        connector=connector,
        closes=True,
        back_url=_back_url(session),
    )


def set_back(
    session: ConnectSessionRow,
    appearance: Appearance,
    connector: Connector | None,
    setback: Setback,
    *,
    retry_url: str | None = None,
    closing: Mapping[str, str] | None = None,
) -> Ended:
    """The page of an attempt that failed; with `retry_url` it can be repeated."""
    return Ended(
        appearance=appearance,
        kind="failed",
        heading=_("%(app)s was not connected", app=_title(session, connector)),
        text=setback.text,
        steps=setback.steps if setback.steps or retry_url else (_start_again(appearance),),
        connector=connector,
        retry_url=retry_url,
        closing=closing,
        back_url=None if retry_url else _back_url(session),
        status=400,
    )


def _connected(
    session: ConnectSessionRow, appearance: Appearance, connector: Connector | None, account: Account | None
) -> Ended:
    app = _title(session, connector)
    again = session.reconnect_account_id is not None
    values = {"application": appearance.application_name, "app": app}
    return Ended(
        appearance=appearance,
        kind="connected",
        heading=_("%(app)s is connected again", app=app) if again else _("%(app)s is connected", app=app),
        text=_("%(application)s can now use %(app)s. You can close this window.", **values)
        if account is None
        else _(
            "%(application)s can now use “%(account)s” in %(app)s. You can close this window.",
            account=account.display_name,
            **values,
        ),
        connector=connector,
        closes=True,
        back_url=_back_url(session),
    )


def _start_again(appearance: Appearance) -> str:
    return _("Go back to %(application)s and start again.", application=appearance.application_name)


def _title(session: ConnectSessionRow, connector: Connector | None) -> str:
    return session.app_name if connector is None else connector.title


def _back_url(session: ConnectSessionRow) -> str | None:
    """Where the application waits, or where users go on; it learns the outcome from the session's state."""
    url = session.redirect_url or session.return_url
    return None if url is None else with_parameters(url, {"connect_session": session.id})
