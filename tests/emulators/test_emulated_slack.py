"""
Slack's connector against an emulator of Slack.

The emulator has no sign-in for people's tokens and no search, and takes any token for the administrator's. Its reading
methods take POST only; what stands in front of it (see `emulate.mjs`) takes GET too, as Slack does.
"""

from datetime import UTC, datetime, timedelta

import pytest

from tests.emulators.app import App, connected
from tests.emulators.seeds import ADA, CHANNELS, SLACK_TOKEN
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps


slack = connected("slack", "talker", "bot", {"field.bot_token": SLACK_TOKEN})


def test_accounts_and_channels_have_names(emulators: Emulated, slack: App) -> None:
    """An account is that of a person in a workspace; the dropdown of channels goes on by cursor, each channel once."""
    assert ["ada at Acme"] == [each.display_name for each in emulators.front("slack").accounts("talker")]
    listed = slack.items("list-channels")

    assert set(CHANNELS) <= {each["name"] for each in listed}
    assert len(listed) == len({each["id"] for each in listed})
    assert {each["id"]: each["name"] for each in listed} == slack.choices("send-message", "channel")


def test_a_conversation(slack: App) -> None:
    """Messages are sent, answered, reacted to, changed, listed and deleted in the user's name."""
    channel = {"channel": slack.output("create-channel", name="plans")["channel"]["id"]}
    slack.output("set-topic", **channel, topic="Next year")
    sent = slack.output("send-message", **channel, text="Who writes *it*? <&>")
    slack.output("reply-to-message", **channel, thread_ts=sent["ts"], text="I do")
    slack.output("add-reaction", **channel, ts=sent["ts"], name="thumbsup")
    slack.output("update-message", **channel, ts=sent["ts"], text="Who writes it?")
    replies = slack.output("list-replies", **channel, ts=sent["ts"])
    messages = slack.output("list-messages", **channel)
    slack.output("delete-message", **channel, ts=sent["ts"])

    assert ["Who writes it?", "I do"] == [each["text"] for each in replies]
    (shown,) = [each for each in messages if each["ts"] == sent["ts"]]
    assert [("thumbsup", 1)] == [(each["name"], each["count"]) for each in shown["reactions"]]
    assert sent["ts"] not in [each["ts"] for each in slack.output("list-messages", **channel)]


def test_messages_for_later(slack: App) -> None:
    """A message is kept for its time, listed, and called off."""
    channel = {"channel": slack.output("create-channel", name="later")["channel"]["id"]}
    tomorrow = datetime.now(tz=UTC).replace(microsecond=0) + timedelta(days=1)  # a few months later would be refused
    slack.output("schedule-message", **channel, text="Stand-up!", post_at=tomorrow.isoformat())
    ((kept, text),) = [(each["id"], each["text"]) for each in slack.output("list-scheduled-messages", **channel)]
    slack.output("delete-scheduled-message", **channel, scheduled_message_id=kept)

    assert "Stand-up!" == text
    assert [] == slack.output("list-scheduled-messages", **channel)


def test_a_channel_and_its_people(slack: App) -> None:
    """People are asked into a channel, which is renamed and described, and taken out of it; it is put away."""
    admin = next(each["id"] for each in slack.output("list-users") if each["name"] == "admin")
    channel = {"channel": slack.output("create-channel", name="untidy")["channel"]["id"]}
    slack.output("invite-to-channel", **channel, users=[admin])
    invited = [each["id"] for each in slack.output("list-channel-members", **channel)]
    alone = slack.output("open-direct-message", users=[admin])["channel"]["id"]
    slack.output("send-message", channel=alone, text="Welcome")
    slack.output("rename-channel", **channel, name="tidy")
    slack.output("set-purpose", **channel, purpose="What nobody needs any more")
    assert slack.call("remove-from-channel", **channel, person=admin).output["ok"]
    (shown,) = [each for each in slack.items("list-conversations") if each["id"] == channel["channel"]]
    left = [each["id"] for each in slack.output("list-channel-members", **channel)]
    slack.output("archive-channel", **channel)

    assert (True, False) == (admin in invited, admin in left)
    assert ("tidy", "What nobody needs any more") == (shown["name"], shown["purpose"]["value"])
    assert ["Welcome"] == [each["text"] for each in slack.output("list-messages", channel=alone)]
    assert channel["channel"] not in slack.choices("send-message", "channel")


