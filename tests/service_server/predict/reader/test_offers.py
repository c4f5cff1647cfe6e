"""Which words of a prompt answer which question."""

from typing import Any

import pytest

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.filling import filled, validators_of
from service_server.predict.reader.questions import questions_of
from tests.service_server.predict.catalogue import number, text

QUESTIONS = {
    question.path[0]: question
    for question in questions_of(
        {
            "properties": {
                "project": text("The project."),
                "repository": text("The repository."),
                "link": text("Where it is."),
                "cells": text("The cells."),
                "sheet": text("The id of the sheet."),
                "product": text("The id of the product."),
                "quantity": number("How many there are."),
                "due_on": text("On which day it is due.", format="date"),
                "due_at": text("When it is due.", format="date-time"),
                "urgency": text("How soon.", enum=["high", "low"]),
                "impact": text("How bad.", enum=["high", "low"]),
                "priority": text("The id of the priority."),
                "color": text("What it is painted in.", enum=["red", "yellow"]),
                "text_color": text("What is written in.", enum=["red", "yellow"]),
            }
        }
    )
}
IDS = {("sheet",), ("product",), ("priority",)}


def given(prompt: str, **seen: list[tuple[str, float]]) -> dict[str, Any]:
    """The values that come of what the encoder has seen: words for each question, and how sure it is of each."""
    replies = []
    for name, words in seen.items():
        question = QUESTIONS[name]
        spans = tuple(Span(prompt.index(each), prompt.index(each) + len(each), sure) for each, sure in words)
        options = tuple(at for at, option in enumerate(question.options) if option == words[0][0])
        replies.append(Reply(question, () if options else spans, options, None, words[0][1], 0.1))
    found = filled(replies, prompt, None, validators_of([reply.question for reply in replies]), IDS)
    return {each.question.path[0]: each.value for each in found}


@pytest.mark.parametrize(
    ("prompt", "seen", "expected"),
    [
        # Behind its own name stands what is asked for.
        (
            "approve 5 in shop-api, project Webshop",
            {"project": [("shop-api", 0.55), ("Webshop", 0.5)], "repository": [("Webshop", 0.6), ("shop-api", 0.5)]},
            {"project": "Webshop", "repository": "shop-api"},
        ),
        # A name with a hyphen is one, also where the model saw two halves; two days aren't.
        ("merge 58 in bakery-site", {"repository": [("site", 0.9)]}, {"repository": "bakery-site"}),
        (
            "open Mon-Fri",
            {"project": [("Mon", 0.9)], "repository": [("Fri", 0.8)]},
            {"project": "Mon", "repository": "Fri"},
        ),
        # What a colon parts from a name is no part of it if it answers something else.
        (
            "in the sheet Costs: B7 is wrong",
            {"sheet": [("Costs: B7 is wrong", 0.9)], "cells": [("B7", 0.6)]},
            {"sheet": "Costs", "cells": "B7"},
        ),
        ("throw Duplicate: bins away", {"sheet": [("Duplicate: bins", 0.9)]}, {"sheet": "Duplicate: bins"}),
        ("product: Vase", {"product": [("product: Vase", 0.9)]}, {"product": "Vase"}),
        # A link and a stretch of cells are one word each, and cells are no name of anything.
        ("like https://x.example/urn:li:7", {"link": [("https://x.example/urn", 0.6)]}, "https://x.example/urn:li:7"),
        ("paint A1:F1 yellow", {"cells": [("A1", 0.5)], "sheet": [("F1", 0.6)]}, {"cells": "A1:F1"}),
        # How many there are is no part of what they are.
        (
            "there are 11 Wool socks",
            {"product": [("11 Wool socks", 0.7)], "quantity": [("11", 0.6)]},
            {"product": "Wool socks", "quantity": 11},
        ),
        ("there is 7 Seas left", {"product": [("7 Seas", 0.7)], "quantity": []}, {"product": "7 Seas"}),
        ("like urn:li:share:709 please", {"link": [("709", 0.6)]}, "urn:li:share:709"),
        # A size is no number of things, and a share no state.
        ("it is 60 percent done", {"project": [("done", 0.6)]}, {}),
        ("I counted Soap 250 ml", {"quantity": [("250", 0.6)]}, {}),
        # "High urgency" says nothing of the impact, and is no priority.
        (
            "it fails, high urgency",
            {"urgency": [("high", 0.9)], "impact": [("high", 0.6)], "priority": [("high", 0.8)]},
            {"urgency": "high"},
        ),
        (
            "it fails, high",
            {"urgency": [("high", 0.9)], "impact": [("high", 0.6)]},
            {"urgency": "high", "impact": "high"},
        ),
        # What is painted yellow isn't written in yellow.
        ("paint it yellow", {"color": [("yellow", 0.7)], "text_color": [("yellow", 0.8)]}, {"color": "yellow"}),
        ("text yellow", {"color": [("yellow", 0.4)], "text_color": [("yellow", 0.8)]}, {"text_color": "yellow"}),
        # A day alone is the day on which it is due.
        (
            "due 2026-11-27",
            {"due_on": [("2026-11-27", 0.78)], "due_at": [("2026-11-27", 0.8)]},
            {"due_on": "2026-11-27"},
        ),
    ],
)
def test_whose_the_words_are(prompt: str, seen: dict[str, Any], expected: Any) -> None:
    """The prompt's own form decides between questions that the encoder takes for nearly as likely."""
    found = given(prompt, **{name: words for name, words in seen.items() if words})

    assert (expected if isinstance(expected, dict) else {"link": expected}) == found
