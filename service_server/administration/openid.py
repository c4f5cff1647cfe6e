"""Operators who come from an OpenID provider: what they are called, and which role its claims give them."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, check_name
from service_server.administration.permissions import ROLES
from service_server.oauth.openid import subject_of
from service_server.settings import OpenIdSettings
from service_server.store import Operator, Operators, Role
from service_server.store.clock import timestamp


@frozen
class OpenIdAdmission:
    """Lets in whom the provider gives a role. They are operators like others, without a password."""

    settings: OpenIdSettings
    operators: Operators

    async def admit(self, claims: Mapping[str, Any]) -> Operator:
        """
        The operator that the claims of somebody are about, added or with the role of now.

        Raises AdministrationError if they have no role, or their name is somebody else's here.
        """
        role = self.role(claims)
        if role is None:
            raise AdministrationError("You have no role in this console. Ask those who manage your accounts for one.")
        subject = subject_of(self.settings.issuer, claims["sub"])
        known = next((each for each in await self.operators.everyone() if each.oidc_subject == subject), None)
        name = self._name(claims) if known is None else known.name

        def take_over(current: Operator | None, _others: Sequence[Operator]) -> Operator:
            if current is None:
                return Operator(name=name, password_hash="", role=role, created_at=timestamp(), oidc_subject=subject)
            if current.oidc_subject != subject:
                raise AdministrationError(
                    f"There is another operator {name}. An owner can remove them; then sign in again."
                )
            return evolve(current, role=role)

        # It is the provider that decides; the trail says who came.
        actor = Actor(name=name, via="console", role="owner")
        act = actor.does(
            "operator.added" if known is None else "operator.role_set", name, by="OpenID Connect", role=role
        )
        found = await self.operators.change(name, take_over, act)
        if found is None:
            raise AdministrationError("You were removed just now. Sign in again.")
        return found

    def role(self, claims: Mapping[str, Any]) -> Role | None:
        """The highest role that any value of the claim gives."""
        value = claims.get(self.settings.role_claim)
        values = {each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)}
        return next((role for role in ROLES if values & set(self.settings.roles.get(role, ()))), None)

    def _name(self, claims: Mapping[str, Any]) -> str:
        claim = self.settings.name_claim
        name = claims.get(claim)
        if not isinstance(name, str) or (claim == "email" and claims.get("email_verified") is False):
            raise AdministrationError(f"The provider does not say your {claim}, or has not verified it.")
        check_name(name)
        return name
