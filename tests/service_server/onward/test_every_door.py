"""
Every way out of the running service leads only where it may: calls, free-form requests, sign-ins, test calls, leaving.

A trap listens on this machine beside the one app that the operator allows. Disguises of each kind of an address that
leads to the trap (test_addresses.py has all of them) are tried through each door, given by a user or by the app in a
redirect.
"""

import itertools
from collections.abc import Iterator

import httpx
import pytest

from tests.service_server.onward.doors import KEY, LIMIT_BYTES, Doors, doors

pytestmark = pytest.mark.slow

TRAPS = (
    "http://127.0.0.1:{port}",
    "http://localhost:{port}",
    "http://[::1]:{port}",
    "http://[::ffff:127.0.0.1]:{port}",
    "http://2130706433:{port}",
    "http://{app}@127.0.0.1:{port}",
    "http://{app}\\@127.0.0.1:{port}",
    "http:/\t/127.0.0.1:{port}",
    "//127.0.0.1:{port}",
    "http://169.254.169.254",
    "ftp://127.0.0.1:{port}",
    "file:///etc/passwd",
    "http://127.0.0.1:{port}{port}",
)
WAYS = {"key": "/me", "service": "/token", "login": "/login", "oauth": "/token"}
"""The ways of signing in, and what of the app each of them asks first."""
_users = itertools.count()


@pytest.fixture(scope="module")
def all_doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """The service, the app and the trap; user `key` has connected the app by a key."""
    with doors(tmp_path_factory.mktemp("doors")) as running:
        assert "connected" == running.connect("key", "key", running.app.url)
        yield running


@pytest.fixture
def behind(all_doors: Doors) -> Iterator[Doors]:
    """All of it, with an app that behaves until it is told otherwise; the trap must be empty afterwards."""
    all_doors.app.behaves()
    all_doors.app.requests.clear()
    yield all_doors
    assert [] == all_doors.trap.visits


def disguised(of: Doors) -> list[str]:
    """The addresses of the table, for the ports of this run."""
    return [trap.format(port=of.trap.port, app=of.app.url.removeprefix("http://")) for trap in TRAPS]


def user() -> str:
    """Somebody who has connected nothing yet."""
    return f"user {next(_users)}"


def test_the_trap_would_tell(all_doors: Doors) -> None:
    """A visit to the trap is noticed, by either family of addresses."""
    for address in ("127.0.0.1", "[::1]"):
        with pytest.raises(httpx.HTTPError), httpx.Client(trust_env=False) as visitor:
            visitor.get(f"http://{address}:{all_doors.trap.port}")
    assert 2 == len(all_doors.trap.visits)
    all_doors.trap.visits.clear()


def test_a_server_address_given_by_a_user(behind: Doors) -> None:
    """Whatever way of signing in: the test call, the token endpoint and the login call go nowhere."""
    for number, address in enumerate(disguised(behind)):
        for way in WAYS if number % 4 == 0 else ("key",):
            assert "connected" != behind.connect(user(), way, address), (way, address)
    # Of `oauth`, whose provider is fixed: the token, and its revocation, since nothing came of the attempt.
    assert all(each.startswith(("POST /token", "POST /revoke")) for each in behind.app.requests)
    assert [] == [each for each in behind.app.requests if KEY in each]


def test_a_free_form_request(behind: Doors) -> None:
    """A passthrough URL is refused before anything is sent, the one of the app itself in disguise included."""
    for address in [*disguised(behind), behind.app.url.replace("127.0.0.1", "127.1")]:
        answer = behind.call("key", "passthrough-request", method="GET", url=f"{address}/read")
        assert 400 == answer.status_code, (address, answer.text)
        assert answer.json()["error_details"][0]["code"] in ("host_not_allowed", "format"), answer.text

    assert [] == behind.app.requests


def test_a_redirect_of_a_call(behind: Doors) -> None:
    """The redirect of a read is what it is answered; a change is told as carried out. Neither is followed there."""
    for address in disguised(behind):
        behind.app.redirects("/read", f"{address}/there")
        read = behind.call("key", "read").json()
        free = behind.call("key", "passthrough-request", method="GET", url="/read").json()
        behind.app.redirects("/change/1", f"{address}/there", status=303)
        change = behind.call("key", "change", part="1").json()

        assert ["302", "302", "303"] == [each["network_code"] for each in (read, free, change)], address


@pytest.mark.parametrize("number", [0, 8])
def test_a_redirect_while_connecting_and_leaving(behind: Doors, number: int) -> None:
    """The test call, the token endpoint, the login call and the revocation follow to no other place."""
    location = f"{disguised(behind)[number]}/there"
    for way, path in WAYS.items():
        for status in (302, 303):
            behind.app.redirects(path, location, status)
            assert "connected" != behind.connect(user(), way, behind.app.url)
    behind.app.behaves()
    leaving = user()
    assert "connected" == behind.connect(leaving, "oauth", behind.app.url)
    behind.app.redirects("/revoke", location, 303)
    behind.app.requests.clear()
    with behind.running.api(leaving) as api:
        assert 204 == api.delete("/apps/doors/connected_accounts").status_code
    assert any("/revoke" in each for each in behind.app.requests)


def test_an_answer_without_end(behind: Doors) -> None:
    """Bytes are counted unpacked, through every door; the service takes no more than its limits, and goes on."""
    behind.app.sends_a_bomb("/read")
    answer = behind.call("key", "read").json()
    assert ("502", "too_large") == (answer["network_code"], answer["output"]["error"])
    assert str(LIMIT_BYTES) in answer["output"]["reason"]
    behind.app.sends_a_bomb("/read", after=5)
    assert "timed_out" == behind.call("key", "read").json()["output"]["error"]
    for way, path in WAYS.items():
        behind.app.sends_a_bomb(path)
        assert "connected" != behind.connect(user(), way, behind.app.url)
    behind.app.behaves()
    assert "200" == behind.call("key", "read").json()["network_code"]


# The last but one become CR and LF where the upper byte is cut off.
BREAKS = ["\r\n", "\n", "\r", "\x00", "\r\n\r\nGET /injected HTTP/1.1\r\n", "\u2028", "\u010d\u010a", "\ud800"]


@pytest.mark.parametrize("value", [f"a{each}X-Injected: yes" for each in BREAKS])
def test_nothing_breaks_out_of_a_header_or_a_path(behind: Doors, value: str) -> None:
    """Line breaks, controls and their look-alikes are refused or sent encoded; never another header or request."""
    for function, name in (("read", "note"), ("change", "part")):
        answer = behind.call("key", function, **{name: value})
        assert answer.status_code in (200, 400), answer.text
    behind.call("key", "passthrough-request", method="GET", url=f"/read?{value}")
    behind.call("key", "passthrough-request", method=f"GET{value}", url="/read")
    for request in behind.app.requests:
        assert "\nx-injected" not in request.lower()
        assert "/injected" not in request.partition("\n")[0].partition("?")[0] or "%" in request
    assert len(behind.app.requests) <= 3
