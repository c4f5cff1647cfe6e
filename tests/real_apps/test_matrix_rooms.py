"""Rooms, messages and members on a Matrix homeserver by the connector's functions, and what the homeserver refuses."""

from collections.abc import Iterator

import pytest

from service_client import Client
from tests.real_apps.lists import choices, pages_of
from tests.real_apps.matrix_world import MatrixWorld

NOTES = 60
PUBLIC_ROOMS = [f"Public {number:02}" for number in range(21)]
# Synapse lets nobody make more than ten rooms in a row.
ROOMS_A_PERSON = 7


@pytest.fixture(scope="module")
def host(at_matrix: MatrixWorld) -> Iterator[Client]:
    """The client of a user with one account, that of `@hedy:localhost`."""
    at_matrix.connect("host", "hedy")
    with at_matrix.front.client("host") as client:
        yield client


@pytest.fixture(scope="module")
def keeper(at_matrix: MatrixWorld) -> Iterator[Client]:
    """The client of somebody with rooms of their own, since the host may make no more in a row."""
    at_matrix.connect("keeper", "kim")
    with at_matrix.front.client("keeper") as client:
        yield client


@pytest.fixture(scope="module")
def guest(at_matrix: MatrixWorld) -> Iterator[Client]:
    """The client of a user whose account, that of `@gus:localhost`, is connected by access token."""
    at_matrix.synapse.add_person("gus")
    token = at_matrix.synapse.sign_in("gus")
    at_matrix.front.connect("guest-by-token", "token", at_matrix.token_fields(token))
    with at_matrix.front.client("guest-by-token") as client:
        yield client


@pytest.fixture(scope="module")
def public_rooms(at_matrix: MatrixWorld) -> None:
    """More rooms in the homeserver's directory than fit on a page."""
    for start in range(0, len(PUBLIC_ROOMS), ROOMS_A_PERSON):
        at_matrix.synapse.add_person(f"maker{start}")
        with at_matrix.synapse.api(at_matrix.synapse.sign_in(f"maker{start}")) as api:
            for name in PUBLIC_ROOMS[start : start + ROOMS_A_PERSON]:
                body = {"name": name, "visibility": "public", "preset": "public_chat"}
                api.post("/_matrix/client/v3/createRoom", json=body).raise_for_status()


def create(client: Client, **arguments: object) -> str:
    """Make a room; its id."""
    made = client.functions.call("matrix-create-room", arguments)
    assert "200" == made.network_code, made
    return str(made.output["room_id"])


def test_a_room_from_its_creation_to_its_end(host: Client, guest: Client) -> None:
    """Create, invite, join, write, read and leave happen on the homeserver, each in the name of who did it."""
    room = create(host, name="Küche & Garten", topic="Flowers", invite=["@gus:localhost"])
    where = {"room_id": room}
    joined = guest.functions.call("matrix-join-room", {"room": room})
    words = "Dinner is ready\n– “now”"
    sent = guest.functions.call("matrix-send-message", {**where, "text": words, "transaction_id": "a/b #1"})
    changed = host.functions.call("matrix-set-topic", {**where, "topic": "Food"})
    events = list(host.functions.items("matrix-list-messages", where))
    members = list(host.functions.items("matrix-list-members", where))
    named = guest.functions.call("matrix-get-room-name", where)
    topic = guest.functions.call("matrix-get-room-topic", where)
    rooms = list(guest.functions.items("matrix-list-joined-rooms"))
    left = guest.functions.call("matrix-leave-room", {**where, "reason": "Bed time"})
    shut = guest.functions.call("matrix-send-message", {**where, "text": "?", "transaction_id": "2"})

    assert room.startswith("!")
    assert ["200"] * 4 == [each.network_code for each in (joined, sent, changed, left)]
    messages = [(each["sender"], each["content"]["body"]) for each in events if each["type"] == "m.room.message"]
    assert [("@gus:localhost", words)] == messages
    assert {("@hedy:localhost", "Hedy"), ("@gus:localhost", "Gus")} == {
        (each["user_id"], each["name"]) for each in members
    }
    assert ({"name": "Küche & Garten"}, {"topic": "Food"}) == (named.output, {"topic": topic.output["topic"]})
    assert {"room_id": room, "name": "Küche & Garten"} in rooms
    assert ("403", "M_FORBIDDEN") == (shut.network_code, shut.output["errcode"])


