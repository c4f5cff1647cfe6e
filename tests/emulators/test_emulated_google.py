"""
The connectors of Gmail, Google Calendar and Google Drive against an emulator of Google.

The emulator compares the code's proof (PKCE) and renews tokens, but takes any token for the first person's. It has no
call that tells whose account it is; what stands in for those is in `seeds.py`.
"""

from base64 import b64decode
from email.header import decode_header, make_header

import pytest

from tests.emulators.app import App, signed_in
from tests.emulators.seeds import ADA
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps


gmail = signed_in("gmail", "planner", ADA, "create-filter")
calendar, drive = signed_in("google_calendar", "planner", ADA), signed_in("google_drive", "planner", ADA)


def test_accounts_are_named(emulators: Emulated, gmail: App) -> None:
    """An account is called by its address."""
    assert [ADA] == [each.display_name for each in emulators.front("gmail").accounts("planner")]


def test_a_message_is_written_and_read(gmail: App) -> None:
    """A message with letters of any language arrives as it was written, and is read back in plain words."""
    text = "Grüße,\n\n“Ada” ✓ " + "long " * 50
    sent = gmail.output("send-message", to=[ADA], cc=["grace@example.com"], subject="Größe ✓", text=text)
    shown = gmail.output("get-message", message_id=sent["id"])

    # The emulator gives back the subject as it travels; Google gives it back in plain words.
    subject = str(make_header(decode_header(shown["subject"])))
    assert ("Größe ✓", ADA, "grace@example.com") == (subject, shown["to"], shown["cc"])
    assert text.strip() == shown["text"].replace("\r\n", "\n").strip()


def test_a_conversation(gmail: App) -> None:
    """An answer joins the conversation that it answers; messages and the whole are put away, and come back."""
    first = gmail.output("send-message", to=[ADA], subject="Plan", text="Shall we?")
    second = gmail.output("reply-to-message", thread_id=first["threadId"], text="Yes")
    gmail.output("label-thread", thread_id=first["threadId"], add_label_ids=["STARRED"])
    thread = gmail.output("get-thread", thread_id=first["threadId"])
    gmail.output("trash-message", message_id=second["id"])
    thrown = gmail.output("get-message", message_id=second["id"])
    gmail.output("untrash-message", message_id=second["id"])
    back = gmail.output("get-message", message_id=second["id"])
    changed = [gmail.output(name, thread_id=first["threadId"]) for name in ("trash-thread", "untrash-thread")]

    assert ["Shall we?", "Yes"] == [each["text"].strip() for each in thread["messages"]]
    assert ["Plan", "Re: Plan"] == [each["subject"] for each in thread["messages"]]
    assert [ADA, ADA] == [each["to"] for each in thread["messages"]]
    assert "TRASH" in thrown["labelIds"]
    assert "TRASH" not in back["labelIds"]
    assert [{True}, {False}] == [{"TRASH" in message["labelIds"] for message in each["messages"]} for each in changed]


def test_files_go_with_messages_and_answers(gmail: App) -> None:
    """A message and its answer arrive with what is attached, which is listed and loaded as it was."""
    content = bytes(range(256)) * 4000
    kept = gmail.client.files.upload(content, name="Plan.pdf").id
    first = gmail.output("send-message", to=[ADA], subject="Plan", text="Grüße", attachments=[kept])
    asked = gmail.output("get-message", message_id=first["id"])
    answer = {"to": [ADA], "subject": "Re: Plan", "text": "Here ü", "in_reply_to": asked["message_id_header"]}
    made = gmail.output("reply-to-message", thread_id=first["threadId"], **answer, attachments=[kept])
    (listed,) = gmail.output("list-attachments", message_id=made["id"])
    given = gmail.output(
        "download-attachment", message_id=made["id"], attachment_id=listed["attachmentId"], name="Plan.pdf"
    )

    assert ("Grüße", [len(content)]) == (asked["text"].strip(), [each["size"] for each in asked["attachments"]])
    assert first["threadId"] == made["threadId"]
    assert ("Plan.pdf", len(content)) == (listed["filename"], listed["size"])
    assert ("Plan.pdf", "application/pdf", len(content)) == (given["name"], given["media_type"], given["size"])
    assert content == gmail.client.files.download(given["id"]).content


def test_a_message_is_forwarded_with_its_attachments(gmail: App) -> None:
    """What is passed on arrives below a text, with the file that was attached to it, byte by byte."""
    content = bytes(range(256)) * 4000
    kept = gmail.client.files.upload(content, name="Plan.pdf").id
    first = gmail.output("send-message", to=[ADA], subject="Plan", text="Grüße", attachments=[kept])
    passed = gmail.output("forward-message", message_id=first["id"], to=["grace@example.com"], text="See below ü")
    shown = gmail.output("get-message", message_id=passed["id"])
    (listed,) = gmail.output("list-attachments", message_id=passed["id"])
    given = gmail.output("download-attachment", message_id=passed["id"], attachment_id=listed["attachmentId"])

    assert ("Fwd: Plan", "grace@example.com") == (shown["subject"], shown["to"])
    assert "See below ü" in shown["text"]
    assert ("Plan.pdf", content) == (listed["filename"], gmail.client.files.download(given["id"]).content)


def test_drafts(gmail: App) -> None:
    """A draft is kept until it is sent or deleted; the emulator has no address for rewriting one by an upload."""
    made = [gmail.output("create-draft", to=[ADA], subject="Later", text="Not yet")["id"] for _ in range(3)]
    kept = {each["id"] for each in gmail.output("list-drafts")}
    gmail.output("send-draft", draft_id=made[0])
    gmail.output("delete-draft", draft_id=made[1])

    assert set(made) <= kept
    assert kept - set(made[:2]) == {each["id"] for each in gmail.output("list-drafts")}


