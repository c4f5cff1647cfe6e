"""Names with capital letters are read whole, where the reader thought of the whole as well."""

import pytest

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.whole_names import with_whole_names
from tests.service_server.predict.catalogue import text

GUILD, OTHER = questions_of({"properties": {"guild_id": text("The guild."), "other": text("Another one.")}})


def reply(prompt: str, *words: str, question: object = GUILD) -> Reply:
    """Words of a prompt, of which the reader is surest of the first."""
    places = [(prompt.index(each), prompt.index(each) + len(each)) for each in words]
    spans = tuple(Span(*place, 0.6 if at == 0 else 0.3) for at, place in enumerate(places))
    return Reply(question, spans, (), None, 0.6, 0.4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prompt", "thought_of", "expected"),
    [
        ("who is on Moonlit Guild", ("Moonlit", "Moonlit Guild"), "Moonlit Guild"),
        ("who is on Moonlit Guild", ("Moonlit",), "Moonlit"),
        ("what has the base Auction June in it", ("Auction", "Auction June in it"), "Auction"),
        ("shut Disk full on db-3 up", ("db-3", "Disk full on db-3"), "Disk full on db-3"),
        ("rename Copy of Seating", ("Seating", "Copy of Seating"), "Copy of Seating"),
        ("hang it in Trip below Garden", ("Garden", "Trip below Garden"), "Garden"),
        ("WEB-12 to In Review", ("Review", "In Review"), "In Review"),
        ("read Board 7", ("7", "Board 7"), "7"),
        ("Rename Seating", ("Seating", "Rename Seating"), "Seating"),
        ("Test deal 3 please delete", ("3",), "Test deal 3"),
        ("delete Barge leasing (copy) thx", ("Barge leasing",), "Barge leasing (copy)"),
        ("delete IMG_2 copy from the drive", ("IMG_2",), "IMG_2 copy"),
        ("delete Barge leasing (clicked twice)", ("Barge leasing",), "Barge leasing"),
        ("send Barge leasing copy paper", ("Barge leasing",), "Barge leasing"),
        ("who has Primary on-call tonight", ("Primary", "Primary on-call"), "Primary on-call"),
        ("leave Cert expiry alone", ("Cert", "Cert expiry"), "Cert expiry"),
        ("leave Cert expiry alone", ("Cert", "Cert expiry alone"), "Cert"),
        ("leave Cert expiry alone", ("Cert",), "Cert"),
        ("the Moonlit guild is full", ("Moonlit", "Moonlit guild"), "Moonlit"),
        ("get Nightly going again", ("Nightly", "Nightly going"), "Nightly"),
    ],
)
def test_the_whole_name_comes_first(prompt: str, thought_of: tuple[str, ...], expected: str) -> None:
    """A name goes on with capital letters, or begins with one; a sentence's first word is no part of it."""
    (found,) = with_whole_names([reply(prompt, *thought_of)], {GUILD.path}, prompt)

    assert expected == prompt[found.spans[0].start : found.spans[0].end]
    assert 0.6 == found.spans[0].confidence


NAME_OF_A_PLACE = "add torch to the card Trip to Bath, please"


@pytest.mark.parametrize(
    ("claimed", "expected"), [(("Bath",), "Trip"), (("torch",), "Trip to Bath")], ids=["a place to go", "a name"]
)
def test_a_name_ends_with_what_nothing_else_may_mean(claimed: tuple[str, ...], expected: str) -> None:
    """ "Bath" is where something goes if another argument may well ask for that, else it is the end of the name."""
    first = Reply(GUILD, (Span(22, 26, 0.9), Span(22, 34, 0.25)), (), None, 0.9, 0.1)
    other = reply(NAME_OF_A_PLACE, "torch", *claimed, question=OTHER)

    found, _ = with_whole_names([first, other], {GUILD.path}, NAME_OF_A_PLACE)

    assert expected == NAME_OF_A_PLACE[found.spans[0].start : found.spans[0].end]


@pytest.mark.parametrize(
    ("prompt", "name", "expected"),
    [
        ("new deal Fjord Timber AS, 4000 euros", "Fjord Timber", "Fjord Timber AS"),
        ("organization Kraft & Co. KG", "Kraft", "Kraft & Co. KG"),
        ("organization Kraft as a customer", "Kraft", "Kraft"),
        ("is the kraft AS here", "kraft", "kraft"),
    ],
)
def test_a_company_has_its_legal_form(prompt: str, name: str, expected: str) -> None:
    """Whatever is asked for: the model reads no capital letters."""
    (found,) = with_whole_names([reply(prompt, name)], set(), prompt)

    assert expected == prompt[found.spans[0].start : found.spans[0].end]


def test_a_person_does_what_stands_behind_her_name() -> None:
    """ "Renske retires" isn't who she is."""
    (member,) = questions_of({"properties": {"member_id": text("Who leaves.")}})
    prompt = "Renske retires, out of Logistics with her"
    retired = reply(prompt, "Renske", "Renske retires", question=member)

    assert [retired] == with_whole_names([retired], {member.path}, prompt)


def test_what_surely_is_something_else_stays_apart() -> None:
    """Words that answer another question are no part of a name, and what is no name isn't touched."""
    prompt = "put it on Moonlit Guild"
    guild, other = reply(prompt, "Moonlit", "Moonlit Guild"), reply(prompt, "Guild", question=OTHER)

    assert [guild, other] == with_whole_names([guild, other], {GUILD.path}, prompt)
    assert [guild] == with_whole_names([guild], set(), prompt)
