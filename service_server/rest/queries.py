"""Query strings that could be read in two ways are refused before the framework reads them in one."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin
from urllib.parse import parse_qsl

from litestar import Request

from service_client.models import Action, Code, ErrorDetail
from service_server.errors import ServiceError, failure

MAX_PARAMETERS = 1000


async def check_query(request: Request[Any, Any, Any]) -> None:
    """Refuse what `read_query` refuses of the parameters of the handler."""
    if request.scope["query_string"]:
        parameters = request.route_handler.parsed_fn_signature.parameters
        read_query(request.scope["query_string"], {name: each.annotation for name, each in parameters.items()})


def read_query(query: bytes, parameters: Mapping[str, Any]) -> dict[str, str]:
    """
    Return the texts of the parameters that a query gives, by name; `parameters` are the types of those that count.

    One that is given more than once, or as `null` where that is no text, is refused: the framework would take the last
    one, and take `null` for absent. Parameters that nobody knows are ignored, up to a number that is read in no time.
    """
    if query.count(b"&") >= MAX_PARAMETERS:
        raise failure(414, Code.TARGET_TOO_LONG, f"The query has more than {MAX_PARAMETERS} parameters.")
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    given = [(name, text) for name, text in pairs if name in parameters]
    times = Counter(name for name, _ in given)
    problems = [_problem(name, Code.TYPE, "is given more than once") for name in times if times[name] > 1]
    for name, text in given:
        kinds = get_args(parameters[name])
        if text == "null" and str not in kinds:
            is_choice = any(get_origin(kind) is Literal for kind in kinds)
            problems.append(_problem(name, Code.ENUM if is_choice else Code.TYPE, "is not valid"))
    if problems:
        raise ServiceError(400, "The query is not valid.", problems)
    return dict(given)


def _problem(name: str, code: Code, what: str) -> ErrorDetail:
    return ErrorDetail(field=name, code=code, message=f"The query parameter {name} {what}.", action=Action.FIX_FIELD)
