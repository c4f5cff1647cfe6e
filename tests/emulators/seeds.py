"""What is in the emulators when they start, and which of the connectors' addresses they stand for."""

from collections.abc import Mapping
from typing import Any

CLIENT_ID = "acme-desk"
CLIENT_SECRET = "made-up-client-secret"
SLACK_TOKEN = "xoxb-made-up-1"
LINEAR_KEY = "lin_api_madeup1"
TWILIO_ACCOUNT = "AC00000000000000000000000000000000"
TWILIO_TOKEN = "0123456789abcdef0123456789abcdef"
TWILIO_NUMBER = "+15551234567"
ADA = "ada@example.com"

# Apps whose accounts are connected by signing in.
SIGN_IN = ("github",)


def seeds(redirect_uri: str) -> dict[str, Any]:
    """Return the content of each emulator."""
    client = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "name": "Acme Desk",
        "redirect_uris": [redirect_uri],
    }
    return {
        "github": {
            "users": [{"login": "ada", "name": "Ada Lovelace", "email": ADA}],
            "repos": [{"owner": "ada", "name": "engine", "auto_init": True}],
            "oauth_apps": [client],
        },
        "slack": {
            "team": {"name": "Acme", "domain": "acme"},
            "users": [{"name": "ada", "real_name": "Ada Lovelace", "email": ADA}],
            "channels": [{"name": "general"}],
            "tokens": [{"token": SLACK_TOKEN, "user": "ada", "scopes": ["chat:write"]}],
        },
        "google": {
            "users": [{"email": ADA, "name": "Ada Lovelace"}],
            "oauth_clients": [client],
        },
        "linear": {},
        "microsoft": {"users": [{"email": ADA, "name": "Ada Lovelace"}], "oauth_clients": [client]},
        "twilio": {},
    }


def pointing(urls: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return for each connector which texts of its files are replaced, so that it talks to the emulators."""
    return {
        "github": {
            "https://api.github.com": urls["github"],
            "https://github.com": urls["github"],
        },
    }
