"""
Every way out of the running service leads only where it may: calls, free-form requests, sign-ins, test calls, leaving.

A trap listens on this machine beside the one app that the operator allows. Each disguise of an address that leads to
the trap (or into a private network) is tried through each door, given by a user or by the app in a redirect.
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
    "http://LOCALHOST:{port}",
    "http://localhost.:{port}",
    "http://127.0.0.1.:{port}",
    "http://127.1:{port}",
    "http://127.0.1:{port}",
    "http://2130706433:{port}",
    "http://017700000001:{port}",
    "http://0177.0.0.1:{port}",
    "http://0x7f.1:{port}",
    "http://0x7f000001:{port}",
    "http://0:{port}",
    "http://0.0.0.0:{port}",
    "http://127.255.255.254:{port}",
    "http://[::]:{port}",
    "http://[::1]:{port}",
    "http://[0:0:0:0:0:0:0:1]:{port}",
    "http://[::1%25lo]:{port}",
    "http://[::ffff:127.0.0.1]:{port}",
    "http://[::ffff:7f00:1]:{port}",
    "http://[::127.0.0.1]:{port}",
    "http://[64:ff9b::7f00:1]:{port}",
    "http://[64:ff9b:1::7f00:1]:{port}",
    "http://[2002:7f00:1::]:{port}",
    "http://①②⑦.0.0.1:{port}",
    "http://127。0。0。1:{port}",
    "http://ⓛocalhost:{port}",
    "http://%6c%6f%63alhost:{port}",
    "http://127.0.0.1%2f:{port}",
    "http://user:password@127.0.0.1:{port}",
    "http://{app}@127.0.0.1:{port}",
    "http://{app}\\@127.0.0.1:{port}",
    "http://127.0.0.1:{port}\\@{app}",
    "http:\\\\127.0.0.1:{port}",
    "http:/\t/127.0.0.1:{port}",
    "//127.0.0.1:{port}",
)
FORBIDDEN = (
    "http://169.254.169.254",
    "http://[fd00:ec2::254]",
    "http://100.100.100.200",
    "http://168.63.129.16",
    "http://10.0.0.1",
    "http://172.16.0.1",
    "http://192.168.0.1",
    "https://[fe80::1]",
    "https://[::ffff:a9fe:a9fe]",
    "https://2852039166",
    "https://0xa9.0xfe.0xa9.0xfe",
    "ftp://127.0.0.1:{port}",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}",
    "http://127.0.0.1:0",
    "http://127.0.0.1:{port}{port}",
    "http://",
)
REDIRECTS = (*TRAPS[:6:2], *TRAPS[14:20:2], *TRAPS[30:], FORBIDDEN[0], *FORBIDDEN[11:13])
FEW_REDIRECTS = REDIRECTS[::4]
WAYS = ("service", "login", "oauth")  # beside `key`
_users = itertools.count()


@pytest.fixture(scope="module")
def all_doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """The service, the app and the trap; a user for each way of signing in has connected it."""
    with doors(tmp_path_factory.mktemp("doors")) as running:
        for way in ("key", *WAYS):
            assert "connected" == running.connect(way, way, running.app.url)
        yield running


@pytest.fixture
def behind(all_doors: Doors) -> Iterator[Doors]:
    """All of it, with an app that behaves until it is told otherwise; the trap must be empty afterwards."""
    all_doors.app.behaves()
    all_doors.app.requests.clear()
    yield all_doors
    assert [] == all_doors.trap.visits


def disguised(address: str, of: Doors) -> str:
    """An address as it stands in the table, for the ports of this run."""
    return address.format(port=of.trap.port, app=of.app.url.removeprefix("http://"))


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
    for number, address in enumerate([*TRAPS, *FORBIDDEN]):
        for way in ("key", *WAYS) if number % 9 == 0 else ("key",):
            assert "connected" != behind.connect(user(), way, disguised(address, behind)), (way, address)
    # Of `oauth`, whose provider is fixed: the token, and its revocation, since nothing came of the attempt.
    assert all(each.startswith(("POST /token", "POST /revoke")) for each in behind.app.requests)
    assert [] == [each for each in behind.app.requests if KEY in each]


def test_a_free_form_request(behind: Doors) -> None:
    """A passthrough URL is refused before anything is sent, the one of the app itself in disguise included."""
    for address in [*TRAPS, *FORBIDDEN]:
        url = f"{disguised(address, behind)}/read"
        answer = behind.call("key", "passthrough-request", method="GET", url=url)
        assert 400 == answer.status_code, (address, answer.text)
        assert answer.json()["error_details"][0]["code"] in ("host_not_allowed", "format", "enum"), answer.text

    assert [] == behind.app.requests


def test_a_redirect_of_a_call(behind: Doors) -> None:
    """The redirect of a read is what it is answered; a change is told as carried out. Neither is followed there."""
    for address in REDIRECTS:
        location = f"{disguised(address, behind)}/there"
        behind.app.redirects("/read", location)
        read = behind.call("key", "read")
        free = behind.call("key", "passthrough-request", method="GET", url="/read")
        behind.app.redirects("/change/1", location, status=303)
        change = behind.call("key", "change", part="1")

        for answer in (read, free):
            assert answer.status_code == 200, answer.text
            assert answer.json()["network_code"] in ("302", "502", "200"), address
        assert "303" == change.json()["network_code"] or "/there" in behind.app.requests[-1], address


@pytest.mark.parametrize("address", FEW_REDIRECTS)
def test_a_redirect_while_connecting_and_leaving(behind: Doors, address: str) -> None:
    """The test call, the token endpoint, the login call and the revocation follow to no other place."""
    location = f"{disguised(address, behind)}/there"
    for path, way in (("/me", "key"), ("/token", "service"), ("/token", "oauth"), ("/login", "login")):
        for status in (302, 303):
            behind.app.redirects(path, location, status)
            behind.connect(user(), way, behind.app.url)
    behind.app.behaves()
    leaving = user()
    assert "connected" == behind.connect(leaving, "oauth", behind.app.url)
    behind.app.redirects("/revoke", location, 307)
    with behind.running.api(leaving) as api:
        assert 204 == api.delete("/apps/doors/connected_accounts").status_code
    assert any("/revoke" in each for each in behind.app.requests)


def test_a_loop_of_redirects_ends(behind: Doors) -> None:
    """Going round in circles is told as an answer that never came."""
    behind.app.redirects("/read", "/read")
    answer = behind.call("key", "read")

    assert "502" == answer.json()["network_code"]
    assert len(behind.app.requests) < 10
    behind.app.redirects("/me", "/me")
    assert "connected" != behind.connect(user(), "key", behind.app.url)


@pytest.mark.parametrize("body", ["bomb", "endless"])
def test_an_answer_without_end(behind: Doors, body: str) -> None:
    """Bytes are counted unpacked, through every door; the service takes no more than its limit, and goes on."""
    behind.app.sends("/read", body)
    answer = behind.call("key", "read")

    assert ("502", "too_large") == (answer.json()["network_code"], answer.json()["output"]["error"])
    assert str(LIMIT_BYTES) in answer.json()["output"]["reason"]
    for path, way in (("/me", "key"), ("/token", "service"), ("/token", "oauth"), ("/login", "login")):
        behind.app.sends(path, body)
        assert "connected" != behind.connect(user(), way, behind.app.url)
    behind.app.behaves()
    assert "200" == behind.call("key", "read").json()["network_code"]


def test_an_answer_that_drips(behind: Doors) -> None:
    """A byte now and then does not keep a call open beyond its time."""
    behind.app.sends("/read", "drip")
    answer = behind.call("key", "read")

    assert ("504", "timed_out") == (answer.json()["network_code"], answer.json()["output"]["error"])


@pytest.mark.parametrize(
    "value",
    [
        "a\r\nX-Injected: yes",
        "a\nX-Injected: yes",
        "a\rX-Injected: yes",
        "a\x00b",
        "a\x0bb",
        "a\r\n\r\nGET /injected HTTP/1.1\r\nHost: x",
        "a\u2028X-Injected: yes",
        "a\u010d\u010aX-Injected: yes",  # become CR and LF where the upper byte is cut off
        "a\ud800",
    ],
)
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
