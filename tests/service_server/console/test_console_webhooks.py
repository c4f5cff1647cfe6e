"""Webhook endpoints in the console: made, tried, rotated, disabled and removed; what was delivered is shown."""

import asyncio
import re

import pytest

from tests.service_server.console.operator_browser import OperatorBrowser, hidden, shown
from tests.service_server.processes import RunningService
from tests.service_server.waiting import until
from tests.service_server.webhooks.receiver import Receiver

LIST = "/console/webhooks"


def application_of(page: str) -> str:
    """The number of the first application that can be chosen."""
    found = re.search(r'<option value="(\d+)"', page)
    assert found is not None, page
    return found.group(1)


def create(operator: OperatorBrowser, url: str, **fields: str) -> tuple[str, str]:
    """Create an endpoint; the path of its page, and its secret."""
    page = operator.page(LIST)
    answer = operator.submit(page, LIST, url=url, application=application_of(page), **fields)
    assert answer.status_code == 200, answer.text
    path = re.search(rf'href="({LIST}/whe_\w+)"', answer.text)
    return path.group(1), shown(answer.text, "webhook-secret")


def do(operator: OperatorBrowser, path: str, act: str) -> str:
    """Press a button of an endpoint's page; the page after it."""
    answer = operator.submit(operator.page(path), f"{path}/{act}")
    assert answer.status_code == 303, answer.text
    return operator.page(answer.headers["location"])


async def test_an_endpoint_from_its_beginning_to_its_end(
    operator: OperatorBrowser, console_service: RunningService, receiver: Receiver
) -> None:
    """The secret is shown once and signs; every button does what it says."""
    path, secret = await asyncio.to_thread(create, operator, receiver.url, **{"event.account.connected": "on"})
    assert secret not in operator.page(path)
    assert "<code>account.connected</code>" in operator.page(path)
    await asyncio.to_thread(do, operator, path, "test")
    delivered = ">Delivered</span>"  # which a page shows when it is loaded again
    wait_until = console_service.program.wait_until
    page = await asyncio.to_thread(wait_until, lambda: (delivered in (page := operator.page(path)) and page) or None)
    again = await asyncio.to_thread(operator.submit, page, f"{path}/resend")
    await until(lambda: 2 == len(receiver.accepted))
    rotated = operator.submit(operator.page(path), f"{path}/rotate")
    new = shown(rotated.text, "webhook-secret")
    assert "Two secrets are live" in operator.page(path)
    assert "The old secret was retired" in do(operator, path, "retire")
    assert "Nothing is sent here" in do(operator, path, "disable")
    assert "The endpoint is enabled" in do(operator, path, "enable")
    await asyncio.to_thread(do, operator, path, "test")
    await until(lambda: 3 == len(receiver.accepted))
    assert "The endpoint was removed" in do(operator, path, "remove")

    assert 303 == again.status_code
    assert [receiver.received[0].id] * 2 == [each.id for each in receiver.received[:2]]
    assert [True, True, False] == [each.is_signed_with(secret) for each in receiver.received]
    assert receiver.received[2].is_signed_with(new)
    assert 404 == operator.get(path).status_code


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://hooks.example.com/", "begins with https://"),
        ("https://localhost:8443/", "an address that is not public"),
        ("https://user@hooks.example.com/", "The URL can&#39;t be used"),
        ("https://hooks.example.com/#part", "has no fragment"),
        ("https://hooks.example.com/" + "a" * 2048, "2,048 characters at most"),
    ],
)
def test_a_wrong_address_is_not_taken(operator: OperatorBrowser, url: str, problem: str) -> None:
    """What is wrong is said, what was typed is kept, nothing is created."""
    page = operator.page(LIST)
    answer = operator.submit(page, LIST, url=url, application=application_of(page))

    assert 422 == answer.status_code
    assert problem in answer.text
    assert url[:2000] in answer.text
    assert page.count('scope="row"') == operator.page(LIST).count('scope="row"')


def test_what_the_pages_do_not_offer_is_refused(operator: OperatorBrowser) -> None:
    """Other acts, foreign deliveries, an old secret that is none, addresses that the console did not make."""
    path, _ = create(operator, "https://hooks.example.com/")
    given = {"token": hidden(operator.page(path), "token")}

    assert 404 == operator.http.post(f"{path}/explode", data=given).status_code
    for act, fields in (("resend", {"delivery": "1"}), ("resend", {"delivery": "x"}), ("retire", {"fingerprint": "x"})):
        assert 422 == operator.http.post(f"{path}/{act}", data=given | fields).status_code
    assert 400 == operator.get(f"{path}?state=lost").status_code
    assert 400 == operator.get(f"{path}?before=-1").status_code
    assert 404 == operator.get(f"{LIST}/whe_nobody").status_code
    assert 422 == operator.http.post(LIST, data=given | {"application": "", "url": "https://a.example"}).status_code
    do(operator, path, "remove")