def test_who_may_be_in_a_room(keeper: Client, guest: Client) -> None:
    """Who is removed may come back, who is banned only once the ban is lifted, and each is chosen by name."""
    where = {"room_id": create(keeper, name="Door", preset="public_chat")}
    gus = {**where, "user_id": "@gus:localhost"}

    def enter() -> str:
        return guest.functions.call("matrix-join-room", {"room": where["room_id"]}).network_code

    came = enter()
    members = choices(keeper, "matrix-kick-user", "user_id", where)
    kicked = keeper.functions.call("matrix-kick-user", {**gus, "reason": "Too loud"})
    back = enter()
    banned = keeper.functions.call("matrix-ban-user", gus)
    shut = enter()
    listed = list(keeper.functions.items("matrix-list-banned-members", where))
    lifted = keeper.functions.call("matrix-unban-user", gus)

    assert ["200"] * 5 == [came, kicked.network_code, back, banned.network_code, lifted.network_code]
    assert "Gus" == members["@gus:localhost"]
    assert ["@gus:localhost"] == [each["user_id"] for each in listed]
    assert ("403", "200") == (shut, enter())


def test_what_is_said_is_deleted_and_reacted_to(keeper: Client, guest: Client) -> None:
    """A message is chosen by what it says; a reaction points to it, and nothing is left of one that is deleted."""
    where = {"room_id": create(keeper, name="Talk", preset="public_chat")}
    guest.functions.call("matrix-join-room", {"room": where["room_id"]})
    sent = [keeper.functions.call("matrix-send-message", {**where, "text": text}).output for text in ("Stay", "Go")]
    stay, go = (str(each["event_id"]) for each in sent)
    said = list(keeper.functions.items("matrix-list-messages", {**where, "only_texts": True}))
    reacted = guest.functions.call("matrix-react-to-message", {**where, "event_id": stay, "emoji": "👍"})
    deleted = keeper.functions.call("matrix-delete-message", {**where, "event_id": go, "reason": "Wrong"})
    renamed = keeper.functions.call("matrix-set-room-name", {**where, "name": "Chat"})
    events = list(keeper.functions.items("matrix-list-messages", where))
    named = keeper.functions.call("matrix-get-room-name", where)

    assert {stay: "Stay", go: "Go"} == {each["event_id"]: each["content"]["body"] for each in said}
    assert ["200"] * 3 == [each.network_code for each in (reacted, deleted, renamed)]
    assert {stay: {"body": "Stay", "msgtype": "m.text"}, go: {}} == {
        each["event_id"]: each["content"] for each in events if each["type"] == "m.room.message"
    }
    assert [{"rel_type": "m.annotation", "event_id": stay, "key": "👍"}] == [
        each["content"]["m.relates_to"] for each in events if each["type"] == "m.reaction"
    ]
    assert {"name": "Chat"} == named.output


def test_rooms_are_chosen_by_what_they_are_called(host: Client) -> None:
    """By their newest name; without one by their address or the people in them; each once."""
    renamed = create(host, name="Old name")
    host.functions.passthrough(
        "matrix", "PUT", f"/_matrix/client/v3/rooms/{renamed}/state/m.room.name", {"name": "New"}
    )
    addressed = create(host, name="", preset="public_chat", alias="hof")
    direct = create(host, name="", invite=["@gus:localhost"])

    rooms = choices(host, "matrix-send-message", "room_id")

    assert ("New", "#hof:localhost", "@gus:localhost") == (rooms[renamed], rooms[addressed], rooms[direct])


def test_the_same_transaction_sends_once(host: Client) -> None:
    """A message that comes again with its transaction id is the same event; without one each is a new one."""
    where = {"room_id": create(host, name="Echo")}
    message = {**where, "text": "Once", "transaction_id": "once"}
    first, again = (host.functions.call("matrix-send-message", message) for _ in range(2))
    twice = [host.functions.call("matrix-send-message", {**where, "text": "Twice"}).output for _ in range(2)]
    events = list(host.functions.items("matrix-list-messages", where))

    assert first.output == again.output
    assert twice[0] != twice[1]
    assert ["Once", "Twice", "Twice"] == sorted(
        each["content"]["body"] for each in events if each["type"] == "m.room.message"
    )


def test_addresses_with_their_own_characters(host: Client, guest: Client) -> None:
    """Aliases with # and :, and ids of people with @ and :, are found as they are written."""
    room = create(host, name="Alias", preset="public_chat", alias="küche")
    joined = guest.functions.call("matrix-join-room", {"room": "#küche:localhost"})
    profile = guest.functions.call("matrix-get-profile", {"user_id": "@hedy:localhost"})
    strange = guest.functions.call("matrix-join-room", {"room": "#../../v3/logout?x=1:localhost"})

    assert ("200", room) == (joined.network_code, joined.output["room_id"])
    assert ("200", "Hedy") == (profile.network_code, profile.output["displayname"])
    assert ("404", "M_NOT_FOUND") == (strange.network_code, strange.output["errcode"])
    assert "200" == guest.functions.call("matrix-who-am-i").network_code


