import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import service_client as sc
from service_client import errors
from service_client.plans import Response
from service_client.plans.reading import error_of, read, retry_after

ENVELOPE = {
    "error": "The function was not executed.",
    "error_details": [
        {"field": "title", "code": "required", "message": "title is required.", "action": "fix_field", "new": 1},
        {"field": None, "code": "not_connected", "message": "Connect Desk first.", "action": "connect"},
    ],
    "request_id": "r-1",
}

CLASSES = {
    400: sc.BadRequestError,
    401: sc.AuthenticationError,
    403: sc.PermissionDeniedError,
    404: sc.NotFoundError,
    409: sc.ConflictError,
    410: sc.ServiceError,
    429: sc.RateLimitError,
    **dict.fromkeys((405, 413, 414, 415), sc.NotAcceptedError),
    **dict.fromkeys((500, 503, 599), sc.InternalServerError),
}


@pytest.mark.parametrize(("status", "expected"), CLASSES.items())
def test_the_class_of_an_error_follows_its_status(status: int, expected: type) -> None:
    """Each status of the contract has its class, and an unknown one still is a `ServiceError`."""
    assert expected is type(error_of(Response.of_json(ENVELOPE, status), is_call=False))


def test_an_error_carries_all_the_service_said() -> None:
    """For programs, and as a text that names summary, reasons with their fields, status and request."""
    error = error_of(Response.of_json(ENVELOPE, 400), is_call=True)
    details = (
        sc.ErrorDetail(field="title", code="required", message="title is required.", action="fix_field"),
        sc.ErrorDetail(field=None, code="not_connected", message="Connect Desk first.", action="connect"),
    )

    assert isinstance(error, sc.CallRefusedError)
    assert (400, "r-1", ("required", "not_connected")) == (error.status, error.request_id, error.codes)
    assert (sc.Code.REQUIRED, sc.Action.FIX_FIELD) == (error.code, error.action)
    assert (
        sc.ErrorEnvelope(error="The function was not executed.", error_details=details, request_id="r-1")
        == error.envelope
    )
    expected = "The function was not executed. title: title is required. Connect Desk first. (HTTP 400, request r-1)"
    assert expected == str(error)


def test_an_error_without_details_has_no_code() -> None:
    """An envelope need not have details."""
    error: Any = error_of(Response.of_json({"error": "No."}, 500), is_call=False)

    assert (None, None, "", ()) == (error.code, error.action, error.request_id, error.codes)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (sc.ServiceUnreachableError("away", False, 502), "away"),
        (sc.ServiceTimeoutError("late"), "late"),
        (sc.MalformedAnswerError("odd", 200, "r-2"), "odd (HTTP 200, request r-2)"),
        (sc.RateLimitError(429, sc.ErrorEnvelope(error="slower"), 3.0), "slower (HTTP 429)"),
        (sc.InvalidArgumentError("bad"), "bad"),
    ],
)
def test_errors_survive_pickling(error: Exception, text: str) -> None:
    """Errors cross process borders whole, as task queues need it."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes

    assert text == str(error) == str(copy)
    assert type(error) is type(copy)
    assert vars(error) == vars(copy)


def test_every_error_has_one_base_and_stands_in_the_drawing() -> None:
    """`except ServiceClientError` catches all, and the module's drawing names all."""
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]

    assert len(classes) > 10
    for error_class in classes:
        assert issubclass(error_class, sc.ServiceClientError)
        assert error_class.__name__ in (errors.__doc__ or "").split()


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_gateway_in_the_services_place_is_unreachability(status: int) -> None:
    """A 502, 503 or 504 without our envelope comes from a proxy before a service that is down."""
    error = error_of(Response(status, b"<html>Bad gateway</html>"), is_call=True)

    assert isinstance(error, sc.ServiceUnreachableError)
    assert status == error.status
    assert error.may_have_executed


@pytest.mark.parametrize("status", [0, 307, 429, 500])
@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b'{"message": "no"}', b"[" * 100_000])
def test_an_answer_that_is_not_the_services_is_malformed(status: int, content: bytes) -> None:
    """What carries no envelope is never shown as one of the service's answers."""
    error = error_of(Response(status, content, {"Request-Id": "r-3"}), is_call=False)

    assert isinstance(error, sc.MalformedAnswerError)
    assert (status, "r-3") == (error.status, error.request_id)


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>", b"null", b"[]", b"{}", b'{"apps": {"id": 1}}', b'{"apps": [{"id": "x"}]}', b"[" * 100_000],
)
def test_a_success_of_another_shape_is_malformed(content: bytes) -> None:
    """A 200 that does not hold the resource raises, with advice, instead of returning something half."""
    with pytest.raises(sc.MalformedAnswerError, match="base_url"):
        read(Response(200, content), sc.AppList)


@given(st.binary())
def test_no_answer_raises_anything_foreign(content: bytes) -> None:
    """Whatever bytes come, the errors are the client's own."""
    assert isinstance(error_of(Response(500, content), is_call=False), sc.ServiceClientError)
    with pytest.raises(sc.MalformedAnswerError):
        read(Response(200, content), sc.App)


@pytest.mark.parametrize(
    ("text", "date", "expected"),
    [
        *((each, "", None) for each in ("", "-1", "nan", "inf", "soon", "Wed, 01 Jan 2030 00:00:10 GMT")),
        (f"Wed, 01 Jan 2030 00:00:10 +{'9' * 16}", "Wed, 01 Jan 2030 00:00:00 GMT", None),
        ("7", "", 7.0),
        (" 0 ", "", 0.0),
        ("Wed, 01 Jan 2030 00:00:10 GMT", "Wed, 01 Jan 2030 00:00:00 GMT", 10.0),
        ("Wed, 01 Jan 2030 00:00:00 GMT", "Wed, 01 Jan 2030 00:00:10 GMT", 0.0),
    ],
)
def test_retry_after_is_read_as_seconds(text: str, date: str, expected: float | None) -> None:
    """Seconds and dates are understood, anything else is as if it were absent."""
    headers = {name: each for name, each in (("Retry-After", text), ("Date", date)) if each}
    assert expected == retry_after(Response(429, b"", headers))
