"""Where events may be sent."""

from collections.abc import Iterable

from service_server.onward.target import parse_target
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
    if target.scheme == "http" and not any(AllowedHost.parse(each).covers(target, AS_APP) for each in allow_hosts):
        return (
            "A webhook's URL begins with https://. Plain http is only for a host of your own network that "
            f"--allow-host {AS_APP}=HOST:PORT (SERVICE_ALLOW_HOST) names."
        )
    return None


def rules_for(url: str) -> HostRules:
    """What may be sent to for a URL: its own host and port, and nothing else."""
    target = parse_target(url)
    host = f"[{target.host}]" if ":" in target.host else target.host
    return HostRules((f"{host}:{target.port}",))
