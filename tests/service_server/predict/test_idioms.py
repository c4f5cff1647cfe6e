"""Sayings that order something are read as what they mean; everything else stays as it was typed."""

import pytest

from service_server.predict.idioms import in_plain_words


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("nudge me in 20 minutes to move the car", "remind me in 20 minutes to move the car"),
        ("NDA Kestrel is unsigned, give them a poke", "NDA Kestrel is unsigned, remind them"),
        ("please shelve WEB-4", "please archive WEB-4"),
        ("kick the notary out of the folder Docs", "remove the notary from the folder Docs"),
        ("kick the notary out of the room", "kick the notary out of the room"),
        ("she left, lock her out of acme/web", "she left, remove her from acme/web"),
        ("toss it out of the bin", "toss it out of the bin"),
        ("Joost joins, let him into Logistics", "Joost joins, add him to Logistics"),
        ("keep Ana and Bo in the loop on Print run", "add Ana and Bo as a follower to Print run"),
        ("bitbucket: land #55", "bitbucket: merge #55"),
        ("land the plane", "land the plane"),
        ("fold the first into the second", "merge the first into the second"),
        ("cut v2.4.0 of kestrel", "create the release v2.4.0 of kestrel"),
        ("park Pool heating in Negotiation", "move Pool heating in Negotiation"),
        ("pop a card into Someday", "pop a card into Someday"),
        ("shoot Aldo's mail over to bo@x.example", "forward Aldo's mail to bo@x.example"),
        ("no thanks to Bianca Thorn", "decline Bianca Thorn"),
        ("open up the refund chat again", "reopen the refund chat"),
        ("put the campaign on hold", "pause the campaign"),
        ("who will park the car in the garage?", "who will park the car in the garage?"),
        ("the wrap up meeting", "the wrap up meeting"),
        ("she said to shelve it", "she said to shelve it"),
    ],
)
def test_sayings_are_read_as_what_they_mean(said: str, meant: str) -> None:
    """Where an order begins, and only with what makes them one."""
    assert meant == in_plain_words(said)
