"""Connect sessions as the REST side sees them: create, watch, cancel, redeem; and disconnecting."""

import asyncio
import contextlib
from collections.abc import Sequence

from attrs import asdict, frozen

from service_client.models import Action, Code, ConnectSession, ConnectSessionState
from service_server.administration.origins import may_return_to
from service_server.catalog.values import Connector
from service_server.connect.sessions.abandoned import AbandonedGrants
from service_server.connect.sessions.completion import Completion
from service_server.connect.sessions.parts import ConnectParts, about_session
from service_server.connect.signing_in.setback import Setback
from service_server.errors import ServiceError, failure, refused, shortened, unknown_app
from service_server.events import tell, warn
from service_server.html_pages.language import DEFAULT_LOCALE, speak_here
from service_server.html_pages.tokens import new_secret
from service_server.store import Account, Application, ConnectSessionRow, Theme
from service_server.store.clock import moment, now

SESSION_SECONDS = 600
LONGEST_LINK_SECONDS = 7 * 24 * 3600
LONGEST_WATCH_SECONDS = 25
MOST_FUNCTIONS = 50


@frozen(kw_only=True)
class HostPage:
    """
    What a session takes over from the page that it begins on: its language, theme and colour (`#rrggbb`).

    `return_url` is where users can go on to from the last page of the session.
    """

    locale: str | None = None
    theme: Theme | None = None
    accent: str | None = None
    return_url: str | None = None


NO_PAGE = HostPage()


