"""What the fake service refuses, and how it says so."""

from collections.abc import Mapping
from typing import Any

from service_client.models import CONVERTER, Action, App, Code, ConnectedAccount, ErrorDetail, ErrorEnvelope, Function
from service_client.plans import Response

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


class Refused(Exception):
    """Ends the handling of a request with an error envelope."""

    def __init__(self, status: int, *details: ErrorDetail) -> None:
        super().__init__(status, details)
        self.status = status
        self.details = details

    @property
    def response(self) -> Response:
        """The answer that says so."""
        envelope = ErrorEnvelope(error=self.details[0].message, error_details=self.details, request_id="fake")
        return Response.of_json(CONVERTER.unstructure(envelope), self.status)


def refused(status: int, code: Code, message: str, action: Action | None = None, field: str | None = None) -> Refused:
    """Return the refusal for a single reason."""
    return Refused(status, _detail(code, message, action, field))


def check_arguments(function: Function, arguments: Mapping[str, Any], *, paginated: bool) -> None:
    """Refuse arguments that are missing, of the wrong type, or unknown."""
    known = function.parameters.properties
    details = [
        _detail(Code.REQUIRED, f"{name} is required.", Action.FIX_FIELD, name)
        for name in function.parameters.required
        if name not in arguments
    ]
    for name, value in arguments.items():
        if name == "next_page" and paginated:
            continue
        if name not in known:
            details.append(_detail(Code.UNKNOWN_PARAMETER, f"There is no parameter {name}.", Action.FIX_FIELD, name))
        elif not _fits(value, known[name].get("type")):
            message = f"{name} must be of type {known[name]['type']}."
            details.append(_detail(Code.TYPE, message, Action.FIX_FIELD, name))
    if details:
        raise Refused(400, *details)


def choose_account(app: App, account_id: str | None) -> ConnectedAccount:
    """Return the account that is meant; refuse if there is none, or if there are several and none was named."""
    accounts = app.connected_accounts
    if not accounts:
        raise refused(400, Code.NOT_CONNECTED, f"Connect an account in {app.title} first.", Action.CONNECT)
    if account_id is None and len(accounts) > 1:
        message = f"There are several accounts in {app.title}: choose one."
        raise refused(400, Code.ACCOUNT_REQUIRED, message, Action.PICK_ACCOUNT)
    for account in accounts:
        if account_id in (None, str(account.id)):
            return account
    message = f"There is no account {account_id} in {app.title}."
    raise refused(400, Code.ACCOUNT_NOT_FOUND, message, Action.PICK_ACCOUNT)


def _detail(code: Code, message: str, action: Action | None, field: str | None) -> ErrorDetail:
    return ErrorDetail(field=field, code=code, message=message, action=action)


def _fits(value: object, type_name: str | None) -> bool:
    if isinstance(value, bool):
        return type_name in ("boolean", None)
    return type_name not in _TYPES or isinstance(value, _TYPES[type_name])
