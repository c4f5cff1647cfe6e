"""What commands and what doesn't, by the words of each language."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from service_server.predict.languages import glossed, language_of
from service_server.predict.predictor import Predictor
from service_server.prediction.prediction import predictor_of
from tests.service_server.shipped import shipped_catalog

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


def changing_nothing() -> Iterator[tuple[str, str]]:
    """The sentences that deny, report, ask, suppose or quote, each with its language."""
    language = ""
    for line in (Path(__file__).parent / "changes_nothing.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            language = line.strip("[]")
        elif not line.startswith("#"):
            yield language, line


NEVER = list(changing_nothing())


@pytest.mark.parametrize(("language", "prompt"), NEVER)
def test_what_is_denied_reported_asked_or_quoted_changes_nothing(language: str, prompt: str) -> None:
    """Such a sentence is known for what it is, in its own language."""
    assert language == language_of(prompt)
    assert glossed(prompt, language, NOW).changes_nothing


@pytest.mark.parametrize(
    "prompt",
    [
        "Lösch den Kanal #alt",
        "Löschen Sie bitte den Kanal #alt",
        "Bitte den Kanal #alt löschen",
        "Kannst du den Kanal #alt löschen?",
        "Den Kanal #alt möchte ich löschen",
        "Wenn möglich, lösche den Kanal #alt",
        "Vergiss nicht, den Kanal #alt zu löschen",
        "Der Vorfall ist behoben, bitte schließen",
        "Leg die Aufgabe Drucken an bis Freitag",
        "Neues Ticket für Anna: Drucker kaputt",
        "Borra el canal #viejo",
        "¿Podrías borrar el canal #viejo?",
        "Quiero que borres el canal #viejo",
        "El ticket 12 ciérralo",
        "En Trello crea una tarjeta",
        "No olvides cerrar el ticket 12",
        "Nueva tarea para Ana: llamar",
        "Borra el correo que dice Hola",
        "Supprime le canal #vieux",
        "Merci de supprimer le canal #vieux",
        "Je voudrais que tu supprimes le canal #vieux",
        "Pourriez-vous supprimer le canal #vieux ?",
        "N'oublie pas de fermer le ticket 12",
        "Nouveau client à créer : Ana",
        "Apague o canal #velho",
        "Você pode apagar o canal #velho?",
        "Quero que você apague o canal #velho",
        "Nova tarefa para Ana: ligar",
        "#oldチャンネルを削除して",
        "#oldチャンネルを削除してくれませんか?",
        "#oldチャンネルを削除していただけますか",
        "#oldチャンネルを削除したいです",
        "完了したタスクをアーカイブして",
        "チケットを作成、優先度は高",
        "開いているチケットを閉じてください",
    ],
)
def test_what_is_asked_for_in_any_form_is_a_request(prompt: str) -> None:
    """Formal and informal, polite and short; a condition that is just polite changes nothing."""
    language = language_of(prompt)

    assert language is not None
    assert not glossed(prompt, language, NOW).changes_nothing


def changed_by(predictor: Predictor, prompts: Iterable[str]) -> list[str]:
    """The prompts for which a predictor offers something that changes anything."""
    catalogue = shipped_catalog()
    found = []
    for prompt in prompts:
        ranking = predictor.rank_functions(prompt, now=NOW)
        if ranking.fits:
            definition = catalogue.function(ranking.functions[0].name)
            assert definition is not None
            if definition.type != "query":
                found.append(prompt)
    return found


def test_nothing_is_changed_by_what_nobody_asks_for(shipped_predictor: Predictor) -> None:
    """With the installed model none of the sentences leads to anything but a query."""
    assert [] == changed_by(shipped_predictor, [prompt for _, prompt in NEVER])


def test_without_a_model_nothing_is_changed_either() -> None:
    """By words alone, which find the function that deletes as well."""
    predictor = predictor_of(shipped_catalog(), None)

    assert [] == changed_by(predictor, [prompt for _, prompt in NEVER])
    assert ["Borra la tarjeta 5f2 de Trello"] == changed_by(predictor, ["Borra la tarjeta 5f2 de Trello"])


@pytest.mark.parametrize(
    "prompt",
    [
        "Entferne Peter aus dem Projekt Web in Asana",
        "Nimm Anna aus der Gruppe Vertrieb in Zendesk raus",
        "Quita a Pedro del proyecto Web en Asana",
        "Retire Anne du projet Web dans Asana",
        "Tire a Ana do projeto Web no Asana",
        "Asanaのプロジェクト「Web」から佐藤さんを外して",
    ],
)
def test_who_is_taken_from_something_is_not_deleted(shipped_predictor: Predictor, prompt: str) -> None:
    """One word is "of" and "from" in other languages; what stands behind it is not what is to be deleted."""
    ranking = shipped_predictor.rank_functions(prompt, now=NOW)

    assert not (ranking.fits and "-delete-" in ranking.functions[0].name)


@pytest.mark.parametrize(
    ("prompt", "function"),
    [
        ("Lösche den Anhang von der Karte Kartons in Trello", "trello-delete-attachment"),
        ("Borra el comentario de la tarea 120733 en Asana", "asana-delete-comment"),
        ("Asanaのタスク120733のコメントを削除して", "asana-delete-comment"),
    ],
)
def test_a_part_is_deleted_of_what_has_it(shipped_predictor: Predictor, prompt: str, function: str) -> None:
    """A comment of a task is no task."""
    ranking = shipped_predictor.rank_functions(prompt, now=NOW)

    assert (function, True) == (ranking.functions[0].name, ranking.fits)


@pytest.mark.parametrize(
    ("prompt", "function", "arguments"),
    [
        (
            'Mach in Zendesk ein Ticket auf, Betreff "Kein Zugang", Text "Passwort geht nicht", Priorität hoch',
            "zendesk-create-ticket",
            {"subject": "Kein Zugang", "comment": "Passwort geht nicht", "priority": "high"},
        ),
        (
            'Crea en HubSpot un negocio "Renovación" por 12.500 euros',
            "hubspot-create-deal",
            {"name": "Renovación", "amount": 12500},
        ),
        (
            "Réponds au ticket 88 de Zendesk : c'est réglé",
            "zendesk-reply-to-ticket",
            {"ticket_id": 88, "body": "c'est réglé", "public": True},
        ),
        (
            "Apague o branch antiga/caixa do acme/shop no GitHub",
            "github-delete-branch",
            {"owner": "acme", "repo": "shop", "branch": "antiga/caixa"},
        ),
        (
            "GitHubのacme/shopに「レシートが二重に印刷される」というissueを立てて",
            "github-create-issue",
            {"owner": "acme", "repo": "shop", "title": "レシートが二重に印刷される"},
        ),
    ],
)
def test_a_request_is_understood_whole(
    shipped_predictor: Predictor, prompt: str, function: str, arguments: dict[str, object]
) -> None:
    """The function is found, and its arguments and their evidence are in the prompt's own words."""
    ranking = shipped_predictor.rank_functions(prompt, now=NOW)
    found = shipped_predictor.predict_arguments(function, prompt, now=NOW)

    assert ranking.fits
    assert function == ranking.functions[0].name
    assert arguments == found.arguments
    assert all(words in prompt for words in found.evidence.values())
