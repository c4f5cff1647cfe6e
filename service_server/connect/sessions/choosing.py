"""What an app lists after a sign-in: a single entry is taken; with several, all waits for the user to choose."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, evolve, field, frozen

from service_server.catalog.auth import AuthMethod
from service_server.catalog.values import Connector
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.signing_in.setback import Setback
from service_server.connect.signing_in.verification import choices_of
from service_server.html_pages.language import gettext as _
from service_server.html_pages.tokens import hashed, new_secret
from service_server.store import ConnectSessionRow, NewAccount
from service_server.vault import Kept

_PROGRESS = Kept.CONNECT_PROGRESS
_OUTCOME = Kept.CONNECT_OUTCOME


@frozen(kw_only=True)
class Choosing:
    """A choice that a session waits for: what is chosen, in the app's words, and the values with their labels."""

    title: str
    auth_id: str
    variable: str
    choices: tuple[tuple[str, str], ...]
    code: str = field(repr=False)

    def found(self, words: str) -> tuple[tuple[str, str], ...]:
        """Return the choices whose labels have all of these words, or begin them; all choices for no words."""
        wanted = words.casefold().split()
        return tuple(each for each in self.choices if all(word in each[1].casefold() for word in wanted))


class Choices:
    """Asks apps what there is to choose, and keeps what was gained until the user has chosen."""

    def __init__(self, parts: ConnectParts) -> None:
        self._vault = parts.vault
        self._sessions = parts.sessions
        self._sender = parts.sender

    async def settled(
        self,
        connector: Connector,
        method: AuthMethod,
        new: NewAccount,
        context: Mapping[str, Any],
        known: Mapping[str, str],
    ) -> NewAccount | tuple[tuple[str, str], ...]:
        """
        Return the account with its variable filled in, or the choices if there are several.

        `known` has the variables of the account that is reconnected; its choice stands as long as the app lists it.
        """
        then = method.then
        if then is None:
            return new
        sender = self._sender.on_behalf_of(connector.name, new.application_id, new.user_id)
        choices = await choices_of(sender, connector, method, then, context)
        values = [value for value, _ in choices]
        chosen = values[0] if len(values) == 1 else known.get(then.variable)
        if chosen not in values:
            return choices
        return evolve(new, variables={**new.variables, then.variable: chosen})

    async def park(
        self,
        session: ConnectSessionRow,
        connector: Connector,
        method: AuthMethod,
        new: NewAccount,
        choices: Sequence[tuple[str, str]],
    ) -> Choosing:
        """
        Keep what was gained until the user has chosen; if the session ends before that, it is left to be revoked.

        Raises:
            Setback: the session has ended.
        """
        assert method.then is not None  # noqa: S101  only such a method lists choices
        choosing = Choosing(
            title=connector.variables[method.then.variable].title,
            auth_id=method.id,
            variable=method.then.variable,
            choices=tuple(choices),
            code=new_secret(),
        )
        progress = self._vault.seal({"choosing": asdict(choosing)}, _PROGRESS, session.id)
        outcome = self._vault.seal(new.parked(), _OUTCOME, session.id)
        kept = await self._sessions.await_choice(session.id, progress)
        # Nobody is told the code: it lets one submission of the page through, and no application can redeem it.
        if not kept or not await self._sessions.await_redemption(session.id, hashed(choosing.code), outcome):
            raise session_over()
        return choosing

    def waiting(self, session: ConnectSessionRow) -> Choosing | None:
        """Return the choice that a session waits for, or None."""
        if session.sealed_progress is None or session.sealed_outcome is None or session.code_hash is None:
            return None
        kept = self._vault.open(session.sealed_progress, _PROGRESS, session.id).get("choosing")
        if kept is None:
            return None
        choosing = Choosing(**{**kept, "choices": tuple((value, label) for value, label in kept["choices"])})
        return choosing if hashed(choosing.code) == session.code_hash else None

    def chosen(self, session: ConnectSessionRow, choosing: Choosing, value: str) -> NewAccount | None:
        """Return what was gained, with the chosen value; None if that wasn't offered."""
        if value not in dict(choosing.choices) or session.sealed_outcome is None:
            return None
        new = NewAccount(**self._vault.open(session.sealed_outcome, _OUTCOME, session.id))
        return evolve(new, variables={**new.variables, choosing.variable: value})


def not_to_be_chosen() -> Setback:
    """The end of a choice that wasn't offered, or was made already."""
    return Setback(_("That can't be chosen any more."), _("Try again."))


def session_over() -> Setback:
    """The end of an attempt whose session was cancelled or expired before it succeeded."""
    return Setback(_("Connecting was cancelled or took too long, so nothing was connected."), final=True)