def test_every_event_comes_once(host: Client, at_matrix: MatrixWorld) -> None:
    """Pages of fifty, one after the other by next_page, give every event exactly once and end with an empty one."""
    notes = [{"type": "example.note", "state_key": str(number), "content": {}} for number in range(NOTES)]
    body = {"name": "Notes", "initial_state": notes}
    made = host.functions.passthrough("matrix", "POST", "/_matrix/client/v3/createRoom", body)
    where = {"room_id": made.output["room_id"]}
    pages = pages_of(host, "matrix-list-messages", where)
    events = [event for page in pages for event in page.output]

    assert 50 == len(pages[0].output)
    assert {str(number) for number in range(NOTES)} == {
        event["state_key"] for event in events if event["type"] == "example.note"
    }
    assert len(events) == len({event["event_id"] for event in events})
    assert "m.room.create" == events[-1]["type"]


@pytest.mark.usefixtures("public_rooms")
def test_every_public_room_comes_once(host: Client) -> None:
    """Pages of twenty give every public room exactly once, by name."""
    pages = pages_of(host, "matrix-list-public-rooms")
    found = [room.get("name") for page in pages for room in page.output]

    assert [20, len(found) - 20] == [len(page.output) for page in pages]
    assert PUBLIC_ROOMS == sorted(name for name in found if name in PUBLIC_ROOMS)
    assert set(PUBLIC_ROOMS) <= set(choices(host, "matrix-join-room", "room").values())


def test_writing_too_fast_is_waited_for(at_matrix: MatrixWorld) -> None:
    """A 429 to a message says to wait a second or so; the service does, and every message is sent once."""
    at_matrix.connect("chatty", "chiara")
    before = len(at_matrix.synapse.answers("PUT /_matrix/client/v3/rooms/"))
    texts = [f"Message {number}" for number in range(4)]
    with at_matrix.front.client("chatty") as chatty:
        where = {"room_id": create(chatty, name="Chatter")}
        at_matrix.synapse.allow_a_message_a_second("chiara")
        sent = [
            chatty.functions.call("matrix-send-message", {**where, "text": text, "transaction_id": text})
            for text in texts
        ]
        events = list(chatty.functions.items("matrix-list-messages", where))
    answers = at_matrix.synapse.answers("PUT /_matrix/client/v3/rooms/")[before:]

    assert {"200"} == {each.network_code for each in sent}
    assert "429" in answers
    assert {"200", "429"} >= set(answers) - {"401"}  # its access token may have ended meanwhile
    assert texts == [each["content"]["body"] for each in events if each["type"] == "m.room.message"][::-1]


def test_asking_too_often_is_relayed(at_matrix: MatrixWorld, host: Client) -> None:
    """A 429 to what must not be sent twice unasked comes through with the homeserver's own words."""
    where = {"room_id": create(host, name="Crowd")}
    invited = []
    for number in range(5):
        person = at_matrix.synapse.add_person(f"crowd{number}")
        invited.append(host.functions.call("matrix-invite-user", {**where, "user_id": person}))
    refused = invited[-1]
    (account,) = at_matrix.front.accounts("host")

    assert ("200", "429", "M_LIMIT_EXCEEDED") == (
        invited[0].network_code,
        refused.network_code,
        refused.output["errcode"],
    )
    assert refused.output["retry_after_ms"] > 5000
    assert "active" == account.state


def test_the_homeservers_refusals_are_relayed(host: Client, guest: Client) -> None:
    """Its error bodies and statuses come through as executed calls."""
    where = {"room_id": create(host)}
    refusals = [
        host.functions.call("matrix-get-room-name", where),
        guest.functions.call("matrix-list-members", where),
        guest.functions.call("matrix-join-room", {"room": "#nowhere:localhost"}),
        host.functions.call("matrix-create-room", {"alias": "not-mine", "invite": ["@a:b:c:d"]}),
    ]

    assert [("404", "M_NOT_FOUND"), ("403", "M_FORBIDDEN"), ("404", "M_NOT_FOUND")] == [
        (each.network_code, each.output["errcode"]) for each in refusals[:3]
    ]
    assert ("400", "M_UNKNOWN") == (refusals[3].network_code, refusals[3].output["errcode"])
