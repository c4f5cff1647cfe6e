"""Query strings that could be read in two ways are refused before the framework reads them in one."""

from collections import Counter
from typing import Any, Literal, get_args, get_origin
from urllib.parse import parse_qsl

from litestar import Request

from service_client.models import Action, Code, ErrorDetail
from service_server.errors import ServiceError, failure

MAX_PARAMETERS = 1000


async def check_query(request: Request[Any, Any, Any]) -> None:
    """
    Refuse a parameter of the handler that is given more than once, or as `null` where that is no text.

    The framework would take the last one, and take `null` for absent. Parameters that no handler knows are ignored,
    up to a number that is read in no time.
    """
    if not request.scope["query_string"]:
        return
    if request.scope["query_string"].count(b"&") >= MAX_PARAMETERS:
        raise failure(414, Code.TARGET_TOO_LONG, f"The query has more than {MAX_PARAMETERS} parameters.")
    parameters = request.route_handler.parsed_fn_signature.parameters
    pairs = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    given = [(name, text) for name, text in pairs if name in parameters]
    times = Counter(name for name, _ in given)
    problems = [_problem(name, Code.TYPE, "is given more than once") for name in times if times[name] > 1]
    for name, text in given:
        kinds = get_args(parameters[name].annotation)
        if text == "null" and str not in kinds:
            is_choice = any(get_origin(kind) is Literal for kind in kinds)
            problems.append(_problem(name, Code.ENUM if is_choice else Code.TYPE, "is not valid"))
    if problems:
        raise ServiceError(400, "The query is not valid.", problems)


def _problem(name: str, code: Code, what: str) -> ErrorDetail:
    return ErrorDetail(field=name, code=code, message=f"The query parameter {name} {what}.", action=Action.FIX_FIELD)
