"""What the hooks of shipped connectors make of arguments and of answers."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from email import message_from_bytes, message_from_string
from email.message import EmailMessage
from email.policy import default
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest, PreparedRequest, reshaped
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
    sent = request("gmail", function, **arguments).body
    message = message_from_bytes(sent, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def gmail_reply(**arguments: Any) -> tuple[dict[str, Any], EmailMessage]:
    """Return what Gmail is told of an answer, and the answer."""
    sent = request("gmail", "reply-to-message", **arguments)
    head = f"Content-Type: {dict(sent.headers)['content-type']}\r\n\r\n".encode()
    message = message_from_bytes(head + sent.body, policy=default)
    assert isinstance(message, EmailMessage)
    about, letter = message.iter_parts()
    assert ("multipart/related", "message/rfc822") == (message.get_content_type(), letter.get_content_type())
    return json.loads(about.get_content()), letter.get_content()


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


def test_gmail_takes_moments_of_a_vacation_as_milliseconds() -> None:
    """A vacation reply begins and ends at the moments given, wherever they were written; neither is needed."""
    until = {"start": "2026-12-01T09:00:00+01:00", "end": "2026-12-12T18:00:00.5Z"}

    assert ("1796112000000", "1797098400500") == tuple(
        body("gmail", "turn-on-vacation-reply", text="Away", **until)[key] for key in ("startTime", "endTime")
    )
    assert {"enableAutoReply": True, "responseBodyPlainText": "Away"} == body(
        "gmail", "turn-on-vacation-reply", text="Away"
    )


def test_gmail_attaches_files() -> None:
    """Files go with an e-mail under their names, and its texts stay as they are."""
    message = gmail_message("send-message", **LETTER, attachments=["file_1"])
    (attached,) = message.iter_attachments()

    assert ("a.txt", "text/plain", "content") == (
        attached.get_filename(),
        attached.get_content_type(),
        attached.get_content(),
    )
    assert "Hello\nthere ü\n" == text_of(message, "plain")


def test_google_drive_gets_a_file_and_its_name() -> None:
    """A file is sent as it is, behind what it is called and where it belongs."""
    sent = request("google_drive", "upload-file", file="file_1", name='May "26"', parent_ids=["f1"])
    head = f"Content-Type: {dict(sent.headers)['content-type']}\r\n\r\n".encode()
    message = message_from_bytes(head + sent.body, policy=default)
    assert isinstance(message, EmailMessage)
    about, file = message.iter_parts()

    assert "multipart/related" == message.get_content_type()
    assert {"name": 'May "26"', "mimeType": "text/plain", "parents": ["f1"]} == json.loads(about.get_content())
    assert ("text/plain", "content") == (file.get_content_type(), file.get_content())


def test_gmail_keeps_answers_in_their_conversation() -> None:
    """An answer names the message that it answers, and its conversation."""
    arguments = {**LETTER, "thread_id": "t1", "in_reply_to": "<a1@mail.example.com>"}
    about, message = gmail_reply(**arguments, attachments=["file_1"])
    (attached,) = message.iter_attachments()

    assert {"threadId": "t1"} == about
    assert "<a1@mail.example.com>" == message["In-Reply-To"] == message["References"]
    assert "Hello\nthere ü\n" == text_of(message, "plain")
    assert ("a.txt", "content") == (attached.get_filename(), attached.get_content())


def gmail_answer(messages: list[dict[str, Any]], **arguments: Any) -> EmailMessage:
    """Return the e-mail that answers a conversation with these messages."""
    prepared = connector_of("gmail").functions["gmail-reply-to-message"].request
    assert isinstance(prepared, PreparedRequest)
    parts = prepared.prepare({"thread_id": "t1", "text": "Yes", **arguments}, {"messages": messages})["parts"]
    message = message_from_string(parts[1], policy=default)
    assert isinstance(message, EmailMessage)
    return message


def in_conversation(number: int, label: str = "INBOX", **headers: str) -> dict[str, Any]:
    """Return a message as a conversation of Gmail lists it."""
    named = [{"name": name.strip("_").replace("_", "-").title(), "value": value} for name, value in headers.items()]
    identity = {"name": "Message-ID", "value": f"<{number}@example.com>"}
    return {"id": f"m{number}", "labelIds": [label], "payload": {"headers": [*named, identity]}}


def test_gmail_answers_whoever_wrote_last() -> None:
    """Nobody types whom an answer goes to, what it is about and which message it follows."""
    asked = in_conversation(1, from_="Ada <ada@example.com>", subject="Lease")
    again = in_conversation(
        2, from_='"Müller, Jan" <jan@example.com>', subject="Re: Lease", references="<1@example.com>"
    )
    own = in_conversation(3, "SENT", to="ada@example.com, bob@example.com", subject="Re: Lease")
    listed = in_conversation(4, from_="list@example.com", reply_to="office@example.com", subject="Lease")

    first, second = gmail_answer([asked]), gmail_answer([asked, again])
    assert ("ada@example.com", "Re: Lease", "<1@example.com>") == (first["To"], first["Subject"], first["In-Reply-To"])
    assert ("jan@example.com", "Re: Lease") == (second["To"], second["Subject"])
    assert "<1@example.com> <2@example.com>" == second["References"]
    assert "ada@example.com, bob@example.com" == gmail_answer([asked, own])["To"]
    assert "office@example.com" == gmail_answer([asked, listed])["To"]


def test_gmail_answers_as_is_said() -> None:
    """What is given wins, and an earlier message is answered where it is chosen."""
    asked = in_conversation(1, reply_to="ada@example.com", subject="Lease")
    again = in_conversation(2, reply_to="jan@example.com", subject="Re: Lease")
    earlier = gmail_answer([asked, again], in_reply_to="<1@example.com>")
    told = gmail_answer([asked, again], to=["eve@example.com"], subject="Flat")

    assert ("ada@example.com", "<1@example.com>") == (earlier["To"], earlier["In-Reply-To"])
    assert ("eve@example.com", "Flat", "<2@example.com>") == (told["To"], told["Subject"], told["In-Reply-To"])


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


def test_gmail_lists_attachments() -> None:
    """A message's files are listed with what it takes to load them; its texts are none."""
    assert [] == read("gmail", "list-attachments", {"id": "m1", "payload": {"mimeType": "text/plain", "body": {}}})
    listed = read("gmail", "list-attachments", GMAIL_ANSWER)

    assert listed
    assert read("gmail", "get-message", GMAIL_ANSWER)["attachments"] == listed


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
def test_guests_come_and_go(app: str, guest: Callable[[str], dict[str, Any]], added: dict[str, Any]) -> None:
    """Those who are invited stay as they are, with their answers; nobody is invited twice, whatever the case."""
    prepared = {}
    for name, guests in (
        ("add-guests", ["ada@example.com", "bob@example.com"]),
        ("remove-guests", ["ada@example.com"]),
    ):
        request = connector_of(app).functions[f"{app}-{name}"].request
        assert isinstance(request, PreparedRequest)
        invited = {"guests": [guest("Ada@example.com"), guest("grace@example.com")]}
        prepared[name] = [request.prepare({"guests": guests}, given)["attendees"] for given in (invited, {})]

    assert [guest("Ada@example.com"), guest("grace@example.com"), added] == prepared["add-guests"][0]
    assert added in prepared["add-guests"][1]
    assert [[guest("grace@example.com")], []] == prepared["remove-guests"]


