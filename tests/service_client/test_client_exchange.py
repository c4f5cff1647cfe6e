"""The plans of single requests, fed by hand: no I/O, no event loop."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
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
KEYED = evolve(WRITE, idempotency_key="once")
BAD_GATEWAY = Response(502)
LATE = sc.ServiceTimeoutError("late")
UNSENT = [sc.ServiceUnreachableError("no connection", False), sc.ServiceTimeoutError("no connection yet", False)]
LOST = [sc.ServiceUnreachableError("broke off"), LATE]
OTHER = [Response.of_json({"error": "no"}, each) for each in (400, 401, 403, 404, 405, 409, 413, 414, 415, 500, 504)]
REPEATED = [
    *((READ, failure) for failure in (BUSY, BAD_GATEWAY, AWAY, *UNSENT, LOST[0])),
    *((KEYED, failure) for failure in (BUSY, *UNSENT)),  # it was certainly not executed
]
FINAL = [
    *((READ, failure) for failure in (*OTHER, LATE)),  # by then the caller's time is spent
    *((KEYED, failure) for failure in (BAD_GATEWAY, AWAY, *LOST)),
    *(
        (evolve(WRITE, method=method), failure)
        for method in ("POST", "DELETE")
        for failure in (BUSY, BAD_GATEWAY, AWAY, *UNSENT, *LOST)
    ),
]


def fail(steps: Any, failure: Response | Exception) -> Any:
    """Let a request fail by an answer, or without one."""
    return steps.send(failure) if isinstance(failure, Response) else steps.throw(failure)


def sent(request: Request, settings: Settings = SETTINGS) -> HttpRequest:
    """Return what is sent first for a request."""
    effect = next(exchange(request, settings))
    assert isinstance(effect, HttpRequest)
    return effect


def test_absent_and_false_values_stay_out_of_the_query() -> None:
    """Only what was asked for is in the query; 0 is a value."""
    query: dict[str, Any] = {"app": "a&b", "on": True, "off": False, "none": None, "zero": 0, "prompt": "ä +"}

    assert sent(evolve(READ, query=query)).url.endswith("?app=a%26b&on=true&zero=0&prompt=%C3%A4%20%2B")


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
        *(evolve(READ, segments=("apps", name)) for name in ("", ".", "..", "\ud800")),
        *(evolve(READ, timeout=each) for each in (0, -1.0, float("nan"), float("inf"))),
        evolve(READ, query={"prompt": "\ud800"}),
        *(evolve(WRITE, body={"a": each}) for each in ("\ud800", float("nan"), len, {1, 2})),
        *(evolve(WRITE, idempotency_key=key) for key in ("", "a\r\nb", "é", "a" * 256)),
    ],
    ids=repr,
)
def test_what_cannot_be_sent_is_refused_before_sending(request_: Request) -> None:
    """Names, texts, arguments, keys and limits that make no request."""
    with pytest.raises(sc.InvalidArgumentError):
        sent(request_)


@pytest.mark.parametrize(
    ("request_", "seconds"),
    [
        (evolve(READ, patience=25.0), 85.0),
        (evolve(READ, timeout=3.0), 3.0),
        (evolve(READ, timeout=3.0, patience=25.0), 28.0),
    ],
)
def test_a_request_is_given_its_time(request_: Request, seconds: float) -> None:
    """A method's own timeout or the client's, and the seconds that the service waits on purpose."""
    assert seconds == sent(request_).timeout


@pytest.mark.parametrize(("request_", "failure"), REPEATED, ids=repr)
def test_what_may_pass_is_repeated_twice(request_: Request, failure: Any) -> None:
    """Two repeats after growing waits, then the failure itself; each repeat is the same request."""
    steps = exchange(request_, SETTINGS)

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


@pytest.mark.parametrize(("request_", "failure"), [*FINAL, ("no retries", BUSY)], ids=repr)
def test_what_will_not_pass_or_may_have_been_executed_is_sent_once(request_: Any, failure: Any) -> None:
    """What changes something is not sent again on the client's own account, nor is anything with `retries=0`."""
    steps = exchange(request_, SETTINGS) if request_ != "no retries" else exchange(READ, evolve(SETTINGS, retries=0))
    next(steps)

    with pytest.raises((sc.ServiceError, sc.ServiceUnreachableError)):
        fail(steps, failure)


def test_retry_after_is_waited_for() -> None:
    """A wish for more than the longest wait is left to the caller."""
    steps = exchange(KEYED, SETTINGS)
    next(steps)

    assert Wait(9.0) == steps.send(evolve(BUSY, headers={"Retry-After": "9"}))
    steps.send(None)
    with pytest.raises(sc.RateLimitError) as caught:
        steps.send(evolve(BUSY, headers={"Retry-After": str(LONGEST_WAIT + 1)}))
    assert LONGEST_WAIT + 1 == caught.value.retry_after


def test_waits_stay_bounded_however_often_is_retried() -> None:
    """The growing wait never exceeds the longest one, nor overflows."""
    steps = exchange(READ, evolve(SETTINGS, retries=1100))
    next(steps)
    for _ in range(1100):
        wait = steps.send(BUSY)
        assert isinstance(wait, Wait)
        assert 0.0 < wait.seconds <= LONGEST_WAIT
        steps.send(None)


@pytest.mark.parametrize(
    ("credentials", "identity"),
    [(Credentials(), {}), (Credentials(app_key="key", user_id="é"), {"App-Key": "key", "User-ID": "%C3%A9"})],
)
def test_a_token_replaces_the_hash(credentials: Credentials, identity: dict[str, str]) -> None:
    """It is asked for first and sent; key and user only if they were given, for the service to compare."""
    steps = exchange(READ, evolve(SETTINGS, credentials=credentials))

    assert AskToken(None) == next(steps)
    request = steps.send("t-1")
    assert isinstance(request, HttpRequest)
    assert request.headers["Authorization"] == "Bearer t-1"
    assert identity == {
        name: request.headers[name] for name in ("Hash", "App-Key", "User-ID") if name in request.headers
    }


@pytest.mark.parametrize("request_", [READ, WRITE])
def test_a_rejected_token_is_replaced_once(request_: Request) -> None:
    """After a 401 a new token is asked for and the request repeated, a write too; a second 401 is final."""
    steps = exchange(request_, WITH_TOKEN)
    next(steps)
    steps.send("t-1")

    assert AskToken("t-1") == steps.send(DENIED)
    again: Any = steps.send("t-2")
    assert "Bearer t-2" == again.headers["Authorization"]
    with pytest.raises(sc.AuthenticationError):
        steps.send(DENIED)


@pytest.mark.parametrize("answer", [None, "t-1"])
def test_without_another_token_a_401_is_final(answer: str | None) -> None:
    """A source that has nothing new is not asked again and again."""
    steps = exchange(READ, WITH_TOKEN)
    next(steps)
    steps.send("t-1")
    steps.send(DENIED)

    with pytest.raises(sc.AuthenticationError):
        steps.send(answer)
