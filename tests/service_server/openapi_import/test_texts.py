"""Descriptions become plain text."""

import pytest

from service_server.openapi_import.texts import description_of, singular, title_of_name, words_of


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("List **all** `issues` of a [project](https://x.example/p).", "List all issues of a project."),
        ("Lists <b>all</b> issues &amp; notes.<br>Newest first.", "Lists all issues & notes. Newest first."),
        ("# Heading\n\nMakes a thing\nin two lines", "Makes a thing in two lines."),
        ("> [!NOTE]\n> Only for owners.", "Only for owners."),
        ('Before.\n\n```json\n{"a": 1}\n```\n', "Before."),
        ("Takes one of:\n\n- *first*\n- second\n", "Takes one of: first; second."),
        ("Does it. Types are:\n\n- a\n- b\n", "Does it."),
        ("Does it. It takes the following.\n\n- a\n- b\n", "Does it."),
        ("Does it\n\n- a\n- b\n", "Does it."),
        ("- a\n- b\n", "a; b."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter the table.", "After the table."),
        ("Does it. For more information, see the manual.", "Does it."),
        ("<script>alert(1)</script>Safe.", "Safe."),
        ('{% hint type="info" %}Hinted.', "Hinted."),
        ("snake_case_name stays, 2 * 3 * 4 too.", "snake_case_name stays, 2 * 3 * 4 too."),
        ("Written `refs/heads/<branch>`, or `*.*`.", "Written refs/heads/<branch>, or *.*."),
        ("Only<br/>in *`yyyy`*-*`MM`*.", "Only. in yyyy-MM."),
        ("Views it. \\\n \\\n***Note:** It is large.*", "Views it. Note: It is large."),
        ("Follow [the guide][1] or [that one] (https://x.example).", "Follow the guide or that one."),
        ('<p><strong style={{ color: "red" }}>Needs: </strong><code>a</code></p>\n\nDoes it.', "Needs: a. Does it."),
        ("| a | b |\n|---|---|\n| - 1 | 2 |\n\n1. First\n2. Second", "First; Second."),
        ("Title\n=====\n\nSays it.", "Says it."),
        ("Is a date.<blockquote><b>Note:</b> In UTC.</blockquote>", "Is a date. Note: In UTC."),
        ("", ""),
        ("---", ""),
    ],
)
def test_markdown_and_html_are_cleaned(text: str, plain: str) -> None:
    """Nothing of the markup is left, and no code, tables, headings or pointers to other pages."""
    assert plain == description_of(text, 200)


def test_long_texts_end_with_a_sentence() -> None:
    """A text is cut after a whole sentence, and one sentence that is too long at a word."""
    assert "First sentence." == description_of("First sentence. Second sentence is long.", 20)
    assert "Many words that…" == description_of("Many words that never end and go on", 18)


def test_hostile_texts_are_read_in_time() -> None:
    """Markup that never closes doesn't make cleaning slow, since the input is limited and no pattern backtracks far."""
    for piece in ("[", "**a", "<", "`", "_a", "![", "<!--", "> ", "{%", "&", "```\n"):
        assert len(description_of(piece * 20_000, 100)) <= 100


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("issue_number", "Issue number"),
        ("AccountSid", "Account SID"),
        ("htmlURL", "HTML URL"),
        ("user_ids", "User IDs"),
        ("trackUris", "Track URIs"),
        ("pageSize", "Page size"),
    ],
)
def test_titles_of_names(name: str, title: str) -> None:
    """An identifier becomes words, with the usual abbreviations in capitals."""
    assert title == title_of_name(name)


def test_singulars_and_words_of_identifiers() -> None:
    """The usual endings are known, what only looks like a plural stays; words end at capitals, not at digits."""
    plurals = {"issues": "issue", "categories": "category", "boxes": "box", "statuses": "status", "branches": "branch"}
    plurals |= {"addresses": "address"} | {word: word for word in ("news", "status", "class", "gas")}

    assert plurals == {plural: singular(plural) for plural in plurals}
    assert ["create", "html", "page", "v2"] == words_of("createHTMLPage_v2")
