"""What functions of shipped connectors send, where it takes more than a case: what was asked before, signing in."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest

from service_server.catalog.auth import ClientCredentials, OAuth2Code
from service_server.catalog.hooks import InvalidRequest
from service_server.catalog.load import SHIPPED
from service_server.oauth.authorization import authorization_request
from service_server.oauth.token_request import client_credentials_request
from tests.connectors.building import connector_of, prior_requests_of
from tests.connectors.descriptions.sent import Sent
from tests.connectors.functions import body, function_of, path, prepared, prior, query, query_in, request


def test_what_is_known_only_in_part() -> None:
    """Only unread messages end their filter so; the usual fields of an employee begin with the name."""
    assert query("microsoft_365-list-messages", folder="inbox", only_unread=True)["$filter"].endswith("isRead eq false")
    assert query("bamboohr-get-employee", employee="1")["fields"].startswith("displayName,")


def test_envelopes_of_the_last_days() -> None:
    """DocuSign insists on a day since when; it is that of 30 days ago where nobody says."""
    told = date.fromisoformat(query("docusign-list-envelopes")["from_date"])

    assert 29 <= (date.today() - told).days <= 31  # the day may end meanwhile, and differ between zones
    assert "2026-11-01" == query("docusign-list-envelopes", from_date="2026-11-01")["from_date"]


def test_days_that_nobody_says() -> None:
    """Quotes and balances are of today, payments and recordings of 30 days; a task is due in three working days."""
    today, now = date.today(), datetime.now(UTC)
    quoted = body("xero-create-quote", contact_id="c", lines=[{"Description": "Lamp"}])["Quotes"][0]["Date"]
    adjusted = body("bamboohr-adjust-time-off-balance", employee="1", type=78, amount=1)["date"]
    listed, recorded = query("paypal-list-transactions"), query("zoom-list-recordings")
    first, last = (date.fromisoformat(recorded[name]) for name in ("from", "to"))
    due = datetime.fromisoformat(body("hubspot-create-task", subject="Call")["properties"]["hs_timestamp"])

    assert all(abs((date.fromisoformat(day) - today).days) <= 1 for day in (quoted, adjusted))
    assert abs(datetime.fromisoformat(listed["end_date"]) - now) < timedelta(days=1)
    assert timedelta(days=30) == datetime.fromisoformat(listed["end_date"]) - datetime.fromisoformat(
        listed["start_date"]
    )
    assert timedelta(days=30) == last - first
    assert 0 <= (last - today).days <= 2
    assert timedelta(days=2) < due - now < timedelta(days=6)
    assert due.isoweekday() <= 5


@pytest.mark.parametrize(
    ("app", "given", "drive"),
    [("onedrive", {}, "/v1.0/me/drive"), ("sharepoint", {"library": "b1"}, "/v1.0/drives/b1")],
)
def test_files_are_listed_or_searched(app: str, given: dict[str, Any], drive: str) -> None:
    """A folder is listed, the top one if nobody says; a search goes elsewhere, and an apostrophe can't end its text."""
    assert f"{drive}/items/root/children" == path(f"{app}-list-files", **given)
    assert f"{drive}/items/f1/children" == path(f"{app}-list-folders", folder="f1", **given)
    assert f"{drive}/items/f1/search(q='Ann''s'') or (''')" == path(
        f"{app}-list-files", search="Ann's') or ('", folder="f1", **given
    )


@pytest.mark.parametrize(("given", "text"), [({}, ".xlsx"), ({"search": "Ann's"}, "Ann''s")])
def test_workbooks_are_found_as_files(given: dict[str, Any], text: str) -> None:
    """All workbooks are found by their extension."""
    assert f"/v1.0/me/drive/items/root/search(q='{text}')" == path("excel-list-workbooks", **given)


def test_headers() -> None:
    """Azure DevOps takes changes as a list of operations; each request to Xero names the organisation it is for."""
    headers = request("azure_devops-update-work-item", work_item=42, title="T").headers
    assert "application/json-patch+json" == {name.lower(): value for name, value in headers}["content-type"]
    assert "xero-tenant-id" in {name.lower() for name, _ in request("xero-list-contacts").headers}


def test_what_was_found_before_is_sent() -> None:
    """An application is moved from where it is, a table is asked for the name of its set."""
    assert {"ids": "7"} == query_in(prior("greenhouse-move-application", application=7).url)
    assert {"from_stage_id": 5} == body("greenhouse-move-application", application=7)
    assert 5 == body("greenhouse-move-application", application=7, stage=5)["to_stage_id"]
    asked = prior("dynamics_365-delete-record", table="opportunity", record="475b158c-541c-e511-80d3-3863bb347ba8")
    assert unquote(asked.url).endswith("/EntityDefinitions(LogicalName='opportunity')?$select=EntitySetName")


