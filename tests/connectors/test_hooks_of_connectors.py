"""What the hooks of shipped connectors make of arguments and of answers."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest, reshaped
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(app: str, function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of(app)
    return request_of(connector, connector.functions[f"{app}-{function}"], arguments)


def body(app: str, function: str, **arguments: Any) -> Any:
    """Build the request that a function makes, and return its body."""
    return json.loads(request(app, function, **arguments).body)


def query(app: str, function: str, **arguments: Any) -> dict[str, list[str]]:
    """Build the request that a function makes, and return its query."""
    return parse_qs(urlsplit(request(app, function, **arguments).url).query)


def read(app: str, function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    reshape = connector_of(app).functions[f"{app}-{function}"].reshape
    assert reshape is not None
    return reshaped(reshape, answer)


def gmail_message(function: str, **arguments: Any) -> EmailMessage:
    """Return the e-mail that a function of Gmail would send."""
    sent = body("gmail", function, **arguments)
    raw = sent.get("message", sent)["raw"]
    message = message_from_bytes(urlsafe_b64decode(raw), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(message: EmailMessage, kind: str) -> str:
    """Return the text of an e-mail in one of its forms."""
    part = message.get_body((kind,))
    assert part is not None
    content: str = part.get_content()
    return content.replace("\r\n", "\n")


LETTER = {"to": ["ada@example.com", "bob@example.com"], "subject": "Grüße 🎉", "text": "Hello\nthere ü"}


@pytest.mark.parametrize("function", ["send-message", "create-draft"])
def test_gmail_writes_messages(function: str) -> None:
    """An e-mail has its recipients, its subject and its text as they were given, whatever their letters."""
    message = gmail_message(function, **LETTER, cc=["eve@example.com"])

    assert "ada@example.com, bob@example.com" == message["To"]
    assert "eve@example.com" == message["Cc"]
    assert "Grüße 🎉" == message["Subject"]
    assert "Hello\nthere ü\n" == text_of(message, "plain")
    assert message["Bcc"] is None


def test_gmail_writes_html_beside_the_text() -> None:
    """HTML stands beside the plain text; mail programs show one of them."""
    message = gmail_message("send-message", **LETTER, html="<p>Hello ü</p>")

    assert "multipart/alternative" == message.get_content_type()
    assert "Hello\nthere ü\n" == text_of(message, "plain")
    assert "<p>Hello ü</p>\n" == text_of(message, "html")


def test_gmail_keeps_answers_in_their_conversation() -> None:
    """An answer names the message that it answers, and its conversation."""
    arguments = {**LETTER, "thread_id": "t1", "in_reply_to": "<a1@mail.example.com>"}
    message = gmail_message("reply-to-message", **arguments)

    assert "<a1@mail.example.com>" == message["In-Reply-To"] == message["References"]
    assert "t1" == body("gmail", "reply-to-message", **arguments)["threadId"]


@pytest.mark.parametrize("field", ["subject", "sender"])
def test_gmail_headers_stay_on_their_line(field: str) -> None:
    """A line end in a header's value, which would begin another header, is refused at its field."""
    with pytest.raises(InvalidRequest) as problem:
        request("gmail", "send-message", **{**LETTER, field: "Hello\r\nBcc: everybody@example.com"})

    assert field == problem.value.field


def encoded(text: str) -> str:
    """Write a text as Gmail does: base64url without the signs at its end."""
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


GMAIL_ANSWER = {
    "id": "m1",
    "threadId": "t1",
    "labelIds": ["INBOX"],
    "snippet": "Hello",
    "payload": {
        "mimeType": "multipart/mixed",
        "headers": [
            {"name": "Subject", "value": "Grüße"},
            {"name": "From", "value": "=?utf-8?q?Ad=C3=A4?= <ada@example.com>"},
            {"name": "Message-Id", "value": "<a1@mail.example.com>"},
        ],
        "parts": [
            {
                "mimeType": "multipart/alternative",
                "parts": [
                    {"mimeType": "text/plain", "body": {"data": encoded("Hello ü")}},
                    {"mimeType": "text/html", "body": {"data": encoded("<p>Hello ü</p>")}},
                ],
            },
            {"mimeType": "text/plain", "filename": "notes.txt", "body": {"attachmentId": "a1", "size": 7}},
        ],
    },
}


