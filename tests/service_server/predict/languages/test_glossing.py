"""Prompts in other languages as English, and the way back to their own words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.languages import Gloss, glossed

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)  # a Wednesday
WORDS = (
    *("lege", "an", "den", "Kanal", '"a b"', "#ops", ",", ":", "?", "que", "la", "rama", "le", "dépôt", "d'une"),
    *("1.250,50", "€", "を", "に", "削除", "して", "「名」", "の", "não", "o"),
)
LANGUAGES = ("de", "es", "fr", "ja", "pt")


@pytest.mark.parametrize(
    ("language", "prompt", "expected"),
    [
        ("de", "Lösche bitte den Slack-Kanal #alt", "delete the Slack channel #alt"),
        ("de", 'Leg in Asana die Aufgabe "Drucken" an', 'create the task "Drucken" in Asana'),
        ("de", "Könnten Sie mir die offenen Rechnungen zeigen?", "show the open invoices?"),
        ("de", "Den Kanal #alt archivieren", "archive the channel #alt"),
        ("de", "Zeig die Kundenliste", "show the customer list"),
        ("es", "Ábreme un canal nuevo en Slack", "create me a new channel in Slack"),
        ("es", "Invita a luis@x.example al canal #ventas", "invite luis@x.example to channel #ventas"),
        ("es", "Añade a HubSpot el contacto Pilar Ibarra", "add the contact Pilar Ibarra to HubSpot"),
        ("es", "Cita el viernes de 15:00 a 16:00", "event on Friday at 15:00 to 16:00"),
        ("fr", "Peux-tu m'ouvrir un nouveau canal ?", "create me a new channel?"),
        ("fr", "Montre-moi les tickets", "show me the tickets"),
        ("fr", "Renomme la page Congés en « Vacances »", 'rename the page Congés to "Vacances"'),
        ("pt", "Me mostra os negócios abertos", "show the open deals"),
        ("pt", "Preciso de uma pasta /Recibos no Dropbox", "create a folder /Recibos in Dropbox"),
        ("ja", "GitHubのacme/shopのブランチoldを削除してください", "delete GitHub branch old from acme/shop"),
        ("ja", "Notionに「議事録」というページを作って", 'create page called "議事録" in Notion'),
        ("ja", "ページ「休暇」の名前を「規定」に変更して", 'rename page "休暇" to "規定"'),
        ("ja", "未払いの請求書を見せて", "show unpaid invoices"),
    ],
)
def test_a_prompt_is_put_into_english_order(language: str, prompt: str, expected: str) -> None:
    """The verb of a command stands first, what it is about behind it; names stay as they are."""
    assert expected == glossed(prompt, language, NOW).text


@pytest.mark.parametrize(
    ("language", "prompt", "said"),
    [
        ("de", "Poste in #support: wir sind heute erst ab 11 Uhr da", "wir sind"),
        ("de", "Sag Julia auf Slack, dass das Meeting verschoben ist", "das Meeting verschoben ist"),
        ("es", "Dile a Julia por Slack que la reunión se movió", "la reunión se movió"),
        ("fr", "Dis à Julia sur Slack que la réunion est décalée", "la réunion est décalée"),
        ("pt", "Diga à Julia no Slack que a reunião mudou", "a reunião mudou"),
        ("ja", "Slackで佐藤さんに会議は三時からだと伝えて", "会議は三時からだ"),
    ],
)
def test_what_is_to_be_said_stays_as_it_is(language: str, prompt: str, said: str) -> None:
    """A text behind a colon or "dass" is nobody's to translate."""
    assert said in glossed(prompt, language, NOW).text


@pytest.mark.parametrize(
    ("language", "prompt", "part", "expected"),
    [
        ("de", "Zieh die Trello-Karte Kartons bestellen in die Liste Erledigt", "done", "Erledigt"),
        ("es", "Crea la tarea para mañana a las 9", "tomorrow at 09:00", "mañana a las 9"),
        ("fr", "Ouvre un ticket « Pas d'accès » avec priorité haute", "high", "haute"),
        ("fr", "Ouvre un ticket « Pas d'accès » avec priorité haute", '"Pas d\'accès"', "Pas d'accès"),
        ("pt", "Mostre as faturas em aberto", "invoices", "faturas"),
        ("pt", "Devolva 12,90 do pedido 5490", "12.90", "12,90"),
        ("es", "Crea un negocio de 48 mil", "48000", "48 mil"),
        ("fr", "Rembourse 1 250,50 sur la facture 7", "1250.50", "1 250,50"),
        ("de", "Leg einen neuen Deal über 90.000 NOK an", "90000", "90.000"),
        ("ja", "pi_3Kx82に1万2千円返金して", "12000", "1万2千"),
        ("ja", "Trelloのカード「段ボールを注文」を移動して", "段ボールを注文", "段ボールを注文"),
    ],
)
def test_words_are_given_as_the_prompt_has_them(language: str, prompt: str, part: str, expected: str) -> None:
    """Each part of a gloss knows the words of the prompt that it stands for."""
    gloss = glossed(prompt, language, NOW)
    start = gloss.text.index(part)

    assert expected == gloss.as_said(part, start, start + len(part))
    assert [expected, 3] == gloss.as_said([part, 3], start, start + len(part))


def kept_as_they_are(gloss: Gloss) -> bool:
    """Whether all places follow one another, and kept words are those of the prompt, whatever marks enclose them."""
    end = 0
    for place in gloss.places:
        piece = place.piece
        if place.start < end or gloss.text[place.start : place.end] != piece.text:
            return False
        if piece.kept and piece.text.strip('"') not in gloss.prompt[piece.start : piece.end]:
            return False
        end = place.end
    return True


@given(st.sampled_from(LANGUAGES), st.text(max_size=200))
def test_any_text_has_a_gloss(language: str, prompt: str) -> None:
    """No text is too strange to be glossed, and its words can be found again."""
    assert kept_as_they_are(glossed(prompt, language, NOW))


@given(
    st.sampled_from(LANGUAGES),
    st.lists(
        st.sampled_from(WORDS),
        max_size=14,
    ),
)
def test_any_order_of_words_has_a_gloss(language: str, words: list[str]) -> None:
    """Words in any order are glossed without losing where they came from."""
    prompt = " ".join(words)
    gloss = glossed(prompt, language, NOW)

    assert kept_as_they_are(gloss)
    assert gloss.words(0, len(gloss.text)) in prompt
