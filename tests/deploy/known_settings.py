"""The settings that `service-server serve` reads, by the names of their variables."""

import re
from pathlib import Path

from service_server.cli.serve import serve_cli
from service_server.settings import LIMITS

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OPTIONS = ROOT / "service_server" / "cli" / "options.py"


def known_settings() -> set[str]:
    """Those of options, the limits, and those that are variables only."""
    by_options = {str(option.envvar) for option in serve_cli.params if getattr(option, "envvar", None)}
    only_variables = set(re.findall(r'environ\.get\("(SERVICE_\w+)"\)', OPTIONS.read_text()))
    return by_options | only_variables | {f"SERVICE_{name.upper()}" for name in LIMITS}


def named_settings(text: str) -> set[str]:
    """The settings that a text names."""
    return set(re.findall(r"\bSERVICE_[A-Z_]+\b", text))
