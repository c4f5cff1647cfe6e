"""Where events may be sent."""

from collections.abc import Iterable

from service_server.onward.address import is_public
from service_server.onward.target import Target, parse_target
from service_server.onward.values import AllowedHost, HostRules

AS_APP = "webhooks"
"""Stands for an app in `--allow-host webhooks=HOST[:PORT]`, which opens a private host for webhooks alone."""
LONGEST_URL = 2048


def problem_with(url: str, allow_hosts: Iterable[str]) -> str | None:
    """Why nothing may be sent to a URL, as far as that can be told without looking its host up; None if it may be."""
    if len(url) > LONGEST_URL:
        return f"A webhook's URL has {LONGEST_URL:,} characters at most."
    try:
        target = parse_target(url)
    except ValueError as error:
        return f"The URL can't be used: {error}."
    if "#" in url:
        return "The URL of a webhook has no fragment (#…)."
    if any(AllowedHost.parse(each).covers(target, AS_APP) for each in allow_hosts):
        return None
    named = f"--allow-host {AS_APP}=HOST:PORT (SERVICE_ALLOW_HOST) names"
    if target.scheme == "http":
        return f"A webhook's URL begins with https://. Plain http is only for a host of your own network that {named}."
    if _is_private(target):
        return f"The URL leads to an address that is not public. Such a host is sent to only if {named} it."
    return None


def _is_private(target: Target) -> bool:
    """Whether a host can be told to be one of this machine or its networks without looking it up."""
    if target.address is not None:
        return not is_public(target.address)
    return target.host.split(".")[-1] == "localhost"  # of this machine whatever a name server says: RFC 6761


def rules_for(url: str) -> HostRules:
    """What may be sent to for a URL: its own host and port, and nothing else."""
    target = parse_target(url)
    host = f"[{target.host}]" if ":" in target.host else target.host
    return HostRules((f"{host}:{target.port}",))