@pytest.mark.parametrize("name", ["reply-to-conversation", "close-conversation", "assign-conversation"])
def test_a_teammate_of_intercom_is_oneself(name: str) -> None:
    """Intercom wants to know who does it, and hardly anybody says "I"."""
    request = connector_of("intercom").functions[f"intercom-{name}"].request
    assert isinstance(request, PreparedRequest)

    assert {"admin_id": "7"} == request.prepare({}, {"me": "7"})
    assert {"admin_id": "8"} == request.prepare({"admin_id": "8"}, {"me": "7"})


def test_a_page_of_confluence_follows_what_is_there() -> None:
    """The version is the next one, under the same title, and a text comes to those that are there."""
    found = {"version": 7, "title": "Ideas", "content": "<p>A boat</p>"}
    prepared = []
    for name, arguments in (
        ("append-to-page", {"content": "Two <oars>\n\nand a\nsail"}),
        ("update-page", {"content": "<p>None</p>"}),
        ("update-page", {"content": "<p>None</p>", "title": "Plans"}),
    ):
        request = connector_of("confluence").functions[f"confluence-{name}"].request
        assert isinstance(request, PreparedRequest)
        prepared.append(request.prepare(arguments, found))

    assert [
        {"version": 8, "title": "Ideas", "content": "<p>A boat</p><p>Two &lt;oars&gt;</p><p>and a<br />sail</p>"},
        {"version": 8, "title": "Ideas"},
        {"version": 8, "title": "Plans"},
    ] == prepared


