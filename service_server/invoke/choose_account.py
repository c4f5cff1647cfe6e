"""Which of the user's accounts a call runs in: never a guess."""

from service_client.models import Action, Code
from service_server.errors import ServiceError, refused
from service_server.invoke.invocation import CallRequest
from service_server.oauth.refusals import reconnect_required
from service_server.store import Account, Accounts


async def choose_account(request: CallRequest, kept: Accounts) -> Account:
    """Take the named account, or the only one that may call the function; else refuse with the button that helps."""
    app = request.connector
    accounts = await kept.of_user(request.application_id, request.user_id, app.name)
    if not accounts:
        raise refused(Code.NOT_CONNECTED, f"Connect an account of {app.title} first.", action=Action.CONNECT)
    wanted = request.connected_account_id
    if wanted is None:  # an account that can't call it is no choice; where none can, the refusal names the first
        accounts = [each for each in accounts if request.function.is_for(each.auth_id)] or accounts[:1]
    account = _chosen(accounts, wanted, app.title)
    if not request.function.is_for(account.auth_id):
        raise _signed_in_otherwise(request, account)
    if account.state == "reconnect_required":
        raise reconnect_required(app.title, account)
    return account


def _chosen(accounts: list[Account], wanted: int | None, app_title: str) -> Account:
    if wanted is None:
        if len(accounts) == 1:
            return accounts[0]
        raise several_accounts(accounts, app_title)
    for account in accounts:
        if account.id == wanted:
            return account
    raise refused(
        Code.ACCOUNT_NOT_FOUND,
        f"There is no account {wanted} of {app_title} connected for this user.",
        field="connected_account_id",
        action=Action.PICK_ACCOUNT,
    )


def _signed_in_otherwise(request: CallRequest, account: Account) -> ServiceError:
    """The refusal of an account whose way of signing in can't do what the function does."""
    app = request.connector
    titles = {method.id: method.title for method in app.auth}
    ways = " or ".join(f"“{titles[way]}”" for way in request.function.ways if way in titles)
    return refused(
        Code.NOT_CONNECTED,
        f"“{request.function.title}” needs an account of {app.title} that is connected by {ways}; "
        f"“{account.display_name}” was connected by “{titles.get(account.auth_id, account.auth_id)}”.",
        action=Action.CONNECT,
    )


def several_accounts(accounts: list[Account], app_title: str) -> ServiceError:
    """The refusal that lists the accounts to choose from."""
    listed = ", ".join(f"{account.id} ({account.display_name})" for account in accounts[:20])
    return refused(
        Code.ACCOUNT_REQUIRED,
        f"Several accounts of {app_title} are connected; name one with connected_account_id: {listed}.",
        field="connected_account_id",
        action=Action.PICK_ACCOUNT,
    )