def test_gmail_reads_messages() -> None:
    """Of a message people get the headers they know, its texts decoded, and what is attached."""
    message = read("gmail", "get-message", GMAIL_ANSWER)

    assert ("m1", "t1", "Grüße", "Adä <ada@example.com>") == tuple(
        message[key] for key in ("id", "threadId", "subject", "from")
    )
    assert ("Hello ü", "<p>Hello ü</p>") == (message["text"], message["html"])
    assert "<a1@mail.example.com>" == message["message_id_header"]
    assert [{"filename": "notes.txt", "mimeType": "text/plain", "size": 7, "attachmentId": "a1"}] == message[
        "attachments"
    ]


def test_gmail_reads_conversations() -> None:
    """Each message of a conversation is read as a single one is."""
    thread = read("gmail", "get-thread", {"id": "t1", "messages": [GMAIL_ANSWER]})

    assert "t1" == thread["id"]
    assert [read("gmail", "get-message", GMAIL_ANSWER)] == thread["messages"]


@pytest.mark.parametrize("answer", [{}, {"payload": {}}, {"payload": {"body": {"size": 0}}}])
def test_gmail_reads_messages_without_content(answer: dict[str, Any]) -> None:
    """A message that has no text or no headers is read as far as it goes."""
    message = read("gmail", "get-message", answer)

    assert (None, None, []) == (message["text"], message["subject"], message["attachments"])


def test_calendar_guests() -> None:
    """Guests who needn't come are marked; without any the list isn't sent, so that an update keeps those there are."""
    change = {"calendar_id": "primary", "event_id": "e1"}
    guests = {"attendees": ["ada@example.com"], "optional_attendees": ["bob@example.com"]}

    assert [{"email": "ada@example.com"}, {"email": "bob@example.com", "optional": True}] == body(
        "google_calendar", "update-event", **change, **guests
    )["attendees"]
    assert {"summary": "Lunch"} == body("google_calendar", "update-event", **change, summary="Lunch")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "trashed = false"),
        ({"trashed": True}, "trashed = true"),
        ({"name": "it's \\ here"}, r"trashed = false and name contains 'it\'s \\ here'"),
        ({"text": "a", "kind": "pdf"}, "trashed = false and fullText contains 'a' and mimeType = 'application/pdf'"),
        ({"kind": "image"}, "trashed = false and mimeType contains 'image/'"),
        (
            {"modified_after": "2026-11-01T00:00:00Z"},
            "trashed = false and modifiedTime > '2026-11-01T00:00:00Z'",
        ),
    ],
)
def test_drive_queries(arguments: dict[str, Any], expected: str) -> None:
    """Only what is asked for becomes a condition, and a quote ends no text."""
    assert [expected] == query("google_drive", "list-files", **arguments)["q"]


def test_drive_looks_into_one_shared_drive() -> None:
    """Where a shared drive is named, only it is looked into; the two parameters come together or not at all."""
    sent = query("google_drive", "list-files", drive_id="d1")

    assert (["d1"], ["drive"]) == (sent["driveId"], sent["corpora"])
    assert "corpora" not in query("google_drive", "list-files")


def test_sheets_names_are_quoted() -> None:
    """A quote in the name of a spreadsheet ends no text."""
    assert query("google_sheets", "list-spreadsheets", name="it's")["q"][0].endswith(r" and name contains 'it\'s'")
    assert "name" not in query("google_sheets", "list-spreadsheets")["q"][0]


def test_contacts_are_lists_of_objects() -> None:
    """Of a new contact only what is given is written."""
    assert {"names": [{"givenName": "Ada"}]} == body("google_contacts", "create-contact", given_name="Ada")
    assert {
        "names": [{"givenName": "Ada", "familyName": "King"}],
        "organizations": [{"name": "Engines", "title": "Analyst"}],
        "biographies": [{"value": "Wrote the first program."}],
    } == body(
        "google_contacts",
        "create-contact",
        given_name="Ada",
        family_name="King",
        company="Engines",
        job_title="Analyst",
        note="Wrote the first program.",
    )


def test_contacts_change_only_what_is_given() -> None:
    """The fields that change are named, and the id loses its prefix; a change of nothing is refused."""
    arguments = {"resource_name": "people/c1", "etag": "%x"}
    sent = request("google_contacts", "update-contact", **arguments, note="x", given_name="Ada")

    assert "/people/c1:updateContact" == urlsplit(sent.url).path.removeprefix("/v1")
    assert ["biographies,names"] == parse_qs(urlsplit(sent.url).query)["updatePersonFields"]
    assert {"etag": "%x", "names": [{"givenName": "Ada"}], "biographies": [{"value": "x"}]} == json.loads(sent.body)
    with pytest.raises(InvalidRequest):
        request("google_contacts", "update-contact", **arguments)


