"""Lets a session go on only in the browser that it is bound to."""

from collections.abc import Mapping

from service_server.connect.pages.answers import Ended
from service_server.connect.pages.appearance import Appearance, appearance_of
from service_server.connect.pages.attempt import Attempt, not_set_up
from service_server.connect.pages.conclusion import Conclusion
from service_server.connect.pages.endings import foreign_browser, how_it_ended, no_cookie, not_ours, unknown
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import gettext as _
from service_server.html_pages.language import speak_here
from service_server.html_pages.tokens import is_browser, is_form_token
from service_server.store import ConnectSessionRow


class Admission:
    """Turns a session into an attempt, or says why there is none."""

    def __init__(self, parts: ConnectParts, conclusion: Conclusion) -> None:
        self._callback_url = parts.callback_url
        self._catalog = parts.catalog
        self._applications = parts.applications
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._settings = parts.credentials.settings
        self._conclusion = conclusion

    async def session(self, session_id: str) -> ConnectSessionRow | None:
        """Find a session, and speak its language from now on."""
        return await self._understood(await self._sessions.get(session_id))

    async def session_with_state(self, state_hash: str) -> ConnectSessionRow | None:
        """Find the session that this OAuth2 `state` was sent for, and speak its language from now on."""
        return await self._understood(await self._sessions.with_state(state_hash))

    async def _understood(self, session: ConnectSessionRow | None) -> ConnectSessionRow | None:
        if session is not None and session.locale is not None:
            await speak_here(session.locale)
        return session

    async def appearance(self, session: ConnectSessionRow) -> Appearance:
        """Return how the pages of a session look."""
        application = await self._applications.get(session.application_id)
        return appearance_of(session, application, await self._applications.brand(session.application_id))

    async def by_form(self, session_id: str, cookie: str | None, form: Mapping[str, str]) -> Attempt | Ended:
        """Admit whoever sends a form that one of our pages gave to this browser."""
        session = await self.session(session_id)
        if session is None:
            return unknown()
        if cookie is None:
            return no_cookie()
        if not is_form_token(form.get("token", ""), session_id, cookie):
            return not_ours()
        return await self.by_cookie(session, cookie)

    async def by_cookie(self, session: ConnectSessionRow, cookie: str | None) -> Attempt | Ended:
        """Admit only the bound browser, and only while the session is pending and the app is set up."""
        if cookie is None:
            return no_cookie()
        is_unopened = session.browser_hash is None and session.standing != "pending"
        if not is_unopened and not is_browser(session.browser_hash, session.id, cookie):
            return foreign_browser()
        application = await self._applications.get(session.application_id)
        brand = await self._applications.brand(session.application_id)
        appearance = appearance_of(session, application, brand)
        connector = self._catalog.connector(session.app_name)
        account_id = session.connected_account_id or session.reconnect_account_id
        account = None if account_id is None else await self._accounts.get(account_id)
        if session.standing != "pending":
            return how_it_ended(session, appearance, connector, account)
        if connector is None or application is None:
            gone = Setback(_("This app is no longer available."), final=True)
            return await self._conclusion.fail(session, appearance, connector, gone)
        if session.reconnect_account_id is not None and account is None:
            gone = Setback(_("The account to reconnect has been disconnected in the meantime."), final=True)
            return await self._conclusion.fail(session, appearance, connector, gone)
        settings = await self._settings.of(connector, application.id)
        methods = tuple(method for method in connector.auth if not settings.lacks(connector, method.id))
        if not methods:
            lacking = not_set_up(connector, settings, self._callback_url, application)
            return await self._conclusion.fail(session, appearance, connector, lacking)
        wanted = [connector.functions[name] for name in session.functions or () if name in connector.functions]
        able = tuple(method for method in methods if all(function.is_for(method.id) for function in wanted))
        return Attempt(
            session=session,
            cookie=cookie,
            appearance=appearance,
            connector=connector,
            settings=settings,
            methods=able if able and account is None else methods,
            reconnecting=account,
        )
