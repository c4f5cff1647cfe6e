"""Functions that take and give files, against a running app: what it gets is what the user gave, and only that."""

import base64
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from service_server.invoke.take_files import name_in
from tests.service_server.calls.log_and_errors import code_of
from tests.service_server.depot import CONTENT, LIMIT, NAME, DepotWorld, Received

pytestmark = pytest.mark.slow


@pytest.fixture
def api(depot: DepotWorld, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The API as a user of the test's own, who has connected the app; it behaves well."""
    depot.reset()
    with depot.connected(request.node.name) as api:
        yield api


def _body(name: str, received: Received) -> bytes:
    """The file in what the app received."""
    if name == "raw":
        assert ([NAME], "image/png") == (
            parse_qs(urlsplit(received.path).query)["name"],
            received.headers["content-type"],
        )
        return received.body
    if name == "json":
        inner = json.loads(received.body)["a"]
        assert len(CONTENT) == inner["size"]
        return base64.b64decode(inner["content"], validate=True)
    if name == "mail":
        assert "message/rfc822" == received.headers["content-type"]
        head, _, rest = received.body.partition(b"\r\n\r\n")
        text = rest.removesuffix(b"-- \r\n")
        assert f"Subject: {NAME}".encode() == head
        assert {76} == {len(line) for line in text.split(b"\r\n")[:-2]}
        return base64.b64decode(text)
    boundary = received.headers["content-type"].partition("boundary=")[2].encode()
    parts = dict(part.strip(b"\r\n").split(b"\r\n\r\n", 1) for part in received.body.split(b"--" + boundary)[1:-1])
    shown = NAME.replace('"', "%22").encode()
    head = b'Content-Disposition: form-data; name="part"; filename="' + shown + b'"\r\nContent-Type: image/png'
    assert b"A" == parts[b'Content-Disposition: form-data; name="title"']
    return parts[head]


@pytest.mark.parametrize("name", ["raw", "form", "json", "mail"])
def test_a_file_arrives_whole(depot: DepotWorld, api: httpx.Client, name: str) -> None:
    """However the app wants it, it gets the content with its length, name and media type; the log has its id alone."""
    kept = depot.upload(api)
    answer = api.post(f"/functions/depot-{name}", json={"file": kept})
    (received,) = depot.app.received

    assert (200, "200") == (answer.status_code, answer.json()["network_code"])
    assert len(received.body) == int(received.headers["content-length"])
    assert "transfer-encoding" not in received.headers
    assert CONTENT == _body(name, received)


def test_a_large_answer_to_a_file(depot: DepotWorld, api: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the app answers is read as ever, however much it is."""
    monkeypatch.setattr(depot.app, "answer", json.dumps(["x" * 1000] * 1000).encode())
    answer = api.post("/functions/depot-raw", json={"file": depot.upload(api)}).json()

    assert ("200", 1000) == (answer["network_code"], len(answer["output"]))


def test_several_files(depot: DepotWorld, api: httpx.Client) -> None:
    """A list of files arrives in its order; an empty file is one, too."""
    kept = [depot.upload(api, b"first"), depot.upload(api, b""), depot.upload(api, b"third")]
    api.post("/functions/depot-several", json={"files": kept}).raise_for_status()

    texts = json.loads(depot.app.received[0].body)["all"]
    assert [b"first", b"", b"third"] == [base64.b64decode(text) for text in texts]


def test_what_names_no_file(depot: DepotWorld, api: httpx.Client) -> None:
    """What is gone, another user's, too large, somewhere inside or no file at all is refused, and nothing is sent."""
    with depot.running.api("somebody else") as other:
        foreign = depot.upload(other)
    gone = depot.upload(api)
    api.delete(f"/files/{gone}")
    inside = depot.app.url.replace("http:", "https:")
    hosts = ("127.0.0.1/content", "169.254.169.254/latest/meta-data", "[::1]/", "localhost/", "user@example.com/")
    refused = {
        "unknown_file": [foreign, gone, "file_0123456789012345678901"],
        "format": ["report.pdf", "http://example.com/a.pdf"],
        "host_not_allowed": [f"{inside}/content", *(f"https://{host}" for host in hosts)],
    }
    for code, value in [(code, value) for code, values in refused.items() for value in values]:
        answer = api.post("/functions/depot-raw", json={"file": value})
        assert (400, code, "file") == code_of(answer), value
        assert "fix_field" == answer.json()["error_details"][0]["action"]
    answer = api.post("/functions/depot-several", json={"files": [depot.upload(api, b"x"), foreign]})
    assert "files[1]" == answer.json()["error_details"][0]["field"]
    assert [] == depot.app.received


def test_the_same_key_sends_it_once(depot: DepotWorld, api: httpx.Client) -> None:
    """A repeat is answered from what is kept, even when the file is gone by then; another file is another call."""
    kept, other = depot.upload(api), depot.upload(api)
    key = {"Idempotency-Key": "once"}
    first = api.post("/functions/depot-raw", json={"file": kept}, headers=key)
    api.delete(f"/files/{kept}")
    again = api.post("/functions/depot-raw", json={"file": kept}, headers=key)
    conflict = api.post("/functions/depot-raw", json={"file": other}, headers=key)

    assert first.json() == again.json()
    assert ("true", 409) == (again.headers["idempotency-replayed"], conflict.status_code)
    assert 1 == len(depot.app.received)


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="Report.pdf"', "Report.pdf"),
        ("attachment; filename=Report May.pdf; size=5", "Report May.pdf"),
        ('attachment; filename="The \\"May\\" report.pdf"', 'The "May" report.pdf'),
        ('attachment; filename="a; filename=b.pdf"', "a; filename=b.pdf"),
        ('attachment; filename="C:\\Files\\b.pdf"', "C:\\Files\\b.pdf"),
        ("attachment ; FileName = a.pdf", "a.pdf"),
        ("inline; filename=\"e.txt\"; filename*=UTF-8''%E2%82%AC.txt", "€.txt"),
        ("inline; filename*=iso-8859-1'en'%A3%20rates.txt", "£ rates.txt"),
        ("inline; filename*=koi8-r''%C1.txt; filename=a.txt", "a.txt"),
        ('attachment; filename=""', "other"),
        ("attachment; filename", "other"),
        ("form-data; name=x.txt", "other"),
        ("", "other"),
    ],
)
def test_the_name_that_an_app_gives(disposition: str, name: str) -> None:
    """It is read as the standard has it, and as apps write it all the same; else the file has another name."""
    assert name == name_in(disposition, "other")


