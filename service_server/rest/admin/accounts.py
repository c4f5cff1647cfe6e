"""`/admin/accounts`: what users have connected."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from litestar import delete, get
from litestar.params import PathParameter, QueryParameter
from litestar.status_codes import HTTP_204_NO_CONTENT

from service_client.models import Code
from service_client.models import administration as models
from service_server.administration.permissions import Permission
from service_server.errors import failure
from service_server.rest.admin.paging import PAGE_SIZE, GivenApplication, GivenFilter, GivenLimit, Paging
from service_server.rest.admin_access import GivenActor, needs
from service_server.rest.dependencies import GivenService
from service_server.rest.parameters import LARGEST_ID, GivenCursor
from service_server.service import Service
from service_server.store import Account, AccountFilter

AccountId: TypeAlias = Annotated[int, PathParameter(ge=1, le=LARGEST_ID)]
# The framework has another use for the name `state`.
GivenState: TypeAlias = Annotated[Literal["active", "reconnect_required"] | None, QueryParameter(name="state")]


@get("/admin/accounts", summary="Search accounts", **needs(Permission.SEE))
async def list_accounts(
    service: GivenService,
    actor: GivenActor,
    application: GivenApplication = None,
    user: GivenFilter = None,
    app: GivenFilter = None,
    in_state: GivenState = None,
    cursor: GivenCursor = None,
    limit: GivenLimit = None,
) -> models.Accounts:
    """List connected accounts, those connected last first; a user is named by the whole id."""
    paging = Paging(service.vault, "accounts", (application, user, app, in_state))
    matching = AccountFilter(application_id=application, user_id=user, app_name=app, state=in_state)
    most = (limit or PAGE_SIZE) + 1
    found = await service.accounts.search(matching, limit=most, before=paging.after(cursor))
    shown, following = paging.newest(found, lambda each: each.id, limit)
    return models.Accounts(data=tuple(map(_told, shown)), cursor=following)


@get("/admin/accounts/{connected_account_id:int}", summary="Get an account", **needs(Permission.SEE))
async def get_account(service: GivenService, actor: GivenActor, connected_account_id: AccountId) -> models.Account:
    """Return one account."""
    return _told(await _known(service, connected_account_id))


@delete(
    "/admin/accounts/{connected_account_id:int}",
    status_code=HTTP_204_NO_CONTENT,
    summary="Disconnect an account",
    **needs(Permission.CHANGE_USERS),
)
async def disconnect_account(service: GivenService, actor: GivenActor, connected_account_id: AccountId) -> None:
    """Revoke an account at the app where possible, and erase its credentials."""
    account = await _known(service, connected_account_id)
    await service.users.disconnect(actor, account)


ACCOUNT_ROUTES = [list_accounts, get_account, disconnect_account]


async def _known(service: Service, account_id: int) -> Account:
    found = await service.accounts.get(account_id)
    if found is None:
        raise failure(404, Code.NOT_FOUND, f"There is no account {account_id}.")
    return found


def _told(account: Account) -> models.Account:
    return models.Account(
        id=account.id,
        application_id=account.application_id,
        user_id=account.user_id,
        app=account.app_name,
        auth=account.auth_id,
        display_name=account.display_name,
        state=account.state,
        state_reason=account.state_reason,
        modified_at=datetime.fromisoformat(account.modified_at),
    )
