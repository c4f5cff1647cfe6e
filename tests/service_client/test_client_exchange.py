"""The plans of single requests, fed by hand: no I/O, no event loop."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import service_client as sc
from service_client.plans import AskToken, Credentials, HttpRequest, Request, Response, Settings, Wait, exchange
from service_client.plans.exchange import LONGEST_WAIT

SETTINGS = Settings(
    base_url="http://service.test/api",
    credentials=Credentials(app_key="key", user_id="ann", hash="ab" * 32),
    timeout=60.0,
    retries=2,
)
WITH_TOKEN = evolve(SETTINGS, credentials=Credentials())
READ = Request("GET", ("apps", "desk"))
WRITE = Request("POST", ("functions", "desk-create"), body={"title": "é"}, is_call=True)
BUSY = Response.of_json({"error": "Slower."}, 429)
AWAY = Response.of_json({"error": "away"}, 503)
DENIED = Response.of_json({"error": "Who?", "error_details": [{"code": "unauthenticated", "message": "x"}]}, 401)


def sent(request: Request, settings: Settings = SETTINGS) -> HttpRequest:
    """Return what is sent first for a request."""
    effect = next(exchange(request, settings))
    assert isinstance(effect, HttpRequest)
    return effect


def fail(steps: Any, failure: Response | Exception | str) -> Any:
    """Let a request fail by an answer, or without one."""
    if isinstance(failure, Response):
        return steps.send(failure)
    return steps.throw(failure if isinstance(failure, Exception) else sc.ServiceUnreachableError("gone"))


def test_a_read_carries_the_three_headers() -> None:
    """Key, user and hash go with every request, next to the base address's own path."""
    request = sent(READ)

    assert ("GET", "http://service.test/api/apps/desk", None, 60.0) == (
        request.method,
        request.url,
        request.content,
        request.timeout,
    )
    assert dict(request.headers) == {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "App-Key": "key",
        "User-ID": "ann",
        "Hash": "ab" * 32,
    }


def test_a_write_carries_its_body_and_key() -> None:
    """Arguments travel as UTF-8 JSON, and the Idempotency-Key as a header."""
    request = sent(evolve(WRITE, idempotency_key="once 1"))

    assert '{"title":"é"}'.encode() == request.content
    assert request.headers["Idempotency-Key"] == "once 1"


def test_a_long_poll_is_given_its_time() -> None:
    """The seconds the service waits on purpose are added to the timeout."""
    assert sent(evolve(READ, patience=25.0)).timeout == 85.0


def test_absent_and_false_values_stay_out_of_the_query() -> None:
    """Only what was asked for is in the query; 0 is a value."""
    query: dict[str, Any] = {"app": "a&b", "on": True, "off": False, "none": None, "zero": 0, "prompt": "ä +"}

    assert sent(evolve(READ, query=query)).url.endswith("?app=a%26b&on=true&zero=0&prompt=%C3%A4%20%2B")


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda name: name not in (".", "..")))
def test_any_name_is_one_segment_of_the_path(name: str) -> None:
    """No name can reach another path, and each arrives as it was."""
    request = sent(Request("GET", ("apps", name)))

    assert request.url.startswith("http://service.test/api/apps/")
    assert request.url.count("/") == 5
    assert "?" not in request.url
    assert "#" not in request.url
    assert f"/api/apps/{name}" == request.path


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", ("apps", "")),
        Request("GET", ("apps", ".")),
        Request("GET", ("apps", "..")),
        Request("GET", ("apps", "\ud800")),
        Request("GET", ("apps",), query={"prompt": "\ud800"}),
        Request("POST", ("apps",), body={"a": "\ud800"}),
        Request("POST", ("apps",), body={"a": float("nan")}),
        Request("POST", ("apps",), body={"a": len}),
        Request("POST", ("apps",), body={"a": {1, 2}}),
        Request("POST", ("apps",), body={}, idempotency_key=""),
        Request("POST", ("apps",), body={}, idempotency_key="a\r\nb"),
        Request("POST", ("apps",), body={}, idempotency_key="é"),
        Request("POST", ("apps",), body={}, idempotency_key="a" * 256),
    ],
    ids=repr,
)
def test_what_cannot_be_sent_is_refused_before_sending(request_: Request) -> None:
    """Names, texts, arguments and keys that cannot travel raise before anything is sent."""
    with pytest.raises(sc.InvalidArgumentError):
        sent(request_)


def test_arguments_that_contain_themselves_are_refused() -> None:
    """A circle in the arguments is an error of the caller, not a crash."""
    circle: dict[str, Any] = {}
    circle["self"] = circle
    with pytest.raises(sc.InvalidArgumentError):
        sent(evolve(WRITE, body=circle))


