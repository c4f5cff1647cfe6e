"""Request bodies: JSON or form, never more than the limit, never anything else."""

import json
from typing import Any
from urllib.parse import parse_qsl

from litestar import Request

from service_client.models import Code
from service_server.errors import ServiceError, failure, refused
from service_server.foreign_json import MAX_DEPTH, MAX_VALUES, TooManyValues, read_json
from service_server.invoke import FormBody, JsonBody
from service_server.invoke.form_values import MAX_PAIRS

FORM = "application/x-www-form-urlencoded"


async def read_body(request: Request[Any, Any, Any]) -> JsonBody | FormBody:
    """
    Read the body of a POST; an empty one is `{}` whatever its Content-Type.

    The framework has refused bodies over the limit by now (413).
    """
    body = await request.body()
    if not body.strip():
        return JsonBody({})
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == "application/json":
        return JsonBody(_json_object(body), len(body))
    if media_type == FORM:
        return FormBody(_form(body), len(body))
    raise failure(
        415, Code.UNSUPPORTED_MEDIA_TYPE, f"Send the body as application/json or {FORM} and name it in Content-Type."
    )


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        value = read_json(body.decode(), as_unicode=True)
    except UnicodeError:
        raise refused(Code.MALFORMED_BODY, "The body is not valid UTF-8 text.") from None
    except TooManyValues:
        raise _too_many_values() from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            reason = f"is not valid JSON at line {error.lineno}, column {error.colno}"
        else:
            reason = f"is not JSON of finite numbers and at most {MAX_DEPTH} levels"
        raise refused(Code.MALFORMED_BODY, f"The body {reason}.") from None
    if not isinstance(value, dict):
        raise refused(Code.MALFORMED_BODY, "The body must be a JSON object with the parameters as keys.")
    return value


def _too_many_values() -> ServiceError:
    return failure(413, Code.BODY_TOO_LARGE, f"The body holds more than {MAX_VALUES} values. Send them in parts.")


def _form(body: bytes) -> tuple[tuple[str, str], ...]:
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=MAX_PAIRS
        )
    except (UnicodeError, ValueError):
        raise refused(
            Code.MALFORMED_BODY, f"The body is not a valid form of at most {MAX_PAIRS} fields in UTF-8."
        ) from None
    # Its fields may hold JSON, which is read only once it is known which parameters are arrays and objects.
    if sum(text.count(",") + text.count("[") + text.count("{") for _, text in pairs if text[:1] in "[{") > MAX_VALUES:
        raise _too_many_values()
    return tuple(pairs)
