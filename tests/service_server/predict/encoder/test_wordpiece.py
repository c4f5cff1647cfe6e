"""Texts become the pieces of an uncased BERT vocabulary, and each piece knows its characters."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.encoder.wordpiece import WordPieces
from tests.service_server.tiny_model import VOCABULARY

WORDS = WordPieces(VOCABULARY)


def cut(text: str) -> list[tuple[str, int, int]]:
    """The pieces of a text as (piece, first character, character behind the last)."""
    return [(VOCABULARY[piece.id], piece.start, piece.end) for piece in WORDS.pieces(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \t\n\u00a0\u3000", []),
        ("Broken PRINTERS", [("broken", 0, 6), ("printer", 7, 14), ("##s", 14, 15)]),
        ("printing", [("p", 0, 1), ("##r", 1, 2), ("##i", 2, 3), ("##n", 3, 4), ("##t", 4, 5), ("##ing", 5, 8)]),
        ("ticket,ticket", [("ticket", 0, 6), (",", 6, 7), ("ticket", 7, 13)]),
        ("R2-D", [("r", 0, 1), ("##2", 1, 2), ("-", 2, 3), ("d", 3, 4)]),
    ],
)
def test_words_are_cut_into_the_longest_pieces_from_the_left(text: str, pieces: list[tuple[str, int, int]]) -> None:
    """Case and blanks do not count, punctuation stands alone."""
    assert pieces == cut(text)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Résumé!", [("resume", 0, 6), ("!", 6, 7)]),
        ("Re\u0301sume\u0301!", [("resume", 0, 8), ("!", 8, 9)]),
        ("resume\u0301s", [("resume", 0, 7), ("##s", 7, 8)]),
        ("İ", [("i", 0, 1)]),
    ],
)
def test_accents_do_not_count_but_belong_to_their_letter(text: str, pieces: list[tuple[str, int, int]]) -> None:
    """Composed or not, a letter and its accent are one; what is cut out of the text ends behind the accent."""
    assert pieces == cut(text)


def test_ideographs_stand_alone() -> None:
    """Between them there are no blanks, so each is a word; one that the vocabulary lacks is unknown by itself."""
    assert [("中", 0, 1), ("文", 1, 2), ("[UNK]", 2, 3), ("s", 3, 4)] == cut("中文龘s")


def test_what_the_vocabulary_lacks_is_unknown_as_a_whole() -> None:
    """Not even the pieces of a word that it has are kept."""
    assert [("ticket", 0, 6), ("[UNK]", 7, 15)] == cut("ticket printer☃")


def test_very_long_words_are_not_searched() -> None:
    """Of up to 100 characters each piece is found; beyond that the word is unknown."""
    assert 100 == len(cut("x" * 100))
    assert [("[UNK]", 1, 102), ("x", 103, 104)] == cut(f" {'x' * 101} x")


@pytest.mark.parametrize(
    "character", ["\x00", "\x1b", "\x7f", "\u0085", "\u200b", "\u202e", "\ue000", "\ufffd", chr(0xD800)]
)
def test_what_cannot_be_seen_is_no_piece(character: str) -> None:
    """Control and format characters, private ones, halves of characters; the others keep their places."""
    assert [("ticket", 0, 6), ("s", 9, 10)] == cut(f"ticket {character} s")
    assert [] == cut(character * 3)


def test_special_pieces_are_only_those_asked_for() -> None:
    """A text that spells one gets its characters; a name that is none is refused."""
    assert 5 == WORDS.special("[CLS]")
    assert 5 not in WORDS.ids("[CLS]")
    with pytest.raises(KeyError):
        WORDS.special("[NONE]")


@given(st.text(st.one_of(st.characters(), st.sampled_from("printer é\u0301中ßİ\x00")), max_size=60))
def test_pieces_stay_in_the_text_and_in_order(text: str) -> None:
    """Places ascend, none is empty, and `ids` gives the same pieces."""
    pieces = WORDS.pieces(text)

    assert all(0 <= piece.start < piece.end <= len(text) for piece in pieces)
    for earlier, later in pairwise(pieces):
        assert (earlier.start, earlier.end) <= (later.start, later.end)
        assert earlier.end <= later.end
    assert [piece.id for piece in pieces] == WORDS.ids(text)


@given(st.text(st.characters(max_codepoint=0x7F), max_size=60))
def test_plain_texts_are_cut_like_all_others(text: str) -> None:
    """ASCII is cut in a shorter way, which one accent behind a text forbids: the pieces before it are the same."""
    assert cut(f"{text} e")[:-1] == cut(f"{text} é")[:-1]
