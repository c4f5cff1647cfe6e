"""Builds the requests of a connector's functions as the service would, without an account."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

from attrs import evolve

from service_server.catalog.given_files import GivenFile
from service_server.catalog.pagination import AddressPaging, CursorPaging, NumberPaging, Pagination
from service_server.catalog.prior_requests import PriorRequest
from service_server.catalog.requests import Request
from service_server.catalog.values import Connector, FunctionDefinition, RequestBuilder
from service_server.onward.values import OnwardRequest
from tests.connectors.arguments import every_argument
from tests.service_server.shipped import shipped_catalog


def connector_of(app: str) -> Connector:
    """A shipped connector; `test_shipped_connectors` checks its files."""
    return shipped_catalog().connectors[app]


def context_of(connector: Connector, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call of the app would build its request from."""
    variables = {
        name: variable.default or variable.example or "https://app.example.com"
        for name, variable in connector.variables.items()
    }
    return {"args": dict(arguments), "vars": variables}


async def _content() -> AsyncIterator[bytes]:
    yield b"content"


_FILE = GivenFile("a.txt", "text/plain", len(b"content"), _content)


def _whole(request: OnwardRequest) -> OnwardRequest:
    """The request with its body in memory, as long as it says."""
    if request.streamed is None:
        return request
    streamed = request.streamed

    async def read() -> bytes:
        return b"".join([chunk async for chunk in streamed.chunks()])

    with asyncio.Runner() as runner:
        body = runner.run(read())
    assert streamed.length == len(body)
    return evolve(request, body=body, streamed=None)


def _files(function: FunctionDefinition, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: [_FILE] if isinstance(arguments[name], list) else _FILE for name in function.files if name in arguments
    }


def _prior(function: FunctionDefinition) -> tuple[PriorRequest, ...]:
    return function.before if function.look_up is None else (function.look_up,)


_PIPELINES = [
    {"id": "default", "displayOrder": 1, "stages": [{"id": "s2", "displayOrder": 2}, {"id": "s1", "displayOrder": 0}]},
    {"id": "own", "displayOrder": 2, "stages": [{"id": "s3", "displayOrder": 0}]},
]
_FROM = {"metadata": {"source": {"type": "CONTACT", "id": "c1"}}}
_CONTACT = {
    "names": [{"givenName": "Ada", "familyName": "Lovelace", "displayName": "Ada Lovelace", **_FROM}],
    "organizations": [{"name": "Engines", "title": "Analyst", **_FROM}, {"name": "Royal Society", **_FROM}],
    "emailAddresses": [{"value": "ada@example.com", "type": "work", **_FROM}],
    "phoneNumbers": [{"value": "555 0100", **_FROM}, {"value": "1", "metadata": {"source": {"type": "PROFILE"}}}],
}
_CANDIDATE = {
    "emails": [{"value": "ada@example.com", "type": "work"}],
    "phones": [{"value": "555 0100", "type": "home"}],
    "tags": ["old", "b"],
}
_PERSON = {
    "emails": [{"value": "ada@example.com", "label": "work", "primary": True}],
    "phones": [{"value": "555 0100", "label": "work", "primary": True}],
}
_INVITED = (
    {"version": "1"},
    {"version": "1", "guests": [{"email": "ada@example.com", "organizer": True}, {"email": "i@x.org", "self": True}]},
)
_COMING = {
    "version": "1",
    "guests": [
        {"email": "i@x.org", "organizer": True, "self": True, "responseStatus": "accepted"},
        {"email": "Ada@x.org", "responseStatus": "accepted"},
        {"email": "bob@x.org", "optional": True, "responseStatus": "declined"},
        {"email": "room@x.org", "resource": True, "responseStatus": "accepted"},
    ],
}
_TIMES = {
    "starts": "2026-10-19T09:00:00+02:00",  # in a week the clocks will have changed
    "ends": "2026-10-19T10:30:00+02:00",
    "time_zone": "Europe/Berlin",
}
_IN_UTC = {"starts": "2026-10-19T07:00:00.0000000", "ends": "2026-10-19T08:30:00.0000000"}
_BERLIN_TIME = "W. Europe Standard Time"
_THERE = {
    "time_zone": _BERLIN_TIME,
    "starts_there": "2026-10-19T09:00:00.0000000",
    "ends_there": "2026-10-19T10:30:00.0000000",
}
_MIDNIGHTS = {"starts": "2026-12-24T00:00:00.0000000", "ends": "2026-12-25T00:00:00.0000000", "takes_whole_days": True}
_DAYS = {"first_day": "2026-12-24", "day_after": "2026-12-25"}
_REFUNDED = 410  # an order of which nothing is left to give back
_PAID = {
    "": {"paid": 1250, "currency": "USD", "refunded": None},
    "part": {"paid": 1250, "currency": "USD", "refunded": 250},
    "all": {"paid": 1250, "currency": "USD", "refunded": 1250},
}
_UNTOLD = 404  # of whom the app doesn't tell what there is