def got(api: httpx.Client, function: str = "get", **arguments: Any) -> dict[str, Any]:
    """What a function that gives a file is answered."""
    return api.post(f"/functions/depot-{function}", json=arguments).json()


def test_a_function_gives_a_file(depot: DepotWorld, api: httpx.Client) -> None:
    """The answer is kept for the user, who loads it; asked for otherwise it is relayed as ever."""
    depot.app.sent_headers |= {"Content-Disposition": "inline; filename*=UTF-8''B%C3%BCro.png; filename=\"x.png\""}
    output = got(api, as_file=True)["output"]
    relayed = got(api, name="a")["output"]
    depot.app.sent_headers = {"Content-Type": "text/plain"}
    named = got(api, as_file=True, name="notes.txt")["output"]

    assert ("Büro.png", "image/png", len(CONTENT)) == (output["name"], output["media_type"], output["size"])
    assert CONTENT == api.get(f"/files/{output['id']}").content
    assert ("notes.txt", "text/plain") == (named["name"], named["media_type"])
    assert base64.b64encode(CONTENT).decode() == relayed["base64"]
    with depot.running.api("somebody else") as other:
        assert 404 == other.get(f"/files/{output['id']}").status_code


def test_a_file_that_stands_in_json(depot: DepotWorld, api: httpx.Client) -> None:
    """It is kept as the file it is, of the kind that its name tells; JSON without one is told, and keeps nothing."""
    depot.app.sent_headers = {"Content-Type": "application/json"}
    depot.app.given = json.dumps({"size": len(CONTENT), "data": base64.urlsafe_b64encode(CONTENT).decode()}).encode()
    output = got(api, "attached", as_file=True, name="plan.pdf")["output"]
    unnamed = got(api, "attached", as_file=True)["output"]
    depot.app.given = b'{"size": 0}'
    missing = got(api, "attached", as_file=True)
    depot.app.given = json.dumps({"data": base64.b64encode(bytes(LIMIT + 1)).decode()}).encode()
    large = got(api, "attached", as_file=True)

    assert ("plan.pdf", "application/pdf", len(CONTENT)) == (output["name"], output["media_type"], output["size"])
    assert CONTENT == api.get(f"/files/{output['id']}").content
    assert "application/octet-stream" == unnamed["media_type"]
    assert ["502", "502"] == [each["network_code"] for each in (missing, large)]
    assert ["broken_off", "too_large"] == [each["output"]["error"] for each in (missing, large)]


def test_a_function_gives_no_file(depot: DepotWorld, api: httpx.Client) -> None:
    """What the app answers to a request that failed is relayed; a file that is too large is told."""
    depot.app.status, depot.app.given = 404, b'{"error": "no such file"}'
    depot.app.sent_headers = {"Content-Type": "application/json"}
    missing = got(api, as_file=True)
    depot.app.status, depot.app.given = 200, bytes(LIMIT + 1)
    large = got(api, as_file=True)

    assert ("404", {"error": "no such file"}) == (missing["network_code"], missing["output"])
    assert ("502", "too_large") == (large["network_code"], large["output"]["error"])
    assert str(LIMIT) in large["output"]["reason"]
