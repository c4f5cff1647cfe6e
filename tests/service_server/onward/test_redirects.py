"""Redirects: which are followed, with what, and where they may lead."""

import pytest

from service_server.onward.redirect import following_request
from service_server.onward.values import Interrupted, OnwardRequest, OnwardResponse
from tests.service_server.onward.scripted import Connection, Fetch, Script, Serve, always

INSIDE = "[::1]:{port} 0x7f.1:{port} 2130706433:{port} localhost:{port} 127.0.0.1:{port} 169.254.169.254/latest"
ELSEWHERE = """
    https://evil.test/ //evil.test/ http:\\\\evil.test http://127.0.0.1:{own}@evil.test/ ftp://127.0.0.1/
    file:///etc/passwd javascript:alert(1)
"""


def _redirecting(status: int, location: str) -> Script:
    """A script that redirects every request for `/` and answers all others."""

    async def script(connection: Connection) -> None:
        while True:
            request = await connection.read_request()
            if b" / HTTP" in request:
                await connection.answer(f"{status} Elsewhere", b"moved", f"Location: {location}\r\n")
            else:
                await connection.answer(body=b"there")

    return script


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_reads_follow_redirects(serve: Serve, fetch: Fetch, status: int) -> None:
    """A GET follows every kind of redirect within the app's hosts, with its headers."""
    server = await serve(_redirecting(status, "/there"))
    response = await fetch(server, headers=(("Authorization", "Bearer secret"),))

    assert (200, b"there", server.url("/there")) == (response.status, response.body, response.url)
    assert b"Bearer secret" in server.requests[1]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_changes_are_never_sent_to_another_url(serve: Serve, fetch: Fetch, status: int) -> None:
    """A POST that is redirected goes out once; its caller gets the redirect as the app's answer."""
    server = await serve(_redirecting(status, "/there"))
    response = await fetch(server, "POST", body=b"x")

    assert (status, b"moved", 1) == (response.status, response.body, len(server.requests))


async def test_see_other_after_a_change_becomes_a_get(serve: Serve, fetch: Fetch) -> None:
    """A 303 after a POST fetches the result by a GET without the body."""
    server = await serve(_redirecting(303, "/there"))
    headers = (("Content-Type", "text/plain"), ("X-Key", "secret"))
    response = await fetch(server, "POST", body=b"payload", headers=headers)
    following = server.requests[1]

    assert b"there" == response.body
    assert following.startswith(b"GET /there ")
    assert b"X-Key: secret" in following
    assert not any(each in following.lower() for each in (b"payload", b"content-type"))


@pytest.mark.parametrize("location", [*(f"http://{host}/" for host in INSIDE.split()), *ELSEWHERE.split()])
async def test_redirects_out_of_the_rules_are_the_answer(serve: Serve, fetch: Fetch, location: str) -> None:
    """A redirect to another host, another port or a private address is relayed, and nothing is connected there."""
    inner = await serve()
    outer = await serve(lambda connection: script(connection))
    script = _redirecting(302, location.format(port=inner.port, own=outer.port))
    response = await fetch(outer, allow_hosts=(f"127.0.0.1:{outer.port}",))

    assert (302, b"moved") == (response.status, response.body)
    assert (1, 0) == (len(outer.requests), inner.connections)


async def test_redirect_to_a_private_address_within_the_rules_is_the_answer(serve: Serve, fetch: Fetch) -> None:
    """A host that the app's rules allow is still not reached when a redirect leads to it and its address is private."""
    inner = await serve()
    outer = await serve(_redirecting(302, f"http://inner.test:{inner.port}/"))
    allowed = f"127.0.0.1:{outer.port}"
    rules = [allowed, f"inner.test:{inner.port}"]
    response = await fetch(outer, rules=rules, lookup=always("127.0.0.1"), allow_hosts=(allowed,))

    assert (302, b"moved", 0) == (response.status, response.body, inner.connections)


async def test_credentials_stay_with_the_first_server(serve: Serve, fetch: Fetch) -> None:
    """To another server, though allowed, only harmless headers go: no credential, marked as one or not."""
    other = await serve()
    first = await serve(_redirecting(302, f"http://127.0.0.1:{other.port}/file"))
    secrets = tuple((name, "s3cret") for name in ("Authorization", "X-Api-Key", "Cookie", "Accept"))
    headers = (*secrets, ("Accept-Language", "de"))
    rules = [f"127.0.0.1:{first.port}", f"127.0.0.1:{other.port}"]
    response = await fetch(first, headers=headers, rules=rules, secret_headers={"accept"})

    assert 200 == response.status
    assert b"s3cret" in first.requests[0]
    assert b"s3cret" not in other.requests[0]
    assert b"Accept-Language: de" in other.requests[0]
    assert b"referer" not in other.requests[0].lower()


async def test_redirect_loop_ends(serve: Serve, fetch: Fetch) -> None:
    """A loop of redirects ends after the limit with a clear reason."""
    server = await serve(_redirecting(302, "/"))

    with pytest.raises(Interrupted, match="redirected more than 3 times"):
        await fetch(server, max_redirects=3)
    assert 4 == len(server.requests)


@pytest.mark.parametrize("location", ["http://evil.test/", "http://127.0.0.1:1/there", "http://no-such-host.test/"])
@pytest.mark.parametrize(("method", "status"), [("GET", 302), ("POST", 303)])
async def test_what_is_redirected_nowhere_was_sent(
    serve: Serve, fetch: Fetch, location: str, method: str, status: int
) -> None:
    """When the redirect leads to a forbidden or dead host, it is the app's answer: a POST was carried out."""
    server = await serve(_redirecting(status, location))
    rules = [f"127.0.0.1:{server.port}", "127.0.0.1:1", "no-such-host.test:80"]
    response = await fetch(server, method, rules=rules)

    assert (status, b"moved") == (response.status, response.body)


async def test_silence_behind_a_redirect(serve: Serve, fetch: Fetch) -> None:
    """A read that was led on got no answer; a change got one, the redirect that says it was carried out."""

    async def redirect_and_hang_up(connection: Connection) -> None:
        if b" / HTTP" in await connection.read_request():
            await connection.answer("303 Elsewhere", b"done", "Location: /there\r\n")

    server = await serve(redirect_and_hang_up)
    with pytest.raises(Interrupted) as interrupted:
        await fetch(server)
    response = await fetch(server, "POST")

    assert "broken_off" == interrupted.value.kind
    assert (303, b"done") == (response.status, response.body)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (302, {"location": "http://a.test:8080/"}),  # no step down to plain http
        (304, {}),
        (300, {"location": "/b"}),
        (302, {}),
        (200, {"location": "/b"}),
    ],
)
def test_no_step_down_to_plain_http(status: int, headers: dict[str, str]) -> None:
    """Whatever the host rules say; and an answer that isn't a redirect with a place to go is the answer."""
    response = OnwardResponse(status, headers, b"", "https://a.test/")

    assert following_request(OnwardRequest("GET", "https://a.test/"), response, ()) is None


def test_fragment_is_not_sent() -> None:
    """The fragment of a redirect stays here, its path and query go out."""
    response = OnwardResponse(302, {"location": "../c?d=e#f"}, b"", "https://a.test/a/b/x")
    following = following_request(OnwardRequest("GET", "https://a.test/a/b/x"), response, ())

    assert "https://a.test/a/c?d=e" == following.url