_LETTER_HEADERS = [{"name": "Subject", "value": "Lease"}, {"name": "From", "value": "Ada <ada@example.com>"}]
_LETTER = urlsafe_b64encode(
    b"Subject: Lease\r\nContent-Type: text/plain;\r\n charset=iso-8859-1\r\nX-Mailer: m\r\n\r\nGr\xfc\xdfe\r\n"
).decode()
_BERLIN, _ULM = ({"name": name, "location": {"id": f"a{number}"}} for name, number in (("Berlin", 1), ("Ulm", 2)))
_WAITING = [
    {"id": "gid://shopify/FulfillmentOrder/1", "status": "OPEN", "assignedLocation": _BERLIN},
    {"id": "gid://shopify/FulfillmentOrder/2", "status": "CLOSED", "assignedLocation": _ULM},
]
_AWAY = {"id": "gid://shopify/FulfillmentOrder/3", "status": "IN_PROGRESS", "assignedLocation": _ULM}


def _money(amount: str) -> dict[str, Any]:
    return {"amountSet": {"presentmentMoney": {"amount": amount}}}


_BOUGHT = {
    "currency": "EUR",
    "payments": [
        {"gateway": "gift_card", "parentTransaction": {"id": "gid://shopify/OrderTransaction/1"}, **_money("10.0")},
        {"gateway": "bank", "parentTransaction": None, **_money("20.5")},
    ],
    "items": [
        {
            "quantity": 2,
            "restockType": "RETURN",
            "lineItem": {"id": "gid://shopify/LineItem/1"},
            "location": {"id": "gid://shopify/Location/9"},
        }
    ],
    "shipping": "4.9",
}


def _stock(location: str) -> dict[str, Any]:
    there = {"quantities": [{"name": "available", "quantity": 13}]}
    return {"item": "gid://shopify/InventoryItem/1", **({} if location == "elsewhere" else there)}


def _sheets(title: str) -> dict[str, Any]:
    there = [{"properties": {"sheetId": 4, "title": "Other"}}, {"properties": {"sheetId": 7, "title": title}}]
    return {"sheets": there if title != "gone" else there[:1]}


def _refs(*names: str) -> list[dict[str, str]]:
    return [{"name": f"refs/heads/{name}", "objectId": f"{name}'s"} for name in names]


