"""Style sheets and scripts of pages use nothing that the oldest supported browsers lack, or there is a substitute."""

import re
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "web_assets"
FLOOR = "Chrome 113, Firefox 121, Safari 16.4"

NEWER_STYLES = {
    "light-dark()": r"light-dark\(",
    "nesting": r"^\s+&|\{[^{}]*&[ .:\[]",
    "@scope": r"@scope\b",
    "@starting-style": r"@starting-style\b",
    "@property": r"@property\b",
    "anchor positioning": r"\banchor-name|position-anchor|\banchor\(",
    "relative colours": r"\b(?:rgb|hsl|oklch|color)\(from ",
    "text-wrap": r"text-wrap\s*:",
    "round() and its like": r":.*\b(?:round|mod|rem|abs|sign)\(",
    "interpolate-size": r"interpolate-size|calc-size\(",
    "if()": r":\s*if\(",
    "align-content in blocks": r"display:\s*block;[^}]*align-content",
}
"""What came after one of them and leaves something broken where it is missing."""

NEWER_SCRIPTS = (
    "Promise.withResolvers",
    "Promise.try",
    "Object.groupBy",
    "Map.groupBy",
    "Array.fromAsync",
    "URL.canParse",
    "URL.parse",
    "AbortSignal.any",
    ".toSorted(",
    ".toReversed(",
    ".toSpliced(",
    ".isSubsetOf(",
    ".union(",
    ".intersection(",
    ".checkVisibility(",
    ".showPopover(",
    ".setHTMLUnsafe(",
    ".fromBase64(",
    "scheduler.",
    "requestIdleCallback",
    "structuredClone(new",
    "await using",
)


def without_comments(path: Path) -> str:
    """A file's text, save its comments."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("path", sorted((ASSETS / "styles").glob("*.css")), ids=lambda path: path.name)
def test_styles_stay_above_the_floor(path: Path) -> None:
    """A browser on the floor shows every page as it should be."""
    text = without_comments(path)

    assert [] == [name for name, pattern in NEWER_STYLES.items() if re.search(pattern, text, re.MULTILINE)], FLOOR


@pytest.mark.parametrize("path", sorted((ASSETS / "styles").glob("*.css")), ids=lambda path: path.name)
def test_what_may_be_refused_has_a_substitute(path: Path) -> None:
    """A text's alternative makes older browsers refuse the whole `content`: the plain one stands before it."""
    lines = without_comments(path).splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        if match := re.fullmatch(r"\s*(content: \"[^\"]*\") / .*", line):
            assert f"{match[1]};" == before.strip()


@pytest.mark.parametrize(
    "path", sorted(path for path in (ASSETS / "scripts").rglob("*.js")), ids=lambda path: path.name
)
def test_scripts_stay_above_the_floor(path: Path) -> None:
    """Syntax is lowered by the build; what is missing at run time would not be, unless something stands in for it."""
    text = re.sub(r"globalThis\.\w+ \?\?", "", without_comments(path))

    assert [] == [name for name in NEWER_SCRIPTS if name in text], FLOOR