@pytest.mark.parametrize(
    ("moment", "seconds"), [("2026-12-01T09:00:00Z", 1796115600), ("2026-12-01T10:00:00+01:00", 1796115600)]
)
def test_slack_counts_seconds(moment: str, seconds: int) -> None:
    """A moment is sent to Slack in seconds since 1970, whatever its offset."""
    message = {"channel": "C1", "text": "x"}

    assert seconds == body("slack", "schedule-message", **message, post_at=moment)["post_at"]
    assert [str(seconds)] == query("slack", "list-messages", channel="C1", since=moment)["oldest"]
    assert {"oldest", "latest"}.isdisjoint(query("slack", "list-messages", channel="C1"))
    assert 0 == body("slack", "set-status", status_text="x")["profile"]["status_expiration"]


def test_slack_joins_people() -> None:
    """People are invited in one text."""
    assert "U1,U2" == body("slack", "invite-to-channel", channel="C1", users=["U1", "U2"])["users"]


def test_outlook_writes_messages() -> None:
    """An e-mail has its recipients as objects, and nothing that wasn't given."""
    sent = body("microsoft_365", "send-message", to=["ada@example.com"], subject="Hello", body="x", importance="high")

    assert {
        "Message": {
            "subject": "Hello",
            "body": {"contentType": "text", "content": "x"},
            "toRecipients": [{"emailAddress": {"address": "ada@example.com"}}],
            "importance": "high",
        }
    } == sent


@pytest.mark.parametrize(
    ("function", "start", "expected"),
    [
        ("create-event", "2026-12-01T10:30:00+01:00", "2026-12-01T09:30:00"),
        ("create-event", "2026-12-01t10:30:00.5z", "2026-12-01T10:30:00"),
        ("create-all-day-event", "2026-12-24", "2026-12-24T00:00:00"),
    ],
)
def test_outlook_times_are_in_utc(function: str, start: str, expected: str) -> None:
    """Times are written in UTC without an offset; a day is its beginning."""
    sent = body("microsoft_365", function, subject="x", start=start, end=start)

    assert {"dateTime": expected, "timeZone": "UTC"} == sent["start"] == sent["end"]
    assert {"location", "attendees", "body"}.isdisjoint(sent)


def test_outlook_changes_only_what_is_given() -> None:
    """A new title leaves guests, place and time as they are."""
    assert {"subject": "Lunch"} == body("microsoft_365", "update-event", event_id="e1", subject="Lunch")


def test_outlook_guests_and_filters() -> None:
    """Guests who needn't come are marked; only unread messages are filtered for."""
    sent = body("microsoft_365", "update-event", event_id="e1", attendees=["a@x.org"], optional_attendees=["b@x.org"])

    assert [("a@x.org", "required"), ("b@x.org", "optional")] == [
        (each["emailAddress"]["address"], each["type"]) for each in sent["attendees"]
    ]
    assert query("microsoft_365", "list-messages", folder="inbox", only_unread=True)["$filter"][0].endswith(
        "isRead eq false"
    )
    assert "$filter" not in query("microsoft_365", "list-messages", folder="inbox")


def test_zoom_times_are_in_utc() -> None:
    """A meeting begins at a moment in UTC; a change of something else leaves that."""
    meeting = {"topic": "x", "duration": 30, "start_time": "2026-12-01T10:30:00.25+01:00"}

    assert "2026-12-01T09:30:00Z" == body("zoom", "create-meeting", **meeting)["start_time"]
    assert {"topic": "y"} == body("zoom", "update-meeting", meeting_id=1, topic="y")


@pytest.mark.parametrize(
    ("app", "function", "field", "arguments"),
    [
        ("slack", "schedule-message", "post_at", {"channel": "C1", "text": "x"}),
        ("zoom", "create-meeting", "start_time", {"topic": "x", "duration": 30}),
        ("microsoft_365", "create-event", "start", {"subject": "x", "end": "2026-12-01T10:00:00Z"}),
    ],
)
def test_leap_seconds_are_refused_at_their_field(
    app: str, function: str, field: str, arguments: dict[str, Any]
) -> None:
    """A moment that is well written but which the calendar of computers lacks is told where it stands."""
    with pytest.raises(InvalidRequest) as problem:
        request(app, function, **arguments, **{field: "2016-12-31T23:59:60Z"})

    assert field == problem.value.field
