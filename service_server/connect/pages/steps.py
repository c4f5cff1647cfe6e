"""Connecting as the browser sees it: open the page, submit it, come back from the provider, cancel, close."""

from collections.abc import Mapping, Sequence
from typing import Literal

from service_client.models import ConnectStatus
from service_server.catalog.auth import AuthMethod, OAuth2Code, TokenMethod
from service_server.connect.pages.admission import Admission
from service_server.connect.pages.answers import Answer, Ask, Begin, Choose, Leave, SeeOther
from service_server.connect.pages.asked_scopes import asked_scopes
from service_server.connect.pages.attempt import Attempt, at_field
from service_server.connect.pages.closings import CLOSING_GRACE_SECONDS, Closings
from service_server.connect.pages.conclusion import Conclusion
from service_server.connect.pages.endings import no_cookie, set_back, unknown
from service_server.connect.sessions.choosing import Choices, Choosing, session_over
from service_server.connect.sessions.completion import Completion, SignedIn
from service_server.connect.sessions.parts import ConnectParts, about_session
from service_server.connect.sessions.sessions import is_to_be_sent, opened_until
from service_server.connect.signing_in.fields import Filled, form_fields, read_filled_fields
from service_server.connect.signing_in.provider import Declined, Provider, leave_for, take_back
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.typed_in import sign_in_with_typed
from service_server.events import warn
from service_server.html_pages.addresses import root
from service_server.html_pages.language import gettext as _
from service_server.html_pages.tokens import browser_hash, form_token, hashed, is_browser, new_secret
from service_server.oauth.secrets_of_account import Secrets
from service_server.onward.sender import Sender
from service_server.store import ConnectSessionRow
from service_server.vault import Kept

_LONGEST_SEARCH = 200  # characters
_PROGRESS = Kept.CONNECT_PROGRESS


