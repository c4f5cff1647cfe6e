"""The code that the README and the pages of documentation show."""

import re

from attrs import frozen

from tests.real_apps.running import ROOT

# The pages on starting and on writing connectors are followed from first line to last by tests of their own.
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/embedding.md",
    "docs/import-openapi.md",
    "docs/operate.md",
    "docs/prediction.md",
)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class CodeBlock:
    """One piece of code: the page it stands on, its language, and its text."""

    page: str
    language: str
    text: str


def code_blocks(*languages: str, pages: tuple[str, ...] = PAGES) -> list[CodeBlock]:
    """All code in these languages (in any where none is named), in the order of the pages."""
    found = [CodeBlock(page, *groups) for page in pages for groups in _BLOCK.findall((ROOT / page).read_text("utf-8"))]
    return [block for block in found if block.language in languages] if languages else found


def code_block(page: str, language: str, part: str) -> CodeBlock:
    """The one piece of code of a page that has these words in it."""
    [block] = [each for each in code_blocks(language) if each.page == page and part in each.text]
    return block


def section_of(page: str, title: str) -> str:
    """The text of a page below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]