def test_long_texts_go_to_notion_in_pieces() -> None:
    """Notion takes 2,000 characters in one piece of a comment or of a property."""
    text = "a" * 2_000 + "b"
    pieces = ["a" * 2_000, "b"]
    comment = body("notion-create-comment", page="p", text=text)
    notes = body("notion-update-page", page="p", properties={"rich_text:Notes": text})["properties"]["Notes"]

    assert pieces == [each["text"]["content"] for each in comment["rich_text"]]
    assert pieces == [each["text"]["content"] for each in notes["rich_text"]]


def test_slack_learns_what_an_image_shows() -> None:
    """Slack calls it alt_txt, whatever its client for Node says."""
    asked, *_ = prior_requests_of(
        connector_of("slack"),
        function_of("slack-upload-file"),
        {"file": "https://example.com/a.png", "channel": "C1", "alternative_text": "A cat"},
    )

    assert "A cat" == Sent.of(asked).body["alt_txt"]


def test_what_a_contact_does_not_have_is_not_taken_away() -> None:
    """Of two runs of an automation it is the contact's last; where there is none, nothing is sent."""
    runs = [{"id": each, "automation": "7", "contact": whose} for each, whose in (("9", "1"), ("10", "1"), ("11", "2"))]
    given = {"automation": "7", "contact": "1"}

    assert {"id": "10"} == prepared("activecampaign-remove-from-automation", given, {"automations": runs})
    with pytest.raises(InvalidRequest, match="the contact doesn't have it"):
        prepared("activecampaign-untag-contact", {"tag": "8"}, {"tags": []})


def test_what_is_to_do_in_asana_is_not_done() -> None:
    """Asana gives what is done, too, unless it is told to leave out what was done before now."""
    now = datetime.now(UTC).replace(microsecond=0)

    assert now <= datetime.fromisoformat(prepared("asana-list-assigned-tasks", {})["since"])
    assert {} == prepared("asana-list-assigned-tasks", {"done": True})


@pytest.mark.parametrize(
    ("name", "parameter", "expected"),
    [
        ("azure_devops-update-pull-request", "pull_request", {"status": "all"}),  # an abandoned one can be opened again
        ("calendly-book-meeting", "event_type", {"active": True}),
        ("calendly-cancel-meeting", "event_id", {"status": "active", "sort": "start_time:desc"}),
        ("calendly-mark-no-show", "invitee", {"status": "active"}),
        ("clickup-update-task", "task", {"include_closed": True, "order_by": "updated"}),
        ("confluence-create-page", "space", {"status": "current"}),
        ("discord-create-channel", "parent_id", {"type": 4}),
        ("docusign-void-envelope", "envelope_id", {"order_by": "last_modified", "order": "desc"}),
        ("gitlab-create-issue", "milestone_id", {"state": "active"}),
        ("gitlab-create-issue", "project", {"archived": False}),
        ("gmail-untrash-thread", "thread_id", {"trashed": True}),
        ("greenhouse-reject-application", "application", {"status": "active"}),
        ("greenhouse-schedule-interview", "interviewers", {"deactivated": False}),
        ("greenhouse-unreject-application", "application", {"status": "rejected"}),
        ("jira-release-version", "version", {"status": "unreleased"}),
        ("mailchimp-send-campaign", "campaign_id", {"status": "save", "sort_dir": "DESC"}),
        ("pipedrive-update-deal", "deal_id", {"sort_by": "update_time", "sort_direction": "desc"}),
    ],
)
def test_choices_are_what_can_be_chosen(name: str, parameter: str, expected: dict[str, Any]) -> None:
    """What is archived, over or of another kind is offered only where the app would take it."""
    source = function_of(name).fields[parameter].source

    assert source is not None
    assert expected.items() <= source.arguments.items()


def test_a_change_demands_no_other_field() -> None:
    """Whoever changes one field of a record needn't fill in what the app requires of new ones."""
    demanding = {
        f"{file.parent.parent.name}-{file.stem}"
        for file in SHIPPED.glob("*/functions/update-*.yaml")
        if re.search(r"^ +required: \w|\{function: .*required: ", file.read_text("utf-8"), re.MULTILINE)
    }

    assert set() == demanding


