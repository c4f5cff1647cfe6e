"""What to tell the user when there is no answer of the app to go by."""

from service_server.catalog.auth import AuthMethod
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.values import Connector
from service_server.connect.signing_in.fields import asked_titles
from service_server.connect.signing_in.setback import Setback


def unreachable(connector: Connector, method: AuthMethod, reason: str) -> Setback:
    """Nothing answers where the app should be: it is down, or the user mistyped where it is."""
    said = f"{connector.title} can't be reached right now."
    if not (address := asked_titles(connector, method, "address")):
        return Setback(said, "Try again in a minute.", reason=reason)
    return Setback(said, f"Check {address}, or try again in a minute.", about="address", reason=reason)


def not_allowed(connector: Connector, method: AuthMethod, reason: str) -> Setback:
    """The address, or a redirect of the app's, leads to where this service must not go."""
    said = f"This service is not allowed to reach {connector.title} there."
    if not (address := asked_titles(connector, method, "address")):
        return Setback(said, "Tell its operator.", reason=reason)
    return Setback(
        said, f"Check {address}; if that is right, tell the operator of this service.", about="address", reason=reason
    )


def no_request(connector: Connector, method: AuthMethod, problem: InvalidRequest) -> Setback:
    """What was entered, or what the operator has set, makes no request."""
    said = f"This makes no valid request to {connector.title}: {problem.message}."
    if not (asked := asked_titles(connector, method)):
        return Setback(said, "Tell the operator of this service.")
    return Setback(said, f"Check {asked}.", about="everything")
