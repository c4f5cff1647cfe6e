"""What to tell the user when there is no answer from the app to go by."""

from service_server.catalog.auth import AuthMethod
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.values import Connector
from service_server.connect.signing_in.fields import asked_titles
from service_server.connect.signing_in.setback import Setback
from service_server.html_pages.language import gettext as _


def unreachable(connector: Connector, method: AuthMethod, reason: str) -> Setback:
    """Nothing answers where the app should be: it is down, or the user mistyped where it is."""
    said = _("%(app)s can't be reached right now.", app=connector.title)
    if not (address := asked_titles(connector, method, "address")):
        return Setback(said, _("Try again in a minute."), reason=reason)
    step = _("Check %(fields)s, or try again in a minute.", fields=address)
    return Setback(said, step, about="address", reason=reason)


def not_allowed(connector: Connector, method: AuthMethod, reason: str) -> Setback:
    """The address, or a redirect of the app's, leads somewhere that this service must not go."""
    said = _("This service isn't allowed to reach %(app)s there.", app=connector.title)
    if not (address := asked_titles(connector, method, "address")):
        return Setback(said, _("Tell its operator."), reason=reason)
    step = _("Check %(fields)s; if that is right, tell the operator of this service.", fields=address)
    return Setback(said, step, about="address", reason=reason)


def no_request(connector: Connector, method: AuthMethod, problem: InvalidRequest) -> Setback:
    """What the user entered, or what the operator has set, does not make a valid request."""
    said = _("This doesn't make a valid request to %(app)s: %(reason)s.", app=connector.title, reason=problem.message)
    if not (asked := asked_titles(connector, method)):
        return Setback(said, _("Tell the operator of this service."))
    return Setback(said, _("Check %(fields)s.", fields=asked), about="everything")
