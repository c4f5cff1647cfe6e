"""The e-mails that Gmail's connector writes and reads."""

import json
from base64 import b64decode, urlsafe_b64encode
from email import message_from_bytes, message_from_string
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest

from service_server.onward.values import OnwardRequest
from tests.connectors.functions import prepared, read, refused_at, request

LETTER = {"to": ["ada@example.com", "bob@example.com"], "subject": "Grüße 🎉", "text": "Hello\nthere ü"}


def parsed(sent: bytes) -> EmailMessage:
    """Read an e-mail as it goes over the wire."""
    message = message_from_bytes(sent, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def written(function: str, **arguments: Any) -> EmailMessage:
    """Return the e-mail that a function would send."""
    return parsed(request(f"gmail-{function}", **arguments).body)


def parts_of(sent: OnwardRequest) -> tuple[Any, EmailMessage]:
    """Return what an upload says of a file, and the file."""
    message = parsed(f"Content-Type: {dict(sent.headers)['content-type']}\r\n\r\n".encode() + sent.body)
    assert "multipart/related" == message.get_content_type()
    about, content = message.iter_parts()
    return json.loads(about.get_content()), content


def text_of(message: EmailMessage, kind: str) -> str:
    """Return the text of an e-mail in one of its forms."""
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@pytest.mark.parametrize("function", ["send-message", "create-draft"])
def test_messages_are_written(function: str) -> None:
    """An e-mail has its recipients, its subject and its text as they were given, whatever their letters."""
    message = written(function, **LETTER, cc=["eve@example.com"])

    assert ("ada@example.com, bob@example.com", "eve@example.com", None) == tuple(
        message[name] for name in ("To", "Cc", "Bcc")
    )
    assert ("Grüße 🎉", "Hello\nthere ü\n") == (message["Subject"], text_of(message, "plain"))


def test_html_stands_beside_the_text_and_files_behind_it() -> None:
    """Mail programs show one of the forms; files have their names."""
    both = written("send-message", **LETTER, html="<p>Hello ü</p>")
    message = written("send-message", **LETTER, attachments=["file_1"])
    (attached,) = message.iter_attachments()

    assert "multipart/alternative" == both.get_content_type()
    assert ("Hello\nthere ü\n", "<p>Hello ü</p>\n") == (text_of(both, "plain"), text_of(both, "html"))
    assert ("a.txt", "text/plain", "content") == (
        attached.get_filename(),
        attached.get_content_type(),
        attached.get_content(),
    )
    assert "Hello\nthere ü\n" == text_of(message, "plain")


def test_answers_stay_in_their_conversation() -> None:
    """An answer names the message that it answers, and its conversation."""
    arguments = {**LETTER, "thread_id": "t1", "in_reply_to": "<a1@mail.example.com>", "attachments": ["file_1"]}
    about, letter = parts_of(request("gmail-reply-to-message", **arguments))
    message = letter.get_content()
    (attached,) = message.iter_attachments()

    assert ({"threadId": "t1"}, "message/rfc822") == (about, letter.get_content_type())
    assert "<a1@mail.example.com>" == message["In-Reply-To"] == message["References"]
    assert "Hello\nthere ü\n" == text_of(message, "plain")
    assert ("a.txt", "content") == (attached.get_filename(), attached.get_content())


def test_google_drive_gets_a_file_and_its_name() -> None:
    """A file is sent as it is, behind what it is called and where it belongs."""
    about, file = parts_of(request("google_drive-upload-file", file="file_1", name='May "26"', parent_ids=["f1"]))

    assert {"name": 'May "26"', "mimeType": "text/plain", "parents": ["f1"]} == about
    assert ("text/plain", "content") == (file.get_content_type(), file.get_content())


def answering(*messages: dict[str, Any], **arguments: Any) -> tuple[Any, ...]:
    """Return whom an answer to these messages goes to, what it is about, and what it follows."""
    given = {"thread_id": "t1", "text": "Yes", **arguments}
    mail = message_from_string(prepared("gmail-reply-to-message", given, {"messages": messages})["parts"][1])
    return tuple(mail[name] for name in ("To", "Subject", "In-Reply-To"))


def in_conversation(number: int, label: str = "INBOX", **headers: str) -> dict[str, Any]:
    """Return a message as a conversation of Gmail lists it."""
    named = [{"name": name.strip("_").replace("_", "-").title(), "value": value} for name, value in headers.items()]
    identity = {"name": "Message-ID", "value": f"<{number}@example.com>"}
    return {"id": f"m{number}", "labelIds": [label], "payload": {"headers": [*named, identity]}}


def test_an_answer_goes_to_whoever_wrote_last() -> None:
    """Nobody types whom an answer goes to, what it is about and which message it follows; what is given wins."""
    ada = in_conversation(1, from_="Ada <ada@example.com>", subject="Lease")
    jan = in_conversation(2, from_='"Müller, Jan" <jan@example.com>', subject="Re: Lease", references="<1@example.com>")
    own = in_conversation(3, "SENT", to="ada@example.com, bob@example.com", subject="Re: Lease")
    listed = in_conversation(4, from_="list@example.com", reply_to="office@example.com", subject="Lease")

    assert ("ada@example.com", "Re: Lease", "<1@example.com>") == answering(ada)
    assert ("jan@example.com", "Re: Lease", "<2@example.com>") == answering(ada, jan)
    assert "ada@example.com, bob@example.com" == answering(ada, own)[0]
    assert "office@example.com" == answering(ada, listed)[0]
    assert ("ada@example.com", "<1@example.com>") == answering(ada, jan, in_reply_to="<1@example.com>")[::2]
    assert ("eve@example.com", "Flat", "<2@example.com>") == answering(ada, jan, to=["eve@example.com"], subject="Flat")
    parts = prepared("gmail-reply-to-message", {"thread_id": "t1", "text": "Yes"}, {"messages": [ada, jan]})["parts"]
    assert "<1@example.com> <2@example.com>" == message_from_string(parts[1])["References"]


def test_a_forwarded_message_stays_as_it_came() -> None:
    """Its content, in its own character set, is a part behind the text and what its head said; its other lines go."""
    message = written("forward-message", message_id="m1", to=["bob@example.com"], text="See below ü")
    note, original = message.iter_parts()

    assert ("bob@example.com", "Fwd: Lease", None) == tuple(message[name] for name in ("To", "Subject", "X-Mailer"))
    assert "See below ü\n\n---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nSubject: Lease" in (
        note.get_content().replace("\r\n", "\n")
    )
    assert ("text/plain", "iso-8859-1", "Grüße") == (
        original.get_content_type(),
        original.get_content_charset(),
        original.get_content().strip(),
    )


def test_a_message_is_forwarded_with_its_attachments() -> None:
    """A message of several parts keeps them, and a subject that says that it was forwarded says so once."""
    sent = written("send-message", **{**LETTER, "subject": "Fwd: Lease"}, html="<p>ü</p>", attachments=["file_1"])
    headers = [{"name": "Subject", "value": "Fwd: Lease"}]
    given = {"message_id": "m1", "to": ["bob@example.com"]}
    before = {"headers": headers, "raw": urlsafe_b64encode(sent.as_bytes()).decode().rstrip("=")}
    message = parsed(b64decode(prepared("gmail-forward-message", given, before)["message"]))
    _, original = message.iter_parts()
    assert isinstance(original, EmailMessage)
    (attached,) = original.iter_attachments()

    assert "Fwd: Lease" == message["Subject"]
    assert ("Hello\nthere ü\n", "<p>ü</p>\n") == (text_of(original, "plain"), text_of(original, "html"))
    assert ("a.txt", "content") == (attached.get_filename(), attached.get_content())


@pytest.mark.parametrize("field", ["subject", "sender"])
def test_headers_stay_on_their_line(field: str) -> None:
    """A line end in a header's value, which would begin another header, is refused at its field."""
    assert field == refused_at("gmail-send-message", **{**LETTER, field: "Hello\r\nBcc: everybody@example.com"})


def encoded(text: str) -> dict[str, Any]:
    """Write a text as Gmail does: base64url without the signs at its end."""
    return {"data": urlsafe_b64encode(text.encode()).decode().rstrip("=")}


ANSWER = {
    "id": "m1",
    "threadId": "t1",
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
                    {"mimeType": "text/plain", "body": encoded("Hello ü")},
                    {"mimeType": "text/html", "body": encoded("<p>Hello ü</p>")},
                ],
            },
            {"mimeType": "text/plain", "filename": "notes.txt", "body": {"attachmentId": "a1", "size": 7}},
        ],
    },
}


