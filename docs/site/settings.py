"""The reference of the settings, as Markdown made of the options of `service-server serve` and of the limits."""

from pathlib import Path

import attrs
import click

from service_server.cli.language_model import LANGUAGE_MODEL_HELP
from service_server.cli.openid import OPENID_HELP
from service_server.cli.serve import serve_cli
from service_server.settings import LIMITS, Settings


def settings_reference() -> str:
    """A table of options with their variables, one of limits, and what else is set by variables."""
    options = ["| option, variable | default | what for |", "|---|---|---|"]
    for option in serve_cli.params:
        if isinstance(option, click.Option) and option.envvar:
            cells = (f"`{option.opts[0]}`<br>`{option.envvar}`", _default(option), option.help or "")
            options.append(f"| {' | '.join(cells)} |")
    limits = ["| variable | default | what for |", "|---|---|---|"]
    defaults = attrs.fields_dict(Settings)
    for name, purpose in LIMITS.items():
        default = defaults[name].default
        unit = name.rpartition("_")[2] if name.endswith(("bytes", "seconds", "days")) else ""
        given = f"{default:,.15g} {unit}".strip() if isinstance(default, int | float) else ""
        limits.append(f"| `SERVICE_{name.upper()}` | {given} | {purpose} |")
    return "\n\n".join(
        [
            "## Options",
            "\n".join(options),
            "## Limits",
            "\n".join(limits),
            "## A language model",
            LANGUAGE_MODEL_HELP,
            "## Signing in by OpenID Connect",
            OPENID_HELP,
        ]
    )


def _default(option: click.Option) -> str:
    """What counts where nothing is given; a default that only a machine knows is said in words."""
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.get_default(click.Context(serve_cli))
    return f"`{default}`" if isinstance(default, str | int | Path) else ""