class Steps:
    """The steps of connecting, one object per process; each step takes what the browser sent and says what to show."""

    def __init__(self, parts: ConnectParts, *, closing_grace_seconds: float = CLOSING_GRACE_SECONDS) -> None:
        self.secure = parts.settings.public_url.startswith("https://")
        """Whether browsers reach the service by https only."""
        self._page_url = parts.page_url
        self._callback_url = parts.callback_url
        self._catalog = parts.catalog
        self._vault = parts.vault
        self._sessions = parts.sessions
        self._sender = parts.sender
        self._choices = Choices(parts)
        self._completion = Completion(parts)
        self._conclusion = Conclusion(parts)
        self._admission = Admission(parts, self._conclusion)
        self._closings = Closings(parts, closing_grace_seconds)

    async def open(self, session_id: str, cookie: str, auth_id: str | None, words: str = "") -> Answer:
        """
        Show the page of a session, binding it to this browser if it is the first one.

        Where there is something to choose, `words` search for it.
        """
        session = await self._admission.session(session_id)
        if session is None:
            return unknown()
        if session.browser_hash is None and session.standing == "pending":
            connector = self._catalog.connector(session.app_name)
            if is_to_be_sent(session) and connector is not None:
                appearance = await self._admission.appearance(session)
                return Begin(session=session, appearance=appearance, connector=connector)
            session = await self._bind(session, cookie)
        attempt = await self._admission.by_cookie(session, cookie)
        if not isinstance(attempt, Attempt):
            return attempt
        choosing = self._choices.waiting(attempt.session)
        if choosing is not None and auth_id is None:
            return await self._choose(attempt, choosing, words)
        return await self._ask(attempt, attempt.method(auth_id), attempt.known(), {}, None)

    async def begin(self, session_id: str, cookie: str | None) -> Answer:
        """Bind a sent link to the browser in which somebody goes on from its first page."""
        session = await self._admission.session(session_id)
        if session is None:
            return unknown()
        if cookie is None:
            return no_cookie()
        await self._bind(session, cookie)
        return SeeOther(url=self._page_url(session_id))

    async def _bind(self, session: ConnectSessionRow, cookie: str) -> ConnectSessionRow:
        """Bind a session to a browser if it is the first one; from then on it has as much time as any other session."""
        await self._sessions.bind(session.id, browser_hash(session.id, cookie), opened_until(session))
        return await self._sessions.get(session.id) or session

    async def submit(self, session_id: str, cookie: str | None, form: Mapping[str, str]) -> Answer:
        """Go on with the way to sign in and the fields that the user filled in."""
        attempt = await self._admission.by_form(session_id, cookie, form)
        if not isinstance(attempt, Attempt):
            return attempt
        if "choice" in form:
            return await self._take(attempt, form["choice"])
        method = attempt.method(form.get("auth"))
        filled = read_filled_fields(attempt.connector, method, form)
        if filled.problems:
            return await self._ask(attempt, method, form, filled.problems, None)
        await self._sessions.show(session_id, None)
        try:
            if isinstance(method, OAuth2Code):
                return await self._leave(attempt, method, filled.variables)
            secrets = await self._secrets(attempt, method, filled)
            gained = _signed_in(attempt, method, secrets, filled.variables)
            came = await self._completion.complete(gained, attempt.variables)
        except Setback as setback:
            if setback.final:
                return await self._set_back(attempt, setback)
            return await self._ask(attempt, method, form, at_field(attempt, method, setback), setback)
        return self._onward(attempt, came)

    async def come_back(self, cookie: str | None, parameters: Mapping[str, Sequence[str]]) -> Answer:
        """
        Take the provider's answer, once, from the browser that was sent there.

        Sent again, by a reload or by a browser that fetches ahead, it is told what the first one came to.
        """
        states = parameters.get("state", ())
        if len(states) != 1:
            return unknown()
        state = hashed(states[0])
        mark = f"-{state[1:]}"  # the hash of no state, so that what was taken can't be sent as another one
        session = await self._admission.session_with_state(state)
        if session is None:
            return await self._come_back_again(cookie, mark)
        attempt = await self._admission.by_cookie(session, cookie)
        if not isinstance(attempt, Attempt):
            return attempt
        if session.sealed_progress is None or not await self._sessions.take_state(session.id, state, mark):
            return await self._come_back_again(cookie, mark)
        progress = self._vault.open(session.sealed_progress, _PROGRESS, session.id)
        method = attempt.method(progress["auth_id"])
        if not isinstance(method, OAuth2Code) or method.id != progress["auth_id"]:
            return await self._set_back(attempt, Setback(_("This way to sign in is no longer offered.")))
        provider = self._provider(attempt, method, progress["variables"], progress.get("scopes", ()))
        try:
            sender = self._sender_for(attempt)
            secrets = await take_back(sender, provider, parameters, progress["verifier"])
            gained = _signed_in(attempt, method, secrets, progress["variables"])
            came = await self._completion.complete(gained, attempt.variables)
        except Declined:
            return await self._cancel(attempt)
        except Setback as setback:
            return await self._set_back(attempt, setback)
        return SeeOther(url=came if isinstance(came, str) else self._page_url(session.id))

    async def _come_back_again(self, cookie: str | None, mark: str) -> Answer:
        session = await self._admission.session_with_state(mark)
        if session is None:
            return unknown()
        attempt = await self._admission.by_cookie(session, cookie)
        if not isinstance(attempt, Attempt):
            return attempt
        if session.error is not None:
            return await self._try_again(attempt, Setback(session.error))
        return SeeOther(url=self._page_url(session.id))

    async def cancel(self, session_id: str, cookie: str | None, form: Mapping[str, str]) -> Answer:
        """End the session because the user says so."""
        attempt = await self._admission.by_form(session_id, cookie, form)
        return await self._cancel(attempt) if isinstance(attempt, Attempt) else attempt

    async def standing(self, session_id: str, cookie: str | None) -> ConnectStatus | Literal["refused"]:
        """Tell a page how its session stands, so that it can show an end that happened elsewhere."""
        session = await self._sessions.get(session_id)
        if session is None or not is_browser(session.browser_hash, session_id, cookie):
            return "refused"
        return session.standing

    async def close(self, session_id: str, cookie: str | None, form: Mapping[str, str]) -> None:
        """End the session if the page whose window was closed is still the last one shown after a moment of grace."""
        page = form.get("page")
        attempt = await self._admission.by_form(session_id, cookie, form)
        if not isinstance(attempt, Attempt) or not page or attempt.session.page != page:
            return
        self._closings.begin(session_id, page)

    def _onward(self, attempt: Attempt, came: str | Choosing | None) -> Answer:
        """Where a submitted page leads: to the page for choosing or the last page, or back to the application."""
        if isinstance(came, str):
            return Leave(url=came, to=attempt.appearance.application_name, appearance=attempt.appearance)
        return SeeOther(url=self._page_url(attempt.session.id))

    async def _choose(self, attempt: Attempt, choosing: Choosing, words: str) -> Answer:
        page = new_secret()
        if not await self._sessions.show(attempt.session.id, page):
            return await self._set_back(attempt, session_over())
        return Choose(
            session=attempt.session,
            appearance=attempt.appearance,
            connector=attempt.connector,
            choosing=choosing,
            words=words.strip()[:_LONGEST_SEARCH],
            page=page,
            form_token=form_token(attempt.session.id, attempt.cookie),
        )

    async def _take(self, attempt: Attempt, value: str) -> Answer:
        await self._sessions.show(attempt.session.id, None)
        try:
            came = await self._completion.chosen(attempt.session, attempt.connector, value)
        except Setback as setback:
            return await self._set_back(attempt, setback)
        return self._onward(attempt, came)

    async def _ask(
        self,
        attempt: Attempt,
        method: AuthMethod,
        form: Mapping[str, str],
        problems: Mapping[str, str],
        setback: Setback | None,
    ) -> Answer:
        page = new_secret()
        session = attempt.session
        if setback is not None:
            warn("connect.failed", **about_session(self._vault, session), about=setback.about)
            await self._sessions.note_error(session.id, setback.text)
        if not await self._sessions.show(session.id, page):
            return await self._set_back(attempt, session_over())
        return Ask(
            session=session,
            appearance=attempt.appearance,
            connector=attempt.connector,
            methods=attempt.methods,
            chosen=method,
            scopes={
                way.id: asked_scopes(self._vault, attempt, way)
                for way in attempt.methods
                if isinstance(way, OAuth2Code)
            },
            functions=attempt.functions,
            fields=form_fields(attempt.connector, attempt.methods, form, problems),
            account_name=None if attempt.reconnecting is None else attempt.reconnecting.display_name,
            problem=None if setback is None or problems else " ".join((setback.text, *setback.steps)),
            page=page,
            form_token=form_token(session.id, attempt.cookie),
            status=200 if setback is None and not problems else 422,
        )

    async def _leave(self, attempt: Attempt, method: OAuth2Code, variables: Mapping[str, str]) -> Answer:
        scopes = asked_scopes(self._vault, attempt, method)
        request = leave_for(self._provider(attempt, method, variables, scopes))
        progress = {
            "auth_id": method.id,
            "verifier": request.verifier,
            "variables": dict(variables),
            "scopes": list(scopes),
        }
        sealed = self._vault.seal(progress, _PROGRESS, attempt.session.id)
        if not await self._sessions.progress(attempt.session.id, hashed(request.state), sealed):
            raise session_over()
        return Leave(url=request.url, to=attempt.connector.title, appearance=attempt.appearance)

    async def _secrets(self, attempt: Attempt, method: AuthMethod, filled: Filled) -> Secrets:
        if not isinstance(method, TokenMethod):
            return Secrets(creds=filled.creds)
        variables = attempt.settings.context_variables(attempt.connector, filled.variables)
        return await sign_in_with_typed(self._sender_for(attempt), attempt.connector, method, filled.creds, variables)

    def _sender_for(self, attempt: Attempt) -> Sender:
        session = attempt.session
        return self._sender.on_behalf_of(attempt.connector.name, session.application_id, session.user_id)

    def _provider(
        self, attempt: Attempt, method: OAuth2Code, variables: Mapping[str, str], scopes: Sequence[str]
    ) -> Provider:
        context = {"auth_id": method.id, "vars": attempt.settings.context_variables(attempt.connector, variables)}
        return Provider(attempt.connector, method, attempt.settings, context, self._callback_url, scopes)

    async def _cancel(self, attempt: Attempt) -> Answer:
        return await self._conclusion.cancel(attempt.session, attempt.appearance, attempt.connector)

    async def _set_back(self, attempt: Attempt, setback: Setback) -> Answer:
        session = attempt.session
        warn("connect.failed", **about_session(self._vault, session), about=setback.about)
        if setback.final:
            return await self._conclusion.fail(session, attempt.appearance, attempt.connector, setback)
        await self._sessions.note_error(session.id, setback.text)
        return await self._try_again(attempt, setback)

    async def _try_again(self, attempt: Attempt, setback: Setback) -> Answer:
        session, page = attempt.session, new_secret()
        await self._sessions.show(session.id, page)
        return set_back(
            session,
            attempt.appearance,
            attempt.connector,
            setback,
            retry_url=self._page_url(session.id),
            closing={
                "page": page,
                "token": form_token(session.id, attempt.cookie),
                "url": f"{root()}/connect/{session.id}",
            },
        )


def _signed_in(attempt: Attempt, method: AuthMethod, secrets: Secrets, variables: Mapping[str, str]) -> SignedIn:
    return SignedIn(attempt.session, attempt.connector, method, secrets, variables, attempt.settings.own)
