"""What an account has been granted at its provider, what a function needs, and what to ask for. Does no I/O."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from service_server.catalog.auth import AuthMethod, OAuth2Code
from service_server.catalog.expressions import Context, filled_text
from service_server.catalog.values import FunctionDefinition

_BETWEEN = re.compile(r"[\s,]+")  # some providers want spaces in a request and answer with commas


def written(scopes: Iterable[str], context: Context) -> tuple[str, ...]:
    """Write scopes as they are asked for: with the values of the variables that stand in them."""
    return tuple(filled_text(scope, context) for scope in scopes)


def granted_scopes(auth: AuthMethod, token: Mapping[str, Any]) -> tuple[str, ...] | None:
    """
    Return what an account has been granted, by its token answer; None if that can't be known.

    Only accounts that signed in on the provider's page have scopes: what keys may do is not known here.
    """
    if not isinstance(auth, OAuth2Code):
        return None
    told = token.get("scope")
    if isinstance(told, str):
        told = _BETWEEN.split(told.replace(auth.scopes.separator, " "))
    if not isinstance(told, list):
        return None
    return tuple(dict.fromkeys(scope for scope in told if isinstance(scope, str) and scope)) or None


def with_granted(auth: OAuth2Code, token: Mapping[str, Any], asked: Collection[str]) -> dict[str, Any]:
    """Return a first token answer that says what was granted: if it does not say, everything that was asked for."""
    if granted_scopes(auth, token) is not None or not asked:
        return dict(token)
    return {**token, "scope": auth.scopes.separator.join(asked)}


def missing_scopes(function: FunctionDefinition, granted: Collection[str] | None) -> tuple[str, ...]:
    """Return what a function needs beyond what was granted; nothing if that is not known."""
    return () if granted is None else _beyond(function, granted)


def scopes_to_ask_for(
    auth: OAuth2Code,
    granted: Collection[str],
    wanted: Iterable[FunctionDefinition],
    functions: Iterable[FunctionDefinition],
) -> tuple[str, ...]:
    """
    Return the scopes to ask for: the usual ones, those an account has already, and those of the functions `wanted`.

    Granted scopes are asked for again only if one of the app's `functions` names them: providers also grant others of
    their own accord, which they may refuse when asked for them.
    """
    asked = dict.fromkeys(auth.scopes.default)
    known = _known(granted)
    named = (scope for function in functions for choice in function.scopes for scope in choice)
    asked.update(dict.fromkeys(scope for scope in named if scope.casefold() in known))
    for function in wanted:
        asked.update(dict.fromkeys(_beyond(function, asked)))
    return tuple(asked)


def _known(granted: Collection[str]) -> frozenset[str]:
    return frozenset(spelling for scope in granted for spelling in _spellings(scope))


def _beyond(function: FunctionDefinition, granted: Collection[str]) -> tuple[str, ...]:
    known = _known(granted)
    return tuple(choice[0] for choice in function.scopes if not any(scope.casefold() in known for scope in choice))


def _spellings(scope: str) -> tuple[str, str]:
    """Ways to write a scope: a provider asked for `Mail.Read` may answer with `https://its.host/mail.read`."""
    whole = scope.casefold()
    return whole, whole.rpartition("/")[2] if "://" in whole else whole
