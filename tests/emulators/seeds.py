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
CHANNELS = tuple(f"channel-{number:03}" for number in range(105))

# Apps whose accounts are connected by signing in.
SIGN_IN = ("github", "gmail", "google_calendar", "google_drive", "linear", "microsoft_365")


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
            "channels": [{"name": name} for name in CHANNELS],
            "tokens": [{"token": SLACK_TOKEN, "user": "ada", "scopes": ["chat:write"]}],
        },
        "google": {"users": [{"email": ADA, "name": "Ada Lovelace"}], "oauth_clients": [client]},
        "linear": {
            "organization": {"name": "Acme", "url_key": "acme"},
            "users": [{"email": ADA, "name": "Ada Lovelace", "admin": True}],
            "teams": [{"key": "ENG", "name": "Engineering", "states": [{"name": "Todo", "type": "unstarted"}]}],
            "labels": [{"name": "Bug", "color": "#d92d20", "team": "ENG"}],
            "oauth_apps": [{**client, "scopes": ["read", "write"], "actor": "user"}],
            "tokens": [{"token": LINEAR_KEY, "user": ADA, "scopes": ["read", "write"]}],
        },
        "microsoft": {"users": [{"email": ADA, "name": "Ada Lovelace"}], "oauth_clients": [client]},
        "twilio": {
            "account": {"sid": TWILIO_ACCOUNT, "auth_token": TWILIO_TOKEN, "friendly_name": "Acme"},
            "phone_numbers": [{"phone_number": TWILIO_NUMBER, "friendly_name": "Acme"}],
        },
    }


def pointing(urls: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return for each connector which texts of its files are replaced, so that it talks to the emulators."""
    google = {
        "https://accounts.google.com": urls["google"],
        "https://oauth2.googleapis.com": f"{urls['google']}/oauth2",
    }
    return {
        "github": {"https://api.github.com": urls["github"], "https://github.com": urls["github"]},
        # Links lead to pages of the app, whose domain nothing else in the copy names.
        "slack": {
            "https://slack.com": urls["slack"],
            "https://docs.slack.dev/": "https://slack.com/",
            "[files.slack.com]": f'["{urls["slack"].removeprefix("http://")}"]',
        },
        "gmail": {
            **google,
            "https://gmail.googleapis.com": urls["google"],
            "[gmail.googleapis.com]": f'["{urls["google"].removeprefix("http://")}"]',
            # It has no profile; its sender addresses tell the same.
            "test: {get: /users/me/profile}": "test: {get: /users/me/settings/sendAs}",
            "${test.emailAddress}": "${test.sendAs.0.sendAsEmail}",
        },
        "google_calendar": {
            **google,
            "https://www.googleapis.com/calendar": f"{urls['google']}/calendar",
            # It gives the calendars only all together.
            "/users/me/calendarList/primary": "/users/me/calendarList",
            "${test.id}": "${test.items.0.id}",
        },
        "google_drive": {
            **google,
            "https://www.googleapis.com/drive": f"{urls['google']}/drive",
            "https://www.googleapis.com/upload": f"{urls['google']}/upload",
            "[www.googleapis.com]": f'["{urls["google"].removeprefix("http://")}"]',
            # It doesn't tell whose Drive it is.
            'get: /about, query: {fields: "user(displayName,emailAddress,permissionId)"}': "get: /files",
            "${test.user.permissionId}": "${test.kind}",
            "${test.user.emailAddress}": "${test.kind}",
        },
        "linear": {
            "https://api.linear.app": urls["linear"],
            "https://linear.app": urls["linear"],
            # People there don't tell their organization.
            " organization { id name } }": " } organization { id name }",
            "viewer.organization.name": "organization.name",
            # Nor do comments tell their address.
            "comment { id url }": "comment { id }",
            # It takes the order for a text, and Linear for one of a few words.
            ", orderBy: updatedAt": "",
        },
        "microsoft_365": {
            "https://graph.microsoft.com": urls["microsoft"],
            # It knows no tenants.
            "https://login.microsoftonline.com/common": urls["microsoft"],
        },
        "twilio": {"https://api.twilio.com": urls["twilio"]},
        "hubspot": {"https://api.hubapi.com": urls["hubspot"]},
        "confluence": {"https://${vars.site}.atlassian.net": urls["confluence"]},
        "stripe": {
            "https://api.stripe.com": urls["stripe"],
            # It has no account, but refuses a wrong key everywhere.
            "test: {get: /v1/account}": "test: {get: /v1/customers, query: {limit: 1}}",
            "${test.id}": "${test.url}",
        },
    }