# What requests before a function's own one give, where its hook looks for the arguments in that.
_GIVEN: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "activecampaign-remove-from-automation": lambda given: {
        "automations": [
            {"id": "1", "automation": given["automation"], "contact": given["contact"]},
            {"id": "2", "automation": given["automation"], "contact": "999"},
        ]
    },
    "activecampaign-untag-contact": lambda given: {"tags": [{"id": "1", "tag": given["tag"]}]},
    "azure_devops-update-work-item": lambda _: {"version": 3, "tags": "old; b"},
    "azure_devops-create-branch": lambda _: {"refs": _refs("release", "main-2", "main", "develop")},
    "azure_devops-delete-branch": lambda _: {"refs": _refs("fix-login-2", "fix-login", "release/1.0")},
    "bitbucket-update-pull-request": lambda _: {
        "title": "Fix",
        "description": "Typos",
        "draft": False,
        "reviewers": [{"uuid": "{a}", "display_name": "Ada"}, {"uuid": "{b}"}],
    },
    "dynamics_365-assign-record": lambda given: {"set": f"{given['table']}s", "is_activity": given["table"] == "task"},
    "freshdesk-update-ticket": lambda _: {"tags": ["old", "b"]},
    "gmail-forward-message": lambda _: {"headers": _LETTER_HEADERS, "raw": _LETTER},
    "gitlab-update-issue": lambda _: {"assignees": [{"id": 1, "name": "Ada"}, {"id": 2}]},
    "gitlab-update-merge-request": lambda _: {"assignees": [{"id": 1, "name": "Ada"}], "reviewers": [{"id": 2}]},
    "google_calendar-accept-event": lambda given: _INVITED[given["event_id"] != "own"],
    "google_calendar-create-event": lambda _: {"time_zone": "Europe/Berlin"},
    "google_calendar-postpone-event": lambda given: _DAYS if given["event_id"] == "days" else _TIMES,
    "google_calendar-reschedule-event": lambda given: _DAYS if given["event_id"] == "days" else _TIMES,
    "google_calendar-update-event": lambda _: _COMING,
    "google_calendar-decline-event": lambda given: _INVITED[given["event_id"] != "own"],
    "google_sheets-delete-column": lambda given: _sheets(given["sheet"]),
    "google_sheets-sort-rows": lambda given: _sheets(given["sheet"]),
    "greenhouse-move-application": lambda _: {"stage": 5},
    "google_contacts-update-contact": lambda _: {"found": [{"person": {"etag": "%a", **_CONTACT}}]},
    "google_forms-add-choice-question": lambda _: {"items": [{"itemId": "a"}, {"itemId": "b"}]},
    "greenhouse-update-candidate": lambda given: {} if given["candidate"] == _UNTOLD else _CANDIDATE,
    "hubspot-create-deal": lambda _: {"pipelines": _PIPELINES},
    "hubspot-create-ticket": lambda _: {"pipelines": _PIPELINES},
    "microsoft_365-create-event": lambda _: {"time_zone": _BERLIN_TIME},
    "microsoft_365-postpone-event": lambda given: {
        **_IN_UTC,
        **_THERE,
        **(_MIDNIGHTS if given["event_id"] == "days" else {}),
    },
    "microsoft_365-reschedule-event": lambda given: {**_IN_UTC, "takes_whole_days": given["event_id"] == "days"},
    "microsoft_365-update-event": lambda _: {
        "guests": [
            {"emailAddress": {"address": "old@x.org"}, "type": "required"},
            {"emailAddress": {"address": "may@x.org"}, "type": "optional"},
            {"emailAddress": {"address": "room@x.org"}, "type": "resource"},
        ]
    },
    "microsoft_365-update-message": lambda _: {"categories": ["Old", "B"]},
    "pipedrive-update-activity": lambda _: {
        "participants": [{"person_id": 5, "primary": True}, {"person_id": 9, "primary": False}]
    },
    "pipedrive-update-person": lambda given: {} if given["person_id"] == _UNTOLD else _PERSON,
    "quickbooks-pay-bill": lambda given: {"vendor": "70", "owed": 0 if given["bill_id"] == "paid" else 85.5},
    "quickbooks-update-customer": lambda _: {
        "version": "1",
        "address": {"Id": "94", "Line1": "Old Road 1", "City": "Bath", "Lat": "51.38", "Long": "-2.36"},
    },
    "review_board-update-draft": lambda _: {
        "people": [{"href": "https://reviews.example.com/api/users/ada/", "method": "GET", "title": "ada"}],
        "groups": [{"href": "https://reviews.example.com/api/groups/web/", "method": "GET", "title": "web"}],
        "bugs": ["7"],
    },
    "shopify-adjust-stock": lambda given: _stock(given["location_id"]),
    "shopify-fulfill-order": lambda given: {
        "parts": _WAITING if given["order_id"] != "several" else [*_WAITING, _AWAY]
    },
    "shopify-refund-order": lambda _: _BOUGHT,
    "shopify-set-stock": lambda given: _stock(given["location_id"]),
    "slack-add-to-user-group": lambda _: {"people": ["U1", "U2"]},
    "slack-remove-from-user-group": lambda _: {"people": ["U1", "U2"]},
    "square-cancel-invoice": lambda _: {"version": 3},
    "square-publish-invoice": lambda _: {"version": 3},
    "square-refund-payment": lambda given: _PAID.get(given["payment_id"], _PAID[""]),
    "stripe-change-subscription": lambda given: {
        "items": [{"id": "si_1"}, {"id": "si_2"}][: 2 if given["subscription"] == "several" else 1]
    },
    "trello-update-card": lambda _: {"labels": ["l1"], "members": ["m1"]},
    "woocommerce-refund-order": lambda given: {
        "total": "10.00" if given["order_id"] == _REFUNDED else "29.35",
        "refunds": [{"id": 1, "reason": "", "total": "-10.00"}],
    },
    "woocommerce-update-product": lambda _: {"categories": [{"id": 1, "name": "Old", "slug": "old"}, {"id": 2}]},
    "wordpress-update-post": lambda _: {"categories": [1, 2], "tags": [3]},
    "zendesk-update-ticket": lambda _: {"tags": ["old", "b"], "seen": "2026-11-20T09:00:00Z"},
    "xero-set-quote-status": lambda _: {"contact": "c", "date": "2026-11-24T00:00:00"},
}