def test_an_archived_channel_comes_back(emulators: Emulated, slack: App) -> None:
    """A person, not a bot, chooses it among the archived ones."""
    emulators.front("slack").connect("person", "token", {"field.token": "xoxp-made-up-1"})
    channel = slack.output("create-channel", name="asleep")["channel"]["id"]
    slack.output("archive-channel", channel=channel)
    with emulators.front("slack").client("person") as client:
        person = App(client, "slack")
        assert "asleep" == person.choices("unarchive-channel", "channel")[channel]
        person.output("unarchive-channel", channel=channel)

    assert channel in [each["id"] for each in slack.items("list-channels")]


def test_what_is_kept_at_the_top(slack: App) -> None:
    """A message is pinned and a bookmark added; both are listed, and go again; a message has a link."""
    channel = {"channel": slack.output("create-channel", name="top")["channel"]["id"]}
    sent = slack.output("send-message", **channel, text="The Wi-Fi password is on the fridge")
    slack.output("pin-message", **channel, ts=sent["ts"])
    slack.output("add-bookmark", **channel, title="Plan", link="https://plan.example/")
    pinned, bookmarked = slack.output("list-pins", **channel), slack.output("list-bookmarks", **channel)
    slack.output("unpin-message", **channel, ts=sent["ts"])
    slack.output("remove-bookmark", **channel, bookmark=bookmarked[0]["id"])
    link = slack.output("get-message-link", **channel, ts=sent["ts"])["permalink"]

    assert [(sent["ts"], sent["message"]["text"])] == [(each["ts"], each["text"]) for each in pinned]
    assert [("Plan", "https://plan.example/")] == [(each["title"], each["link"]) for each in bookmarked]
    assert [] == slack.output("list-pins", **channel) == slack.output("list-bookmarks", **channel)
    assert sent["ts"].replace(".", "") in link


def test_a_person_is_looked_up(slack: App) -> None:
    """People are listed, found by their address, and shown with what is known of them."""
    ada = slack.output("find-user-by-email", email=ADA)["user"]["id"]

    assert ada in [each["id"] for each in slack.output("list-users")]
    assert "Ada Lovelace" == slack.output("get-person", person=ada)["real_name"]
    assert slack.output("get-presence", person=ada)["presence"] in ("active", "away")


def test_refusals_are_relayed(slack: App) -> None:
    """What Slack refuses in a 200 is an executed call with its own words."""
    refused = slack.call("send-message", channel="C0NOWHERE", text="Hello?")
    missing = slack.call("download-file", file="F0")  # whose answer is no file

    assert ("200", False, "channel_not_found") == (refused.network_code, refused.output["ok"], refused.output["error"])
    assert ("200", "file_not_found") == (missing.network_code, missing.output["error"])


def test_files(slack: App) -> None:
    """A file goes to a channel in three requests, whole and with what it is called, and comes back as it was."""
    content = bytes(range(256)) * 400
    kept = slack.client.files.upload(content, name="Plan ü.bin")
    channel = slack.output("create-channel", name="files")["channel"]["id"]
    made = slack.call("upload-file", file=kept.id, channel=channel, text="The plan", title="Plan")
    (listed,) = slack.output("list-files", channel=channel)
    given = slack.output("download-file", file=listed["id"])

    assert made.outcome is not None
    assert '"Plan" uploaded' == made.outcome.title
    assert ("Plan", len(content)) == (listed["title"], listed["size"])
    assert ("The plan", [listed["id"]]) == next(
        (each["text"], [file["id"] for file in each["files"]])
        for each in slack.output("list-messages", channel=channel)
        if "files" in each
    )
    assert content == slack.client.files.download(given["id"]).content