def test_tags_of_a_shop_are_added() -> None:
    """An update of Shopify's own would replace all of them."""
    sent = body("shopify", "update-order", order_id="gid://shopify/Order/1", tags=["gift"])
    plain = body("shopify", "update-order", order_id="gid://shopify/Order/1", note="ring twice")

    assert {"tags": ["gift"], "tagged": True}.items() <= sent["variables"].items()
    assert {"id": "gid://shopify/Order/1"} == sent["variables"]["input"]
    assert {"tags": [], "tagged": False}.items() <= plain["variables"].items()


def test_labels_of_an_issue_are_added_and_taken_off() -> None:
    """Jira's own list of labels would replace those that the issue has."""
    sent = body("jira", "update-issue", issue="WEB-1", labels=["a11y"])

    assert {"labels": [{"add": "a11y"}]} == sent["update"]
    assert "labels" not in sent.get("fields", {})
    assert "update" not in body("jira", "update-issue", issue="WEB-1", summary="Bread")
    assert {"update": {"labels": [{"remove": "old"}]}} == body("jira", "remove-labels", issue="WEB-1", labels=["old"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "trashed = false"),
        ({"trashed": True}, "trashed = true"),
        ({"name": "it's \\ here"}, r"trashed = false and name contains 'it\'s \\ here'"),
        ({"text": "a", "kind": "pdf"}, "trashed = false and fullText contains 'a' and mimeType = 'application/pdf'"),
        ({"kind": "image"}, "trashed = false and mimeType contains 'image/'"),
        ({"modified_after": "2026-11-01T00:00:00Z"}, "trashed = false and modifiedTime > '2026-11-01T00:00:00Z'"),
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


def test_a_row_of_a_sheet_stands_under_its_columns() -> None:
    """Columns have the names of the first row; a row is written by their letters, with gaps where nothing is given."""
    columns = read("google_sheets", "list-columns", {"values": [["What", "", "Cost"]]})["columns"]
    sent = request("google_sheets", "add-row", spreadsheet_id="s1", sheet="Ada's", row={"C": 12, "A": "coffee"})

    assert [{"key": "A", "title": "What"}, {"key": "C", "title": "Cost"}] == columns
    assert [["coffee", None, 12]] == json.loads(sent.body)["values"]
    assert "/values/%27Ada%27%27s%27:append?" in sent.url
    assert {"columns": []} == read("google_sheets", "list-columns", {"range": "A1"})
    assert 28 == len(body("google_sheets", "add-row", spreadsheet_id="s", sheet="S", row={"ab": 1})["values"][0])


@pytest.mark.parametrize("row", [{}, {"1": 2}, {"": 2}, {"AAAA": 2}, {"Ä": 2}])
def test_a_row_without_columns_is_refused(row: dict[str, Any]) -> None:
    """Nothing is written where nobody knows which column is meant."""
    with pytest.raises(InvalidRequest):
        request("google_sheets", "add-row", spreadsheet_id="s1", sheet="S", row=row)


@pytest.mark.parametrize(("given", "start", "end"), [({"first_row": 5}, 4, 5), ({"first_row": 2, "last_row": 3}, 1, 3)])
def test_rows_of_a_sheet_are_deleted_by_the_numbers_it_shows(given: dict[str, int], start: int, end: int) -> None:
    """A sheet counts its rows from 1; the API does from 0 and leaves the end out."""
    sent = body("google_sheets", "delete-rows", spreadsheet_id="s1", sheet_id=0, **given)
    place = {"sheetId": 0, "dimension": "ROWS", "startIndex": start, "endIndex": end}

    assert [{"deleteDimension": {"range": place}}] == sent["requests"]


def test_no_row_is_deleted_backwards() -> None:
    """The last row can't come before the first."""
    with pytest.raises(InvalidRequest) as problem:
        request("google_sheets", "delete-rows", spreadsheet_id="s1", sheet_id=0, first_row=5, last_row=4)

    assert problem.value.field == "last_row"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"twiml": "Tom & Jerry <3"}, "<Response><Say>Tom &amp; Jerry &lt;3</Say></Response>"),
        ({"twiml": "Hallo", "language": "de-DE"}, '<Response><Say language="de-DE">Hallo</Say></Response>'),
        ({"twiml": " <Response><Hangup/></Response>"}, " <Response><Hangup/></Response>"),
        ({"twiml": '<?xml version="1.0"?><Response/>'}, '<?xml version="1.0"?><Response/>'),
    ],
)
def test_a_call_reads_a_text_aloud(given: dict[str, str], sent: str) -> None:
    """Who can't write TwiML writes what is said; nothing in it can become a command."""
    made = request("twilio", "make-call", **{"to": "+14155550100", "from": "+14155550123"}, **given)

    assert [sent] == parse_qs(made.body.decode())["Twiml"]


