"""What Gmail needs beyond data: messages as RFC 2822, written here and read here."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64decode
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import getaddresses
from typing import Any
from uuid import uuid4

from service_server.catalog.hooks import InvalidRequest

_HEADERS = {"to": "To", "cc": "Cc", "bcc": "Bcc", "sender": "From", "reply_to": "Reply-To", "subject": "Subject"}
_SHOWN = {"subject": "Subject", "from": "From", "to": "To", "cc": "Cc", "date": "Date"}
_DEEPEST = 50
_FORWARDED = ("From", "Date", "Subject", "To", "Cc")
_BELOW = "---------- Forwarded message ---------"


def build_upload(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an e-mail in parts: where an attachment belongs stands the file, which is put in while it is sent."""
    message = _message(arguments)
    files: dict[str, Any] = {}
    for file in arguments.get("attachments", []):
        stands_for = uuid4().bytes
        kind, _, rest = file["media_type"].partition(";")[0].partition("/")
        message.add_attachment(stands_for, maintype=kind, subtype=rest, filename=file["name"])
        files[b64encode(stands_for).decode() + "\r\n"] = file
    parts: list[Any] = []
    text = message.as_bytes().decode()
    for marker, file in files.items():
        before, _, text = text.partition(marker)
        parts += [before, {"base64": file}]
    return {"parts": [*parts, text]}