def test_labels(gmail: App) -> None:
    """A label is made, offered, put on a message, finds it, also renamed, and goes; the message stays."""
    label = gmail.output("create-label", name="Bills")["id"]
    sent = gmail.output("send-message", to=[ADA], subject="Bill", text="A")["id"]
    gmail.output("label-message", message_id=sent, add_label_ids=[label])
    offered = [gmail.choices("label-message", "add_label_ids")[label]]
    gmail.output("rename-label", label_id=label, name="Invoices")
    offered.append(gmail.choices("label-message", "add_label_ids")[label])
    found = gmail.output("list-messages", label_ids=[label])
    gmail.output("delete-label", label_id=label)

    assert ["Bills", "Invoices"] == offered
    assert [sent] == [each["id"] for each in found]
    assert label not in gmail.choices("label-message", "add_label_ids")
    assert "Bill" == gmail.output("get-message", message_id=sent)["subject"]


def test_filters(gmail: App) -> None:
    """A filter is made, listed with what it does, offered by its sender, and deleted."""
    made = gmail.output("create-filter", sender="news@example.com", remove_label_ids=["INBOX"])["id"]
    listed = {each["id"]: each for each in gmail.output("list-filters")}
    offered = gmail.choices("delete-filter", "filter_id")
    gmail.output("delete-filter", filter_id=made)

    found = listed[made]
    assert ("news@example.com", ["INBOX"]) == (found["criteria"]["from"], found["action"]["removeLabelIds"])
    assert "news@example.com" == offered[made]
    assert [] == gmail.output("list-filters")


def test_all_pages_of_messages_come(gmail: App) -> None:
    """Lists of messages go on by token, each message once."""
    sent = {gmail.output("send-message", to=[ADA], subject=f"{number}", text="x")["id"] for number in range(53)}
    listed = [each["id"] for each in gmail.items("list-messages")]

    assert sent <= set(listed)
    assert len(listed) == len(set(listed))


def test_an_event_from_its_creation_to_its_end(calendar: App) -> None:
    """An event is made, found busy, listed and deleted; changing one is unknown to the emulator."""
    where = {"calendar_id": "primary"}
    times = {"start": "2030-05-01T10:00:00Z", "end": "2030-05-01T11:00:00Z"}
    event = calendar.output("create-event", **where, summary="Plan", **times, attendees=["grace@example.com"])
    day = {"time_min": "2030-05-01T00:00:00Z", "time_max": "2030-05-02T00:00:00Z"}
    listed = calendar.output("list-events", **where, **day)
    busy = calendar.output("find-busy-times", calendars=["primary"], **day)
    calendar.output("delete-event", **where, event_id=event["id"])

    assert [("Plan", ["grace@example.com"])] == [
        (each["summary"], [guest["email"] for guest in each["attendees"]]) for each in listed
    ]
    assert 1 == len(busy["calendars"]["primary"]["busy"])
    assert [] == calendar.output("list-events", **where, **day)
    assert ADA == calendar.choices("create-event", "calendar_id")["primary"]


def test_all_pages_of_events_come(calendar: App) -> None:
    """Lists of events go on by token, in the order of their times."""
    where = {"calendar_id": "primary"}
    for number in range(103):
        start = f"2031-01-01T{number // 60:02}:{number % 60:02}:00Z"
        calendar.output("create-event", **where, summary=f"{number}", start=start, end="2031-01-01T12:00:00Z")
    listed = calendar.items("list-events", **where, time_min="2031-01-01T00:00:00Z", time_max="2031-01-02T00:00:00Z")

    assert [f"{number}" for number in range(103)] == [each["summary"] for each in listed]


def test_folders_and_files(drive: App) -> None:
    """Folders and documents are made, offered, moved and listed."""
    plans, archive = (drive.output("create-folder", name=name)["id"] for name in ("Plans", "Archive"))
    document = {"name": "Plan", "mime_type": "application/vnd.google-apps.document", "parent_ids": [plans]}
    made = drive.output("create-document", **document)["id"]
    before = [each["id"] for each in drive.output("list-folder", folder_id=plans)]
    drive.output("update-file", file_id=made, name="The plan")
    drive.output("move-file", file_id=made, to_folder_id=archive)

    assert [made] == before
    assert "The plan" == drive.output("get-file", file_id=made)["name"]
    assert [made] == [each["id"] for each in drive.output("list-folder", folder_id=archive)]
    assert [] == drive.output("list-folder", folder_id=plans)
    assert {plans: "Plans", archive: "Archive"}.items() <= drive.choices("move-file", "to_folder_id").items()


def test_contents_of_files(drive: App) -> None:
    """What was uploaded is in Drive as it was, and comes back as a file or as ever."""
    content = bytes(range(256)) * 4000
    kept = drive.client.files.upload(content, name="plan.bin")
    made = drive.output("upload-file", file=kept.id, description="A plan")
    given = drive.output("download-file", file_id=made["id"], as_file=True, file_name="Plan.bin")
    told = drive.output("download-file", file_id=made["id"])

    assert "plan.bin" == drive.output("get-file", file_id=made["id"])["name"]
    assert ("Plan.bin", len(content)) == (given["name"], given["size"])
    assert content == drive.client.files.download(given["id"]).content == b64decode(told["base64"])