def test_choices_of_events_begin_yesterday() -> None:
    """Google lists events by their start, the oldest first; nobody looks for those of ten years ago."""
    earliest = datetime.fromisoformat(prepared("google_calendar-list-events", {"upcoming": True})["time_min"])

    assert timedelta(hours=23) < datetime.now(UTC) - earliest < timedelta(hours=25)
    assert {} == prepared("google_calendar-list-events", {})


@pytest.mark.parametrize("name", ["reply-to-conversation", "close-conversation", "assign-conversation"])
def test_a_teammate_of_intercom_is_oneself(name: str) -> None:
    """Intercom wants to know who does it, and hardly anybody says "I"."""
    assert {"admin_id": "7"} == prepared(f"intercom-{name}", {}, {"me": "7"})
    assert {"admin_id": "8"} == prepared(f"intercom-{name}", {"admin_id": "8"}, {"me": "7"})


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        (
            "append-to-page",
            {"content": "Two <oars>\n\nand a\nsail"},
            {"version": 8, "title": "Ideas", "content": "<p>A boat</p><p>Two &lt;oars&gt;</p><p>and a<br />sail</p>"},
        ),
        ("update-page", {"content": "<p>None</p>"}, {"version": 8, "title": "Ideas", "content": "<p>None</p>"}),
        (
            "update-page",
            {"content": "None", "title": "Plans"},
            {"version": 8, "title": "Plans", "content": "<p>None</p>"},
        ),
    ],
)
def test_a_page_of_confluence_follows_what_is_there(
    name: str, arguments: dict[str, str], expected: dict[str, Any]
) -> None:
    """The version is the next one, under the same title, and a text comes to those that are there."""
    found = {"version": 7, "title": "Ideas", "content": "<p>A boat</p>"}

    assert expected == prepared(f"confluence-{name}", arguments, found)


@pytest.mark.parametrize(
    ("app", "guest", "added"),
    [
        (
            "google_calendar",
            lambda address: {"email": address, "responseStatus": "accepted"},
            {"email": "bob@example.com"},
        ),
        (
            "microsoft_365",
            lambda address: {"emailAddress": {"address": address}, "type": "optional"},
            {"emailAddress": {"address": "bob@example.com"}, "type": "required"},
        ),
    ],
)
def test_guests_come_and_go(app: str, guest: Any, added: dict[str, Any]) -> None:
    """Those who are invited stay as they are, with their answers; nobody is invited twice, whatever the case."""
    invited = {"guests": [guest("Ada@example.com"), guest("grace@example.com")]}

    def guests(function: str, addresses: list[str], there: dict[str, Any]) -> Any:
        return prepared(f"{app}-{function}", {"guests": addresses}, there)["attendees"]

    both = ["ada@example.com", "bob@example.com"]
    assert [*invited["guests"], added] == guests("add-guests", both, invited)
    assert added in guests("add-guests", both, {})
    assert [guest("grace@example.com")] == guests("remove-guests", ["ada@example.com"], invited)
    assert [] == guests("remove-guests", ["ada@example.com"], {})


def test_names_that_requests_make_up() -> None:
    """The same event has the same video call; two refunds, and two interviews, are two, unless a name is given."""
    event = {"calendar_id": "primary", "start": "2026-12-01T10:00:00Z", "end": "2026-12-01T11:00:00Z"}
    interview = {"application": 1, "interview": 2, "interviewers": [3, 4], "starts_at": event["start"]}
    interview["ends_at"] = event["end"]

    def call(**more: Any) -> Any:
        made = body("google_calendar-create-event-with-video-call", **{**event, "summary": "Plan", **more})
        return made["conferenceData"]["createRequest"]["requestId"]

    def planned(**more: Any) -> Any:
        return body("greenhouse-schedule-interview", **interview, **more)

    assert call() == call() != call(summary="Other")
    assert "mine" == call(request_id="mine")
    refunds = [body("square-refund-payment", payment_id="p1", amount=5, currency="USD") for _ in range(2)]
    assert refunds[0]["idempotency_key"] != refunds[1]["idempotency_key"]
    assert planned()["external_event_id"] != planned()["external_event_id"]
    assert "cal-1" == planned(calendar_event="cal-1")["external_event_id"]
    assert [(3, "needs_action"), (4, "needs_action")] == [
        (each["user_id"], each["response_status"]) for each in planned()["interviewers"]
    ]


