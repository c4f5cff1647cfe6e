"""Which language a prompt is in: English must never be taken for another, whatever names it has."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.languages import language_of
from service_server.predict.words import word_set

CORPUS = Path(__file__).parents[4] / "training" / "corpus"
VALUE = re.compile(r"\{\{(.*?)@[^{}]*\}\}")
ENGLISH_WORDS = word_set("the to of and for my with is from please this that it at show add send delete")
EVERY = 7  # of so many lines of the corpus one is looked at


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        ("de", "Lösche den Kanal #alt in Slack"),
        ("de", "Trello-Karte anlegen: Kartons bestellen"),
        ("de", "loesche bitte den Kanal #alt"),
        ("es", "Borra el canal #viejo de Slack"),
        ("es", "¿Qué facturas siguen abiertas?"),
        ("fr", "Supprime le canal #vieux dans Slack"),
        ("fr", "Quelles factures sont ouvertes ?"),
        ("ja", "Slackの#oldを削除して"),
        ("ja", "acme/shopのissueを一覧表示"),
        ("pt", "Apague o canal #velho do Slack"),
        ("pt", "Quantos clientes temos no Shopify?"),
        ("pt", 'O Tomás escreveu: "Exclua o contato 40718 do HubSpot"'),
    ],
)
def test_common_words_tell_the_language(expected: str, prompt: str) -> None:
    """Letters, function words and the forms of verbs tell it; with or without accents."""
    assert expected == language_of(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "delete the channel #ops",
        'post "der Server ist wieder da" in #betrieb',
        "tell #ventas: el servidor de la web está caído otra vez",
        "send Jean de la Fontaine the invoice",
        "rename the board Die Zeit",
        "create a list Los Angeles in Trello",
        "add お知らせ to the list",
        "delete お知らせ",
        "add a row for São Paulo",
        "lost deals in Pipedrive",
        "contact 81002 in full",
        "discussion on WEB-77",
        "rent me a van",
        "acme/mobile mr 64: LGTM",
        "",
        "…",
        "12",
    ],
)
def test_english_with_foreign_names_stays_english(prompt: str) -> None:
    """A name, a quotation or a text in another language doesn't make the prompt one."""
    assert language_of(prompt) is None


def test_no_english_prompt_of_the_corpus_is_taken_for_another() -> None:
    """Of the corpus, which has a few prompts in other languages as well, none with a plain English word is."""
    lines = [line for path in sorted(CORPUS.glob("*.txt")) for line in path.read_text("utf-8").splitlines()]
    prompts = [VALUE.sub(r"\1", line[2:]) for line in lines[::EVERY] if line[:2] in ("+ ", "- ")]
    taken = [each for each in prompts if language_of(each) is not None]

    assert len(prompts) > 5000
    assert [] == [each for each in taken if not ENGLISH_WORDS.isdisjoint(each.lower().split())]
    assert len(taken) < len(prompts) / 50


@given(st.text(max_size=300))
def test_any_text_has_a_language_or_none(prompt: str) -> None:
    """No text is too strange to be looked at."""
    assert language_of(prompt) in (None, "de", "es", "fr", "ja", "pt")
