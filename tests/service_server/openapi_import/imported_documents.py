"""The vendors' documents that tests import."""

from typing import Final

from tests.connectors.descriptions.packages import Members, npm
from tests.connectors.vendors.github import CHECK as GITHUB

IMPORTED: Final[dict[str, Members]] = {
    "github": GITHUB.document,
    "notion": npm(
        "@notionhq/notion-mcp-server@2.5.2",
        "sha512-5nPSwHMnugSGAhSJS5vVIlMao+iTJO9HoWGpCnT8lJNrPy3rZMqs1V/CPiN4MuxF+5EBgRE/f/Tirl6Wfi75Mg==",
    ).keeping("scripts/notion-openapi.json"),
}