def test_messages_are_read() -> None:
    """Of a message people get the headers they know, its texts decoded, and what is attached; alone or among others."""
    message = read("gmail-get-message", ANSWER)
    files = [{"filename": "notes.txt", "mimeType": "text/plain", "size": 7, "attachmentId": "a1"}]

    assert {
        "id": "m1",
        "threadId": "t1",
        "subject": "Grüße",
        "from": "Adä <ada@example.com>",
        "message_id_header": "<a1@mail.example.com>",
        "text": "Hello ü",
        "html": "<p>Hello ü</p>",
        "attachments": files,
    }.items() <= message.items()
    assert files == read("gmail-list-attachments", ANSWER)
    assert {"id": "t1", "messages": [message]} == read("gmail-get-thread", {"id": "t1", "messages": [ANSWER]})
    assert [] == read("gmail-list-attachments", {"id": "m1", "payload": {"mimeType": "text/plain", "body": {}}})


@pytest.mark.parametrize("answer", [{}, {"payload": {}}, {"payload": {"body": {"size": 0}}}])
def test_messages_without_content_are_read(answer: dict[str, Any]) -> None:
    """A message that has no text or no headers is read as far as it goes."""
    message = read("gmail-get-message", answer)

    assert (None, None, []) == (message["text"], message["subject"], message["attachments"])