def build_reply(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write a body of two parts: the conversation that an e-mail belongs to, and the e-mail, which answers in it."""
    arguments = {**_answering(before.get("messages") or [], arguments.get("in_reply_to")), **arguments}
    boundary, about = uuid4().hex, {"threadId": arguments["thread_id"]}
    head = f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(about)}\r\n"
    head += f"--{boundary}\r\nContent-Type: message/rfc822\r\n\r\n"
    parts = [head, *build_upload(arguments)["parts"], f"\r\n--{boundary}--\r\n"]
    return {"parts": parts, "type": f"multipart/related; boundary={boundary}"}


def build_forward(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write an e-mail with another one below its text, whose content stays as it came, with all its attachments."""
    original = _headers({"payload": before})
    whole = urlsafe_b64decode(before["raw"] + "=" * (-len(before["raw"]) % 4))
    head, _, content = whole.partition(b"\r\n\r\n" if b"\r\n\r\n" in whole else b"\n\n")
    shown = "\n".join(f"{name}: {original[name.lower()]}" for name in _FORWARDED if name.lower() in original)
    note = EmailMessage(policy=SMTP)
    note.set_content("\n\n".join(filter(None, (arguments.get("text"), f"{_BELOW}\n{shown}"))))
    letter = EmailMessage(policy=SMTP)
    subject = original.get("subject", "")
    forwarded = subject if subject[:4].lower() == "fwd:" else f"Fwd: {subject}"
    _write_headers(letter, {"subject": forwarded, **arguments})
    boundary = uuid4().hex
    parts = (
        letter.as_bytes().rstrip(),
        b"MIME-Version: 1.0",
        f'Content-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n--{boundary}'.encode(),
        note.as_bytes() + f"--{boundary}".encode(),
        _content_headers(head) + b"\r\n" + content,
        f"--{boundary}--\r\n".encode(),
    )
    return {"message": b64encode(b"\r\n".join(parts)).decode()}


def _content_headers(head: bytes) -> bytes:
    """Return the lines of a head that say what the content is and how it is written, each with those that go on."""
    lines = re.split(rb"\r?\n(?![ \t])", head)
    return b"".join(line + b"\r\n" for line in lines if line[:8].lower() == b"content-")


def _answering(messages: list[dict[str, Any]], message_id: str | None) -> dict[str, Any]:
    """Return whom an answer goes to, its subject and what it follows: the message with an id, else the last one."""
    headers = [_headers(each) for each in messages]
    answered = [each for each in zip(messages, headers, strict=True) if message_id in (None, each[1].get("message-id"))]
    if not answered:
        return {}
    message, header = answered[-1]
    own = "SENT" in message.get("labelIds", [])  # who writes once more writes to the same people
    people = header.get("to") if own else header.get("reply-to") or header.get("from")
    subject = header.get("subject", "")
    known = {
        "to": [address for _, address in getaddresses([people or ""]) if address],
        "subject": subject if subject[:3].lower() == "re:" else f"Re: {subject}",
        "in_reply_to": header.get("message-id"),
        "references": " ".join(filter(None, (header.get("references"), header.get("message-id")))),
    }
    return {name: value for name, value in known.items() if value}


def _headers(message: dict[str, Any]) -> dict[str, str]:
    return {each["name"].lower(): _decoded(**each) for each in message.get("payload", {}).get("headers", [])}


def _write_headers(message: EmailMessage, arguments: dict[str, Any]) -> None:
    for name, header in _HEADERS.items():
        if (value := arguments.get(name)) is not None:
            _set_header(message, name, header, ", ".join(value) if isinstance(value, list) else value)


def _message(arguments: dict[str, Any]) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    _write_headers(message, arguments)
    if (answered := arguments.get("in_reply_to")) is not None:
        _set_header(message, "in_reply_to", "In-Reply-To", answered)
        _set_header(message, "in_reply_to", "References", arguments.get("references", answered))
    message.set_content(arguments["text"])
    if (styled := arguments.get("html")) is not None:
        message.add_alternative(styled, subtype="html")
    return message


def read_message(message: dict[str, Any]) -> dict[str, Any]:
    """Make of a message in MIME parts what people see of it."""
    headers = _headers(message)
    parts = _parts(message.get("payload", {}))
    return {
        **{name: message.get(name) for name in ("id", "threadId", "labelIds", "snippet", "internalDate")},
        **{name: headers.get(header.lower()) for name, header in _SHOWN.items()},
        "message_id_header": headers.get("message-id"),
        "text": _content(parts, "text/plain"),
        "html": _content(parts, "text/html"),
        "attachments": [
            {
                "filename": part["filename"],
                "mimeType": part.get("mimeType"),
                "size": part.get("body", {}).get("size"),
                "attachmentId": part.get("body", {}).get("attachmentId"),
            }
            for part in parts
            if part.get("filename")
        ],
    }


def read_attachments(message: dict[str, Any]) -> list[dict[str, Any]]:
    """List the files of a message."""
    return [each for each in read_message(message)["attachments"] if each["attachmentId"]]


def read_thread(thread: dict[str, Any]) -> dict[str, Any]:
    """Read all messages of a conversation."""
    return {**thread, "messages": [read_message(message) for message in thread.get("messages", [])]}


def _set_header(message: EmailMessage, argument: str, header: str, value: str) -> None:
    try:
        message[header] = value
    except ValueError:
        raise InvalidRequest(argument, "must be one line") from None


def _decoded(name: str, value: str) -> str:
    """Read the words of a header that are written in ASCII for the way (RFC 2047), where there are any."""
    return str(SMTP.header_factory(name, value)) if "=?" in value else value


def _parts(part: dict[str, Any], depth: int = 0) -> list[dict[str, Any]]:
    """Return a part and all parts below it, in their order."""
    below = part.get("parts", []) if depth < _DEEPEST else []
    return [part, *(found for child in below for found in _parts(child, depth + 1))]


def _content(parts: list[dict[str, Any]], kind: str) -> str | None:
    """Return the first text of a kind that is not an attachment."""
    for part in parts:
        data = part.get("body", {}).get("data")
        if part.get("mimeType") == kind and not part.get("filename") and data:
            # Gmail turns texts into UTF-8, whatever they were sent in.
            return urlsafe_b64decode(data + "=" * (-len(data) % 4)).decode("utf-8", "replace")
    return None


def where_to_look(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the labels that conversations must have, that of the trash where they are to lie in it."""
    labels, trashed = arguments.get("label_ids", []), arguments.get("trashed", False)
    everywhere = {"trash": True} if trashed or arguments.get("include_spam_trash") else {}
    return {**everywhere, "labels": [*labels, *(["TRASH"] if trashed else [])] or None}


def signature(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a text in HTML, as Gmail has signatures."""
    return {"html": html.escape(arguments["text"], quote=False).replace("\n", "<br>")}


def vacation_times(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a vacation reply begins and ends as milliseconds since 1970, in the text that 64 bits travel as."""
    moments = {name: arguments.get(name) for name in ("start", "end")}
    return {
        name: str(round(datetime.fromisoformat(text).timestamp() * 1000))
        for name, text in moments.items()
        if text is not None
    }