def test_people_sign_in_to_dynamics_for_their_own_organization() -> None:
    """Microsoft gives tokens for one environment, which the scope names; a service's token is asked for likewise."""
    variables = {"organization": "acme.crm4", "tenant": "7f0bd6b1"}
    person, service = connector_of("dynamics_365").auth
    assert isinstance(person, OAuth2Code)
    assert isinstance(service, ClientCredentials)
    page = authorization_request(person, {"vars": variables}, "id", "https://service.test/oauth/callback")
    asked = client_credentials_request(service, {"vars": variables, "creds": {"client_id": "a", "client_secret": "b"}})

    assert "offline_access https://acme.crm4.dynamics.com/user_impersonation" == query_in(page.url)["scope"]
    assert b"scope=https%3A%2F%2Facme.crm4.dynamics.com%2F.default" in asked.body
    assert "https://login.microsoftonline.com/7f0bd6b1/oauth2/v2.0/token" == asked.url


def test_tokens_of_greenhouse_act_for_the_user() -> None:
    """Greenhouse writes changes to the user whose number the account was connected with."""
    (way,) = connector_of("greenhouse").auth
    assert isinstance(way, ClientCredentials)
    context = {"creds": {"client_id": "a", "client_secret": "b"}, "vars": {"user": "4012345"}}

    assert b"grant_type=client_credentials&sub=4012345" == client_credentials_request(way, context).body


def test_what_is_private_is_never_logged() -> None:
    """Fields of employees (addresses, dates of birth, pay) and reasons of time off are sensitive."""
    functions = connector_of("bamboohr").functions

    assert {
        "bamboohr-create-employee": {"fields"},
        "bamboohr-update-employee": {"fields"},
        "bamboohr-add-table-row": {"fields"},
        "bamboohr-request-time-off": {"note"},
    } == {name: function.sensitive for name, function in functions.items() if function.sensitive}


@pytest.mark.parametrize(
    ("function", "field", "narrowed"),
    [
        ("mailchimp-send-campaign", "campaign_id", {"status": "save"}),
        ("mailchimp-schedule-campaign", "campaign_id", {"status": "save"}),
        ("mailchimp-set-campaign-content", "campaign_id", {"status": "save"}),
        ("mailchimp-unschedule-campaign", "campaign_id", {"status": "schedule"}),
        ("mailchimp-get-campaign-report", "campaign_id", {"status": "sent"}),
        ("gitlab-approve-merge-request", "merge_request", {"state": "opened"}),
        ("gitlab-merge-merge-request", "merge_request", {"state": "opened"}),
        ("gitlab-unapprove-merge-request", "merge_request", {"state": "opened"}),
        ("paypal-activate-subscription", "subscription_id", {"status": "SUSPENDED"}),
        ("paypal-send-invoice", "invoice_id", {"status": "DRAFT"}),
        ("square-create-invoice", "order_id", {"state": "OPEN"}),
        ("stripe-change-subscription", "price", {"active": True, "type": "recurring"}),
        ("stripe-create-payment-link", "price", {"active": True}),
        ("stripe-create-subscription", "price", {"active": True, "type": "recurring"}),
        ("trello-archive-board", "board", {"filter": "open"}),
        ("trello-create-list", "board", {"filter": "open"}),
        ("webflow-fulfill-order", "order", {"status": "unfulfilled"}),
        ("whatsapp-send-template", "template", {"status": "APPROVED"}),
        ("wordpress-update-post", "post_id", {"status": "any"}),
    ],
)
def test_choices_are_in_the_state_for_it(function: str, field: str, narrowed: dict[str, Any]) -> None:
    """What is over, or not there yet, can't be chosen by its name for what it can't do."""
    source = function_of(function).fields[field].source

    assert source is not None
    assert narrowed.items() <= source.arguments.items()


@pytest.mark.parametrize(
    ("function", "field"),
    [
        ("mailchimp-update-member", "merge_fields"),
        ("sandbox-update-ticket", "fields"),
        ("sharepoint-update-item", "fields"),
        ("zoho_crm-update-record", "fields"),
    ],
)
def test_a_change_needs_none_of_the_fields(function: str, field: str) -> None:
    """Whoever changes one field needn't fill in again what something new has to have."""
    fields = function_of(function).fields[field].dynamic_fields

    assert fields is not None
    assert fields.required is None


@pytest.mark.parametrize(
    ("function", "scopes"),
    [
        ("square-cancel-booking", {"APPOINTMENTS_ALL_READ", "APPOINTMENTS_ALL_WRITE"}),
        ("square-list-bookings", {"APPOINTMENTS_ALL_READ"}),
        ("xero-create-item", {"accounting.settings"}),
    ],
)
def test_scopes_reach_far_enough(function: str, scopes: set[str]) -> None:
    """Square tells of others' bookings, and Xero takes items, by scopes that go beyond those of their kind."""
    assert scopes <= {scope for alternatives in function_of(function).scopes for scope in alternatives}
