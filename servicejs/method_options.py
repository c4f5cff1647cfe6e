"""The options that methods take by name, in an object: a name that a method doesn't have is refused, not ignored."""

from typing import Any

from servicejs.call_arguments import refuse, refuse_value

METHOD_OPTIONS: dict[str, tuple[str, ...]] = {
    "showApps": ("promptBox",),
    "connectApp": ("redirectUrl", "connectedAccountId", "functions"),
    "showFunctionUI": ("prediction", "renderMode", "containerId", "renderers", "signal"),
    "invokeFunction": ("include",),
    "getFunctions": ("apps", "type", "connectedOnly"),
    "getChoices": ("params", "search", "cursor", "connectedAccountId"),
    "predict": ("apps", "type", "connectedOnly", "functionName"),
}


def check_options(method: str, names: Any) -> None:
    """Refuse options that a method doesn't have, by their `names`, or by what the page gave in place of an object."""
    known = METHOD_OPTIONS.get(method)
    if names is None or known is None:
        return
    if not isinstance(names, list):
        refuse_value(f"What {method} takes by name", f"in an object with {_listed(known)}", names)
    for name in names:
        if name == "0":
            refuse(f"What {method} takes by name must be in an object with {_listed(known)}, not in a list.")
        if name not in known:
            refuse(f"{method} has no option {name!r}; there {'are' if known[1:] else 'is'} {_listed(known)}.")


def _listed(names: tuple[str, ...]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