def test_notion_properties_are_filled_in_plainly() -> None:
    """A database's properties become fields; their values go to Notion the way of each type, or as they are given."""
    fields = read(
        "notion",
        "list-database-fields",
        {
            "properties": {
                "Done": {"type": "checkbox", "checkbox": {}},
                "Status": {"type": "status", "status": {"options": [{"name": "Open"}, {"name": "Done"}]}},
                "Sum": {"type": "formula", "formula": {}},
                "Name": {"type": "title", "title": {}},
            }
        },
    )["fields"]
    sent = body(
        "notion",
        "create-database-entry",
        data_source="d1",
        properties={
            "title:Name": "Call Ada",
            "status:Status": "Open",
            "multi_select:Tags": ["a", "b"],
            "date:Due": "2026-12-01",
            "checkbox:Done": False,
            "Owner": {"people": [{"id": "u1"}]},
        },
    )["properties"]

    assert ["title:Name", "checkbox:Done", "status:Status"] == [field["key"] for field in fields]
    assert ["Open", "Done"] == fields[2]["options"]
    assert {
        "Name": {"title": [{"text": {"content": "Call Ada"}}]},
        "Status": {"status": {"name": "Open"}},
        "Tags": {"multi_select": [{"name": "a"}, {"name": "b"}]},
        "Due": {"date": {"start": "2026-12-01"}},
        "Done": {"checkbox": False},
        "Owner": {"people": [{"id": "u1"}]},
    } == sent
    page = {"properties": {"Status": {"type": "status", "status": {"name": "Open"}}, "Name": {"type": "title"}}}
    assert ["title:Name", "status:Status"] == [
        each["key"] for each in read("notion", "list-page-fields", page)["fields"]
    ]


def test_monday_columns_are_filled_in_plainly() -> None:
    """Columns with labels offer them; values become what monday.com wants of each type."""
    columns = [
        {"id": "status", "title": "Status", "type": "status", "settings_str": '{"labels": {"0": "Open", "1": "Done"}}'},
        {"id": "tags", "title": "Tags", "type": "dropdown", "settings_str": '{"labels": [{"id": 1, "name": "Red"}]}'},
        {"id": "date4", "title": "Due", "type": "date", "settings_str": "{"},
        {"id": "f1", "title": "Sum", "type": "formula", "settings_str": "{}"},
    ]
    fields = read("monday", "list-item-fields", {"data": {"boards": [{"columns": columns}]}})["fields"]
    sent = body(
        "monday",
        "create-item",
        board="1",
        name="x",
        values={
            "status:status": "Done",
            "date:date4": "2026-12-01",
            "numbers:n": 3,
            "text8": "Ada",
            "status:s2": {"index": 1},
        },
    )

    assert [("status:status", ["Open", "Done"]), ("dropdown:tags", ["Red"]), ("date:date4", [])] == [
        (field["key"], field["options"]) for field in fields
    ]
    assert {
        "status": {"label": "Done"},
        "date4": {"date": "2026-12-01"},
        "n": "3",
        "text8": "Ada",
        "s2": {"index": 1},
    } == json.loads(sent["variables"]["values"])


def test_jira_fields_are_filled_in_plainly() -> None:
    """Fields of a form are those that a value can be given to; options are sent as objects, as Jira wants them."""
    described = [
        {"fieldId": "summary", "name": "Summary", "schema": {"type": "string"}},
        {"fieldId": "c1", "name": "Points", "required": True, "schema": {"type": "number"}},
        {
            "fieldId": "c2",
            "name": "Stage",
            "schema": {"type": "option"},
            "allowedValues": [{"id": "7", "value": "Beta"}],
        },
        {"fieldId": "c3", "name": "Parts", "schema": {"type": "array"}, "allowedValues": [{"id": "8", "name": "UI"}]},
        {"fieldId": "c4", "name": "Reviewer", "schema": {"type": "user"}},
    ]
    rows = read("jira", "list-fields-of-new-issue", {"fields": described})["fields"]
    by_id = {each["fieldId"]: each for each in described}
    sent = body(
        "jira", "update-issue", issue="WEB-1", fields={"plain:c1": 3, "option:c2": "7", "options:c3": ["8"], "c5": "x"}
    )

    assert [("plain:c1", "number", True), ("option:c2", "text", False), ("options:c3", "array", False)] == [
        (row["key"], row["type"], row["required"]) for row in rows
    ]
    assert [{"value": "7", "label": "Beta"}] == rows[1]["options"]
    assert rows == read("jira", "list-fields-of-issue", {"fields": by_id})["fields"]
    assert {"c1": 3, "c2": {"id": "7"}, "c3": [{"id": "8"}], "c5": "x"} == sent["fields"]


