"""Lets only the browser that a session is bound to go on with it."""

from collections.abc import Mapping

from service_server.connect.pages.answers import Ended
from service_server.connect.pages.attempt import Attempt, not_set_up
from service_server.connect.pages.conclusion import Conclusion
from service_server.connect.pages.endings import FOREIGN_BROWSER, NO_COOKIE, NOT_OURS, UNKNOWN, how_it_ended
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.tokens import is_browser, is_form_token
from service_server.store import ConnectSessionRow


class Admission:
    """Makes an attempt of a session, or says why there is none."""

    def __init__(self, parts: ConnectParts, conclusion: Conclusion) -> None:
        self._callback_url = parts.callback_url
        self._catalog = parts.catalog
        self._applications = parts.applications
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._settings = parts.credentials.settings
        self._conclusion = conclusion

    async def by_form(self, session_id: str, cookie: str | None, form: Mapping[str, str]) -> Attempt | Ended:
        """Let in who sends a form that one of our pages gave to this browser."""
        session = await self._sessions.get(session_id)
        if session is None:
            return UNKNOWN
        if cookie is None:
            return NO_COOKIE
        if not is_form_token(form.get("token", ""), session_id, cookie):
            return NOT_OURS
        return await self.by_cookie(session, cookie)

    async def by_cookie(self, session: ConnectSessionRow, cookie: str | None) -> Attempt | Ended:
        """Let only the bound browser in, and only while the session is pending and the app is set up."""
        if cookie is None:
            return NO_COOKIE
        if not is_browser(session.browser_hash, session.id, cookie):
            return FOREIGN_BROWSER
        application = await self._applications.get(session.application_id)
        connector = self._catalog.connector(session.app_name)
        application_name = "the application" if application is None else application.name
        account_id = session.connected_account_id or session.reconnect_account_id
        account = None if account_id is None else await self._accounts.get(account_id)
        if session.standing != "pending":
            return how_it_ended(session, application_name, connector, account)
        if connector is None or application is None:
            gone = Setback("This app is gone.", final=True)
            return await self._conclusion.fail(session, application_name, connector, gone)
        if session.reconnect_account_id is not None and account is None:
            gone = Setback("The account to reconnect has been disconnected meanwhile.", final=True)
            return await self._conclusion.fail(session, application_name, connector, gone)
        settings = await self._settings.of(connector)
        methods = tuple(method for method in connector.auth if not settings.lacks(connector, method.id))
        if not methods:
            lacking = not_set_up(connector, settings, self._callback_url)
            return await self._conclusion.fail(session, application_name, connector, lacking)
        return Attempt(
            session=session,
            cookie=cookie,
            application_name=application_name,
            connector=connector,
            settings=settings,
            methods=methods,
            reconnecting=account,
        )