def _gave(connector: Connector, function: FunctionDefinition, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What requests before a function's own one may have given; a whole address is one of the app's."""
    if function.name in _GIVEN:
        return _GIVEN[function.name](arguments)
    requests = [prior.request for prior in _prior(function)] + [function.request]
    addresses = {_address(each) for each in requests}
    # What an answer may lack is lacking.
    names = [name for prior in _prior(function) for name, path in prior.gives.items() if not path.endswith("?")]
    address = f"https://{(connector.allow_hosts or ('app.example.com',))[0]}/given"
    return {name: address if name in addresses else "1" for name in names}


def _address(request: RequestBuilder) -> str | None:
    """What stands for the address that a request goes to, where the app gives it; no description knows that one."""
    return request.address.keys[0] if isinstance(request, Request) and request.address else None


def arguments_of(function: FunctionDefinition) -> list[dict[str, Any]]:
    """Return the arguments to try a function with: those of its examples, and every argument at once."""
    everything = every_argument(function)
    tried = [*(arguments for _, arguments in function.examples), everything]
    if function.instead is None:
        return tried
    return [*tried, {name: value for name, value in everything.items() if name != function.instead.given}]


def request_of(connector: Connector, function: FunctionDefinition, arguments: Mapping[str, Any]) -> OnwardRequest:
    """Build the request for the first page; raise `InvalidRequest` for arguments that make none."""
    context = context_of(connector, arguments)
    function = function.given(arguments)
    context["args"] |= _files(function, arguments)
    gave = _gave(connector, function, arguments)
    context |= {"lookup": gave, "before": gave}
    request = _whole(function.request.build(connector.base_url(context), context))
    return request if function.pagination is None else function.pagination.apply(request, None)


def prior_requests_of(
    connector: Connector, function: FunctionDefinition, arguments: Mapping[str, Any]
) -> Iterator[OnwardRequest]:
    """Yield the requests that come before a function's own one, but for those to an address that the app gives."""
    context = context_of(connector, arguments)
    context["args"] |= _files(function, arguments)
    context["before"] = _gave(connector, function, arguments)
    for prior in _prior(function):
        if _address(prior.request) is None:
            yield _whole(prior.request.build(connector.base_url(context), context))


def connection_test_of(connector: Connector) -> OnwardRequest | None:
    """Build the call that tests a connection, None for an app that has none."""
    if connector.test is None:
        return None
    context = {**context_of(connector, {}), "creds": {}, "token": {}}
    return connector.test.build(connector.base_url(context), context)


def requests_of(connector: Connector, function: FunctionDefinition) -> Iterator[OnwardRequest]:
    """Yield the requests of a function; of a list also one for a later page, unless the app gives its whole URL."""
    for arguments in arguments_of(function):
        request = request_of(connector, function, arguments)
        yield from prior_requests_of(connector, function.given(arguments), arguments)
        if _address(function.given(arguments).request) is None:
            yield request
        pagination = function.given(arguments).pagination
        if pagination is not None and not isinstance(pagination, AddressPaging):
            yield pagination.apply(request, 2 if _is_number(pagination) else "2")


def _is_number(pagination: Pagination) -> bool:
    """Whether a later page is asked for by a number; a cursor is one where the app calls it an offset in a body."""
    if isinstance(pagination, CursorPaging):
        return (pagination.send, str(pagination.next)) == ("body.offset", "body.offset")
    return isinstance(pagination, NumberPaging)