def test_custom_fields_of_tasks_are_filled_in_plainly() -> None:
    """A day in Asana is an object and one in ClickUp a number; the key that a form has for it says so."""
    setting = {"custom_field": {"gid": "1", "name": "Due", "resource_subtype": "date"}}
    choice = {
        "custom_field": {
            "gid": "2",
            "name": "Size",
            "resource_subtype": "enum",
            "enum_options": [{"gid": "21", "name": "S"}, {"gid": "22", "name": "M", "enabled": False}],
        }
    }
    people = {"custom_field": {"gid": "3", "name": "Who", "resource_subtype": "people"}}
    fields = read("asana", "list-custom-fields", {"data": [setting, choice, people]})["fields"]
    of_clickup = read(
        "clickup",
        "list-custom-fields",
        {"fields": [{"id": "d", "name": "Due", "type": "date"}, {"id": "u", "name": "Who", "type": "users"}]},
    )["fields"]
    in_asana = body("asana", "create-task", workspace="1", name="x", custom_fields={"date:1": "2026-12-01", "2": "21"})
    in_clickup = body(
        "clickup",
        "create-task",
        list="1",
        name="x",
        custom_fields=[{"id": "a", "value": 1}],
        fields={"date:d": "1970-01-02T00:00:00Z"},
    )

    assert [("date:1", []), ("2", [{"value": "21", "label": "S"}])] == [
        (each["key"], each["options"]) for each in fields
    ]
    assert ["date:d", None] == [each.get("key") for each in of_clickup]
    assert {"1": {"date": "2026-12-01"}, "2": "21"} == in_asana["data"]["custom_fields"]
    assert [{"id": "a", "value": 1}, {"id": "d", "value": 86_400_000}] == in_clickup["custom_fields"]


def test_a_video_call_is_named_by_its_event() -> None:
    """Nobody has to make up the name of a request: the same event has the same one, another event another one."""
    event = {
        "calendar_id": "primary",
        "summary": "Plan",
        "start": "2026-12-01T10:00:00Z",
        "end": "2026-12-01T11:00:00Z",
    }

    def named(**more: Any) -> str:
        sent = body("google_calendar", "create-event-with-video-call", **{**event, **more})
        return str(sent["conferenceData"]["createRequest"]["requestId"])

    assert named() == named()
    assert named() != named(summary="Other")
    assert "mine" == named(request_id="mine")


def test_airtable_fields_are_those_of_the_table() -> None:
    """The fields of the one table are listed that a form can fill, by its id or its name."""
    table = {
        "id": "tbl1",
        "name": "Tasks",
        "fields": [
            {"name": "Name", "type": "singleLineText"},
            {"name": "Status", "type": "singleSelect", "options": {"choices": [{"name": "Open"}]}},
            {"name": "Sum", "type": "formula"},
        ],
    }
    answer = {"tables": [{"id": "tbl0", "name": "Other", "fields": []}, table]}
    function = connector_of("airtable").functions["airtable-list-fields"]

    for name in ("tbl1", "Tasks"):
        fields = function.given({"base": "app1", "table": name}).pick(answer)
        assert [("Name", None), ("Status", ["Open"])] == [(each["key"], each["options"]) for each in fields]


def test_payments_are_known_by_what_was_paid() -> None:
    """Amounts stand as people write them, with and without a smaller unit; an answer of another form stays."""
    reshape = connector_of("stripe").functions["stripe-list-payments"].reshape
    assert reshape is not None
    paid = [
        {
            "id": "pi_1",
            "amount": 2050,
            "currency": "eur",
            "receipt_email": "a@b.c",
            "created": 0,
            "status": "succeeded",
        },
        {"id": "pi_2", "amount": 500, "currency": "jpy", "status": "requires_action"},
        {"id": "pi_3", "amount": 1250, "currency": "kwd", "description": "Paper"},
        {"id": "pi_4"},
    ]
    shown = reshape({"data": paid, "has_more": False})

    expected = ["20.50 EUR, a@b.c, 1970-01-01, succeeded", "500 JPY, pi_2, requires action", "1.250 KWD, Paper", "pi_4"]
    assert expected == [each["label"] for each in shown["data"]]
    assert paid == [{key: value for key, value in each.items() if key != "label"} for each in shown["data"]]
    assert {"error": "x"} == reshape({"error": "x"})
