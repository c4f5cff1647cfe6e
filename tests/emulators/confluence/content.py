"""What stands on a Confluence site: spaces, pages and posts with their versions and labels, and comments below them."""

import itertools
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import define, field, frozen

from tests.emulators.confluence.storage import problem, text_of
from tests.emulators.strict import RefusedError

BASE = "https://acme.atlassian.net/wiki"


def error(status: int, title: str) -> RefusedError:
    """Return what Confluence says to what it doesn't do."""
    return RefusedError(status, {"errors": [{"status": status, "code": "INVALID", "title": title, "detail": None}]})


def now() -> str:
    """Return the time as Confluence writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@frozen
class Space:
    """A space."""

    id: str
    key: str
    name: str
    type: str = "global"
    status: str = "current"
    homepage: str | None = None

    def shown(self) -> dict[str, Any]:
        """Return it as Confluence tells it."""
        named = {"id": self.id, "key": self.key, "name": self.name, "homepageId": self.homepage}
        return {**named, "type": self.type, "status": self.status, "_links": {"webui": f"/spaces/{self.key}"}}


@frozen
class Version:
    """A version of a page: its title and its text, and what was said of the change."""

    title: str
    text: str
    message: str = ""
    written: str = field(factory=now)


@define
class Content:
    """A page, a blog post or a comment (which has no title, and stands below a page or another comment)."""

    id: str
    kind: str
    space: str
    status: str
    versions: list[Version]
    parent: str | None = None
    page: str | None = None
    labels: list[str] = field(factory=list)

    @property
    def title(self) -> str:
        """Its present title."""
        return self.versions[-1].title

    def shown(self, body_format: str = "", number: int = 0) -> dict[str, Any]:
        """Return it as Confluence tells it; an earlier version by its number."""
        number = number or len(self.versions)
        if not 1 <= number <= len(self.versions):
            raise error(404, f"Version {number} not found")
        version = self.versions[number - 1]
        body = {"storage": {"representation": "storage", "value": version.text}} if body_format == "storage" else {}
        told = {
            "id": self.id,
            "status": self.status,
            "title": version.title,
            "createdAt": self.versions[0].written,
            "version": shown_version(number, version),
            "body": body,
            "_links": {"base": BASE, "webui": f"/spaces/{self.space}/{self.kind}/{self.id}"},
        }
        if self.kind == "comment":
            return told | {"pageId": self.page, "parentCommentId": self.parent}
        return told | {"spaceId": self.space} | ({"parentId": self.parent} if self.kind == "page" else {})


def shown_version(number: int, version: Version) -> dict[str, Any]:
    """Return a version as Confluence tells it."""
    return {"number": number, "message": version.message, "createdAt": version.written, "minorEdit": False}


@define
class Site:
    """All that stands on a site."""

    spaces: list[Space]
    contents: dict[str, Content] = field(factory=dict)
    _ids: Iterator[int] = field(factory=lambda: itertools.count(98301))

    def space(self, id: str) -> Space:
        """Return a space by its id."""
        for each in self.spaces:
            if each.id == id:
                return each
        raise error(404, f"Space {id} not found")

    def get(self, id: str, *kinds: str) -> Content:
        """Return what isn't in the trash, by its id."""
        found = self.contents.get(id)
        if found is None or found.kind not in kinds or found.status == "trashed":
            raise error(404, f"Not found: {id}")
        return found

    def every(self, kind: str) -> list[Content]:
        """Return all of a kind, in the trash or not."""
        return [each for each in self.contents.values() if each.kind == kind]

    def add(self, kind: str, body: Mapping[str, Any], parent: str | None = None, page: str | None = None) -> Content:
        """Add a page, a post or a comment."""
        title, status = body.get("title", ""), body.get("status", "current")
        space = self.get(page, "page").space if page else self.space(body["spaceId"]).id
        if kind != "comment":
            self._check_title(kind, space, title, status, None)
        made = Content(str(next(self._ids)), kind, space, status, [_version(title, body)], parent, page)
        self.contents[made.id] = made
        return made

    def write(self, page: Content, body: Mapping[str, Any]) -> None:
        """Write the next version of a page."""
        expected = len(page.versions) + 1
        if body["version"].get("number") != expected:
            raise error(409, f"Version must be incremented on update. Current version is: {expected - 1}")
        if body["id"] != page.id:
            raise error(400, "The id in the body isn't that of the path")
        if body.get("spaceId", page.space) != page.space:
            raise error(400, "Moving the page to a different space is not supported")
        self._check_title(page.kind, page.space, body["title"], body["status"], page)
        if "parentId" in body:
            self._move(page, body["parentId"])
        page.versions.append(_version(body["title"], body, body["version"].get("message", "")))

    def rename(self, page: Content, title: str) -> None:
        """Give a page another title, which is a version, too."""
        self._check_title(page.kind, page.space, title, page.status, page)
        page.versions.append(Version(title, page.versions[-1].text))

    def words(self, content: Content) -> str:
        """Return what a search finds it by."""
        return f"{content.title} {text_of(content.versions[-1].text)}"

    def _move(self, page: Content, parent: str) -> None:
        above: str | None = self.get(parent, "page").id
        while above is not None:
            if above == page.id:
                raise error(400, "A page can't be moved below itself")
            above = self.contents[above].parent
        if self.contents[parent].space != page.space:
            raise error(400, "The parent is in another space")
        page.parent = parent

    def _check_title(self, kind: str, space: str, title: str, status: str, same: Content | None) -> None:
        if not title and status == "current":
            raise error(400, "Title must be specified when publishing")
        for each in self.every(kind) if kind == "page" else ():
            if each is not same and (each.space, each.title, each.status) == (space, title, "current"):
                raise error(400, "A page already exists with the same TITLE in this space")


def _version(title: str, body: Mapping[str, Any], message: str = "") -> Version:
    content = body.get("body", {"representation": "storage", "value": ""})
    if content.get("representation") != "storage":
        raise error(400, f"{content.get('representation')} isn't written on this site")
    wrong = problem(content["value"])
    if wrong is not None:
        raise error(400, wrong)
    return Version(title, content["value"], message)
