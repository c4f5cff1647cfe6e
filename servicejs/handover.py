"""What the service showed for a call before Python was there, and what the user did with it meanwhile."""

from typing import Any

from attrs import frozen

from service_client.models import CONVERTER, App, AppList, ConnectSession, Function
from servicejs.screens.screen import Gesture


@frozen
class Handover:
    """
    What a screen continues from without asking the service again; all of it is empty if nothing was shown.

    The service sends `known()` along with a first screen's HTML, and the page returns it with the call. `session`
    belongs to the panel that the call began with; `gestures` are those that came after.
    """

    apps: AppList | None = None
    app: App | None = None
    function: Function | None = None
    session: ConnectSession | None = None
    gestures: tuple[Gesture, ...] = ()

    @classmethod
    def read(cls, record: dict[str, Any], surface: str) -> "Handover":
        """Read what the page gives back for one of its surfaces."""
        known = record.get("known") or {}
        return cls(
            apps=_structured(known.get("apps"), AppList),
            app=_structured(known.get("app"), App),
            function=_structured(known.get("function"), Function),
            session=_structured(record.get("session"), ConnectSession),
            gestures=tuple(read_gesture({**each, "surface": surface}) for each in record.get("gestures", ())),
        )

    def known(self) -> dict[str, Any]:
        """Return what the service knows about a call, as JSON."""
        given = {"apps": self.apps, "app": self.app, "function": self.function}
        return {name: CONVERTER.unstructure(value) for name, value in given.items() if value is not None}


def read_gesture(values: dict[str, Any]) -> Gesture:
    """Read what the page says of a gesture."""
    return Gesture(**{**values, "session": _structured(values.get("session"), ConnectSession)})


def _structured(value: Any, kind: type) -> Any:
    return None if value is None else CONVERTER.structure(value, kind)