class Sessions:
    """What the REST side asks; one per process."""

    def __init__(self, parts: ConnectParts) -> None:
        self._ending = False
        self._vault = parts.vault
        self._page_url = parts.page_url
        self._allow_local_origins = parts.settings.allow_local_origins
        self._catalog = parts.catalog
        self._accounts = parts.accounts
        self._sessions = parts.sessions
        self._credentials = parts.credentials
        self._changes = parts.changes
        self._changes.look_at(parts.sessions.ended_of)
        self._completion = Completion(parts)
        self.abandoned = AbandonedGrants(parts)

    async def create(
        self,
        application: Application,
        user_id: str,
        app_name: str,
        redirect_url: str | None = None,
        connected_account_id: int | None = None,
        functions: Sequence[str] = (),
        page: HostPage = NO_PAGE,
        expires_in: float | None = None,
    ) -> ConnectSession:
        """
        Open a connect session for a user, asking for the usual scopes and those that `functions` (full names) need.

        It looks like the `page` that it begins on. `expires_in` (seconds) is how long it can be opened; once opened, it
        has ten minutes at most. ServiceError for an unknown app, account, function of the app, or a foreign URL.
        """
        connector = self._catalog.connector(app_name)
        if connector is None:
            raise unknown_app(app_name)
        _check_functions(connector, functions)
        self._check_url(application, "redirect_url", redirect_url)
        self._check_url(application, "return_url", page.return_url)
        if redirect_url is not None and page.return_url is not None:
            message = "Give redirect_url or return_url, not both: with redirect_url users come back by themselves."
            raise refused(Code.FORMAT, message, field="return_url", action=Action.FIX_FIELD)
        if connected_account_id is not None:
            await self._account(application, user_id, app_name, connected_account_id)
        created_at = now()
        session = ConnectSessionRow(
            id=new_secret(),
            application_id=application.id,
            user_id=user_id,
            app_name=app_name,
            reconnect_account_id=connected_account_id,
            redirect_url=redirect_url,
            **asdict(page),
            functions=list(dict.fromkeys(functions)) or None,
            created_at=created_at,
            expires_at=created_at + (SESSION_SECONDS if expires_in is None else expires_in),
        )
        await self._sessions.create(session)
        url = self._page_url(session.id)
        return ConnectSession(id=session.id, url=url, expires_at=moment(session.expires_at))

    async def app_of(self, application: Application, user_id: str, session_id: str) -> str:
        """Name the app that a session of the user is for; ServiceError if there is no such session."""
        return (await self._session(application, user_id, session_id)).app_name

    async def state(
        self, application: Application, user_id: str, session_id: str, wait_seconds: float = 0
    ) -> ConnectSessionState:
        """Tell how a session stands; wait up to `wait_seconds` (25 at most) for a pending one to end."""
        if wait_seconds <= 0:
            return _state(await self._session(application, user_id, session_id))
        clock = asyncio.get_running_loop().time
        until = clock() + min(wait_seconds, LONGEST_WATCH_SECONDS)
        with self._changes.watching(session_id) as ended:
            session = await self._session(application, user_id, session_id)
            left = min(until - clock(), session.expires_at - now())
            if session.standing != "pending" or left <= 0 or self._ending:
                return _state(session)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), left)
        return _state(await self._session(application, user_id, session_id))

    def stop_waiting(self) -> None:
        """Answer those who wait for the end of a session: the service is going down."""
        self._ending = True
        self._changes.announce_all()

    async def cancel(self, application: Application, user_id: str, session_id: str) -> None:
        """End a session as cancelled; one that has already ended stays as it is."""
        session = await self._session(application, user_id, session_id)
        if await self._sessions.finish(session_id, "cancelled"):
            tell("connect.cancelled", **about_session(self._vault, session))
            self._changes.announce(session_id)

    async def redeem(self, application: Application, user_id: str, session_id: str, code: str) -> ConnectSessionState:
        """Finalise, in redirect mode, the account that waits for the code added to `redirect_url`."""
        session = await self._session(application, user_id, session_id)
        await speak_here(session.locale or DEFAULT_LOCALE)
        try:
            redeemed = await self._completion.redeem(session, code)
        except Setback as setback:
            warn("connect.failed", **about_session(self._vault, session), about=setback.about)
            error = " ".join((setback.text, *setback.steps))
            if await self._sessions.finish(session_id, "failed", error=error):
                self._changes.announce(session_id)
        else:
            if not redeemed:
                raise refused(
                    Code.FORMAT,
                    "This code is wrong, was used before, or its connect session has ended.",
                    field="code",
                    action=Action.CONNECT,
                )
        return _state(await self._session(application, user_id, session_id))

    async def disconnect(self, application: Application, user_id: str, app_name: str, account_id: int | None) -> None:
        """Revoke and erase an account; without `account_id` the user's only one for the app."""
        if self._catalog.connector(app_name) is None:
            raise unknown_app(app_name)
        account = await self._account(application, user_id, app_name, account_id)
        await self._credentials.disconnect(account)

    def _check_url(self, application: Application, field: str, url: str | None) -> None:
        if url is not None and not may_return_to(url, application, allow_local=self._allow_local_origins):
            message = f"{field} must be an http(s) URL on one of the application's allowed origins."
            raise refused(Code.FORMAT, message, field=field, action=Action.FIX_FIELD)

    async def _account(self, application: Application, user_id: str, app_name: str, account_id: int | None) -> Account:
        accounts = await self._accounts.of_user(application.id, user_id, app_name)
        if account_id is not None:
            for account in accounts:
                if account.id == account_id:
                    return account
            raise refused(
                Code.ACCOUNT_NOT_FOUND,
                f"The user has no account {account_id} in this app.",
                field="connected_account_id",
                action=Action.PICK_ACCOUNT if accounts else Action.CONNECT,
            )
        if not accounts:
            raise refused(Code.NOT_CONNECTED, "The user has connected no account in this app.", action=Action.CONNECT)
        if len(accounts) > 1:
            raise refused(
                Code.ACCOUNT_REQUIRED,
                "The user has several accounts in this app: say which one by its id.",
                field="connected_account_id",
                action=Action.PICK_ACCOUNT,
            )
        return accounts[0]

    async def _session(self, application: Application, user_id: str, session_id: str) -> ConnectSessionRow:
        session = await self._sessions.get(session_id)
        if session is None or session.application_id != application.id or session.user_id != user_id:
            raise unknown_connect_session()
        return session


def is_to_be_sent(session: ConnectSessionRow) -> bool:
    """Whether a session was made to be opened later: from a mail, say, whose links programs open as well."""
    return session.expires_at - session.created_at > SESSION_SECONDS + 1


def opened_until(session: ConnectSessionRow) -> float:
    """When a session that is opened now ends."""
    return min(session.expires_at, now() + SESSION_SECONDS)


def unknown_connect_session() -> ServiceError:
    """A 404 for a session that does not exist, or belongs to another user or application."""
    return failure(404, Code.UNKNOWN_CONNECT_SESSION, "There is no such connect session.")


def _check_functions(connector: Connector, names: Sequence[str]) -> None:
    if len(names) > MOST_FUNCTIONS:
        message = f"functions holds more than {MOST_FUNCTIONS} names."
        raise refused(Code.FORMAT, message, field="functions", action=Action.FIX_FIELD)
    for index, name in enumerate(names):
        if name not in connector.functions:
            message = f"{connector.title} has no function named {shortened(name)}."
            raise refused(Code.FORMAT, message, field=f"functions[{index}]", action=Action.FIX_FIELD)


def _state(session: ConnectSessionRow) -> ConnectSessionState:
    status = session.standing
    error = session.error if status in ("failed", "expired") else None  # a pending one may still succeed
    return ConnectSessionState(status=status, connected_account_id=session.connected_account_id, error=error)