@pytest.mark.parametrize("status", [200, 201, 204])
def test_a_success_ends_the_exchange(status: int) -> None:
    """A 2xx is the result, untouched."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    with pytest.raises(StopIteration) as stop:
        steps.send(Response(status))

    assert Response(status) == stop.value.value


@pytest.mark.parametrize("failure", [BUSY, Response(502), Response.of_json({"error": "away"}, 503), "unreachable"])
def test_a_read_that_failed_is_repeated_twice(failure: Response | str) -> None:
    """Two repeats after growing waits, then the failure itself; each repeat is the same request."""
    steps = exchange(READ, SETTINGS)

    first = next(steps)
    waits: list[float] = []
    for _ in range(2):
        wait = fail(steps, failure)
        assert isinstance(wait, Wait)
        waits.append(wait.seconds)
        assert first == steps.send(None)
    with pytest.raises((sc.ServiceError, sc.ServiceUnreachableError)):
        fail(steps, failure)
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0


def test_a_retry_that_succeeds_is_the_result() -> None:
    """After a repeat, the failure before it is forgotten."""
    steps = exchange(READ, SETTINGS)
    next(steps)
    steps.send(BUSY)
    steps.send(None)

    with pytest.raises(StopIteration) as stop:
        steps.send(Response(200, b"{}"))

    assert Response(200, b"{}") == stop.value.value


def test_retry_after_is_waited_for() -> None:
    """The service's own wish for a wait is respected."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    assert Wait(9.0) == steps.send(evolve(BUSY, headers={"Retry-After": "9"}))


def test_a_long_retry_after_is_left_to_the_caller() -> None:
    """A wish for more than the longest wait is reported instead of slept through."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    with pytest.raises(sc.RateLimitError) as caught:
        steps.send(evolve(BUSY, headers={"Retry-After": str(LONGEST_WAIT + 1)}))

    assert caught.value.retry_after == LONGEST_WAIT + 1


UNSENT = [sc.ServiceUnreachableError("no connection", False), sc.ServiceTimeoutError("no connection yet", False)]
LOST = [sc.ServiceUnreachableError("broke off"), sc.ServiceTimeoutError("late")]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
@pytest.mark.parametrize("failure", [BUSY, Response(502), AWAY, *UNSENT, *LOST], ids=repr)
def test_a_write_without_a_key_is_sent_once(method: Any, failure: Any) -> None:
    """What changes something is not sent again on the client's own account, whatever failed."""
    steps = exchange(evolve(WRITE, method=method), SETTINGS)
    next(steps)

    with pytest.raises((sc.ServiceError, sc.ServiceUnreachableError)):
        fail(steps, failure)


@pytest.mark.parametrize("failure", [BUSY, *UNSENT], ids=repr)
def test_a_call_with_a_key_is_repeated_where_it_was_not_executed(failure: Any) -> None:
    """Too many requests, or no connection in the first place: the same call with the same key goes out again."""
    steps = exchange(evolve(WRITE, idempotency_key="once"), SETTINGS)
    first = next(steps)

    assert isinstance(first, HttpRequest)
    assert first.headers["Idempotency-Key"] == "once"
    for _ in range(2):
        assert isinstance(fail(steps, failure), Wait)
        assert first == steps.send(None)
    with pytest.raises((sc.RateLimitError, sc.ServiceUnreachableError)):
        fail(steps, failure)


def test_a_call_with_a_key_waits_as_long_as_it_is_asked_to() -> None:
    """A 429's Retry-After is kept to for calls, too."""
    steps = exchange(evolve(WRITE, idempotency_key="once"), SETTINGS)
    next(steps)

    assert Wait(9.0) == steps.send(evolve(BUSY, headers={"Retry-After": "9"}))


@pytest.mark.parametrize("failure", [Response(502), AWAY, *LOST], ids=repr)
def test_a_call_with_a_key_is_sent_once_where_it_may_have_been_executed(failure: Any) -> None:
    """A key makes it safe to ask again; whether to is the caller's to decide."""
    steps = exchange(evolve(WRITE, idempotency_key="once"), SETTINGS)
    next(steps)

    with pytest.raises((sc.ServiceError, sc.ServiceUnreachableError)):
        fail(steps, failure)


