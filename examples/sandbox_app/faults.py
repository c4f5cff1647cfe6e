"""Faults on demand: a test orders what shall go wrong with the next requests to a path."""

from typing import Any, Literal, get_args

from attrs import define, evolve

from examples.sandbox_app.messages import Refusal, Response, json_response

FaultKind = Literal[
    "expired_token",
    "rate_limited",
    "server_error",
    "slow",
    "malformed_json",
    "connection_reset",
    "reset_after_commit",
    "truncated_body",
    "answer",
]
# These happen to an answer; the request itself is carried out.
AFTER = frozenset({"slow", "reset_after_commit", "truncated_body"})
MAX_FAULTS = 100
MAX_CONTENT = 64 * 1024


@define
class Fault:
    """
    What shall go wrong, for which requests, how many `times`; a path that ends in `*` is a prefix.

    `answer` gives `content` of a `content_type` with a `status`, as what stands before an app does: a proxy's page, a
    sign-in form, a redirect to `location`.
    """

    id: int
    path: str
    fault: FaultKind
    method: str | None = None
    times: int = 1
    retry_after: int = 1
    seconds: float = 60
    status: int = 500
    content: str = ""
    content_type: str = ""
    location: str = ""

    def concerns(self, method: str, path: str) -> bool:
        """Whether it shall happen to this request."""
        if self.times < 1 or self.method not in (None, method):
            return False
        return path.startswith(self.path[:-1]) if self.path.endswith("*") else path == self.path

    def answer(self) -> Response:
        """What is answered in place of carrying the request out."""
        if self.fault == "rate_limited":
            response = _error(429, "rate_limited", "Too many requests.")
            return response.with_headers(("retry-after", str(self.retry_after)))
        if self.fault == "malformed_json":
            return Response(200, (("content-type", "application/json"),), b'{"items": [{"id": 10')
        if self.fault == "answer":
            headers = (("content-type", self.content_type), ("location", self.location))
            return Response(
                self.status, tuple((name, value) for name, value in headers if value), self.content.encode()
            )
        if self.fault == "connection_reset":
            return Response(500, delivery="reset")
        return _error(self.status, "server_error", "Something broke here.")

    def spoil(self, response: Response) -> Response:
        """The answer to a request that was carried out, as this fault leaves it."""
        if self.fault == "slow":
            return evolve(response, delay_seconds=self.seconds)
        return evolve(response, delivery="reset" if self.fault == "reset_after_commit" else "truncated")


def _error(status: int, code: str, message: str) -> Response:
    return json_response({"error": {"code": code, "message": message, "fields": []}}, status)


class Faults:
    """The faults ordered and not yet used up, oldest first."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._next_id = 1

    def order(self, body: dict[str, Any]) -> Fault:
        """Note a fault described in JSON; raises `Refusal` 400 for one that is not right."""
        fault = _read_fault(body, self._next_id)
        if len(self._faults) >= MAX_FAULTS:
            raise Refusal(400, "bad_request", f"At most {MAX_FAULTS} faults can wait.")
        self._next_id += 1
        self._faults.append(fault)
        return fault

    def take(self, method: str, path: str) -> Fault | None:
        """The fault that happens to this request, used up by one."""
        for fault in self._faults:
            if fault.concerns(method, path):
                fault.times -= 1
                self._faults = [waiting for waiting in self._faults if waiting.times > 0]
                return fault
        return None

    def waiting(self) -> list[Fault]:
        """What can still happen."""
        return list(self._faults)

    def reset(self) -> None:
        """Let everything go well again."""
        self._faults.clear()


def _read_fault(body: dict[str, Any], fault_id: int) -> Fault:
    body = dict(body)
    path, kind, method = body.pop("path", None), body.pop("fault", None), body.pop("method", None)
    if not isinstance(path, str) or not path.startswith("/") or path.startswith("/_"):
        raise Refusal(400, "bad_request", "path must be a path of the app.")
    if kind not in get_args(FaultKind):
        raise Refusal(400, "bad_request", "fault must be one of: " + ", ".join(get_args(FaultKind)) + ".")
    if method is not None and (not isinstance(method, str) or not method.isupper()):
        raise Refusal(400, "bad_request", "method must be a verb such as POST.")
    fault = Fault(fault_id, path, kind, method)
    fault.times = _number(body, "times", fault.times, 1, 1000)
    fault.retry_after = _number(body, "retry_after", fault.retry_after, 0, 3600)
    fault.status = _number(body, "status", fault.status, 200 if kind == "answer" else 500, 599)
    if kind == "answer":
        fault.content = _text(body, "content", MAX_CONTENT)
        fault.content_type, fault.location = _text(body, "content_type", 200), _text(body, "location", 2000)
    seconds = body.pop("seconds", fault.seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 600:
        raise Refusal(400, "bad_request", "seconds must be a number from 0 to 600.")
    fault.seconds = seconds
    if body:
        raise Refusal(400, "bad_request", "Unknown: " + ", ".join(sorted(body)) + ".")
    return fault


def _number(body: dict[str, Any], name: str, default: int, minimum: int, maximum: int) -> int:
    value = body.pop(name, default)
    if type(value) is not int or not minimum <= value <= maximum:
        raise Refusal(400, "bad_request", f"{name} must be a whole number from {minimum} to {maximum}.")
    return value


def _text(body: dict[str, Any], name: str, longest: int) -> str:
    value = body.pop(name, "")
    if not isinstance(value, str) or len(value) > longest or (name != "content" and not value.isprintable()):
        raise Refusal(400, "bad_request", f"{name} must be a text of at most {longest} characters.")
    return value
