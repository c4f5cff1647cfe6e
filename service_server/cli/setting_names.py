"""The names of `SERVICE_…` variables: which are settings, and which one somebody may have meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

import click
from attrs import frozen

from service_server.cli import language_model, openid
from service_server.settings import LIMITS

PREFIX: Final = "SERVICE_"
_WITHOUT_OPTION = ("VAULT_KEY", "CACHE_DIR", "BUILDS_DIR")
# Those of commands for one user, which may stand in the same file; and what a worker is handed over.
_OF_OTHERS = ("USER_ID", "APP_KEY", "HANDED_OVER")


@frozen
class UnknownSetting:
    """A variable that sets nothing; `nearest` is the setting with the most similar name, where one is similar."""

    name: str
    nearest: str | None

    @property
    def advice(self) -> str:
        """What to do about it."""
        told = f"{self.name} is not a setting, and does nothing."
        return told if self.nearest is None else f"{told} Did you mean {self.nearest}?"


def unknown_settings(environment: Mapping[str, str], options: Iterable[click.Parameter]) -> list[UnknownSetting]:
    """
    The variables that begin like settings and are none, by name; `options` are those of `serve`.

    A mistyped one would else be ignored silently. Values are not looked at.
    """
    limits = [name.upper() for name in LIMITS]
    known = {PREFIX + name for name in (*_WITHOUT_OPTION, *_OF_OTHERS, *limits)}
    known |= {*openid.VARIABLES, *language_model.VARIABLES}
    known |= {each.envvar for each in options if isinstance(each.envvar, str)}
    # In small letters it may be another program's, unless it is the very name.
    names = [each for each in environment.keys() - known if each.startswith(PREFIX) or each.upper() in known]
    return [UnknownSetting(each, _nearest(each.upper(), known)) for each in sorted(names)]


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """Compare what comes after the prefix, which would make all of them similar."""
    names = [each.removeprefix(PREFIX) for each in sorted(known)]
    return next((PREFIX + each for each in get_close_matches(name.removeprefix(PREFIX), names, n=1)), None)
