"""The API's nouns, one file each; every method is written once, as a plan."""

from service_client.resources.apps import Apps, AsyncApps
from service_client.resources.connect_sessions import AsyncConnectSessions, ConnectSessions
from service_client.resources.connected_accounts import AsyncConnectedAccounts, ConnectedAccounts
from service_client.resources.files import AsyncFiles, Files
from service_client.resources.functions import AsyncFunctions, Functions
from service_client.resources.session_tokens import AsyncSessionTokens, SessionTokens

__all__ = [
    "Apps",
    "AsyncApps",
    "AsyncConnectSessions",
    "AsyncConnectedAccounts",
    "AsyncFiles",
    "AsyncFunctions",
    "AsyncSessionTokens",
    "ConnectSessions",
    "ConnectedAccounts",
    "Files",
    "Functions",
    "SessionTokens",
]