@pytest.mark.parametrize("failure", UNSENT, ids=repr)
def test_a_read_without_a_connection_is_repeated(failure: Any) -> None:
    """Also where connecting took too long: nothing was sent, and another attempt may get through."""
    steps = exchange(READ, SETTINGS)
    first = next(steps)

    assert isinstance(fail(steps, failure), Wait)
    assert first == steps.send(None)


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan"), float("inf")])
def test_a_timeout_that_cannot_be_kept_is_refused(timeout: float) -> None:
    """A single method's timeout is checked as the client's is."""
    with pytest.raises(sc.InvalidArgumentError):
        sent(evolve(READ, timeout=timeout))


def test_a_methods_own_timeout_replaces_the_clients() -> None:
    """The seconds that the service waits on purpose are added here as well."""
    assert sent(evolve(READ, timeout=3.0)).timeout == 3.0
    assert sent(evolve(READ, timeout=3.0, patience=25.0)).timeout == 28.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 414, 415, 500, 504])
def test_other_failures_are_not_repeated(status: int) -> None:
    """Only statuses that pass by themselves are worth another try."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    with pytest.raises(sc.ServiceError):
        steps.send(Response.of_json({"error": "no"}, status))


def test_a_timeout_is_not_repeated() -> None:
    """After a timeout the caller's time is spent."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    with pytest.raises(sc.ServiceTimeoutError):
        steps.throw(sc.ServiceTimeoutError("late"))


def test_retries_can_be_turned_off() -> None:
    """With `retries=0` the first failure is the last."""
    steps = exchange(READ, evolve(SETTINGS, retries=0))
    next(steps)

    with pytest.raises(sc.RateLimitError):
        steps.send(BUSY)


def test_waits_stay_bounded_however_often_is_retried() -> None:
    """The growing wait never exceeds the longest one, nor overflows."""
    steps = exchange(READ, evolve(SETTINGS, retries=1100))
    next(steps)
    for _ in range(1100):
        wait = steps.send(BUSY)
        assert isinstance(wait, Wait)
        assert 0.0 < wait.seconds <= LONGEST_WAIT
        steps.send(None)


@pytest.mark.parametrize(("request_", "expected"), [(WRITE, sc.CallRefusedError), (READ, sc.BadRequestError)])
def test_a_400_is_a_refusal_only_for_calls(request_: Request, expected: type) -> None:
    """`CallRefusedError` means that a function was not executed; other requests raise `BadRequestError`."""
    steps = exchange(request_, SETTINGS)
    next(steps)

    with pytest.raises(sc.BadRequestError) as caught:
        steps.send(Response.of_json({"error": "no"}, 400))

    assert expected is type(caught.value)


def test_a_token_replaces_hash_and_identity() -> None:
    """With a token, the token is asked for first and sent; key and user are sent only if given."""
    steps = exchange(READ, WITH_TOKEN)

    assert AskToken(None) == next(steps)
    request = steps.send("t-1")
    assert isinstance(request, HttpRequest)
    assert request.headers["Authorization"] == "Bearer t-1"
    assert not {"Hash", "App-Key", "User-ID"} & set(request.headers)


def test_a_token_and_an_identity_go_together() -> None:
    """Key and user that were given beside a token are sent, for the service to compare."""
    steps = exchange(READ, evolve(SETTINGS, credentials=Credentials(app_key="key", user_id="é")))
    next(steps)
    request = steps.send("t-1")

    assert isinstance(request, HttpRequest)
    assert {"App-Key": "key", "User-ID": "%C3%A9"}.items() <= request.headers.items()


@pytest.mark.parametrize("request_", [READ, WRITE])
def test_a_rejected_token_is_replaced_once(request_: Request) -> None:
    """After a 401 a new token is asked for and the request repeated, a write too; a second 401 is final."""
    steps = exchange(request_, WITH_TOKEN)
    next(steps)
    steps.send("t-1")

    assert AskToken("t-1") == steps.send(DENIED)
    again = steps.send("t-2")
    assert isinstance(again, HttpRequest)
    assert again.headers["Authorization"] == "Bearer t-2"
    with pytest.raises(sc.AuthenticationError):
        steps.send(DENIED)


@pytest.mark.parametrize("answer", [None, "t-1"])
def test_without_another_token_a_401_is_final(answer: str | None) -> None:
    """A source that has nothing new ends it, instead of being asked again and again."""
    steps = exchange(READ, WITH_TOKEN)
    next(steps)
    steps.send("t-1")
    steps.send(DENIED)

    with pytest.raises(sc.AuthenticationError):
        steps.send(answer)


def test_a_401_for_a_hash_is_final() -> None:
    """A hash does not expire: there is nothing to renew."""
    steps = exchange(READ, SETTINGS)
    next(steps)

    with pytest.raises(sc.AuthenticationError):
        steps.send(DENIED)
