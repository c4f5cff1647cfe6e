"""Asking the user in the terminal before anything is changed."""

from service_client.tools import ProposedCall


def ask_user(proposed: ProposedCall) -> bool:
    """Show a call, and take nothing but "yes" for a yes."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in proposed.arguments.items())
    warning = " It can't be undone." if proposed.is_destructive else ""
    return input(f"{proposed.function.name}({arguments})?{warning} yes or no: ").strip() == "yes"
