"""
A site of Confluence Cloud, as the types of its client confluence.js 3.2 and Atlassian's documentation describe it.

It has spaces, pages and posts with versions, labels and comments in version 2 of the API, and the search by CQL, the
labelling and the present user, which only version 1 has.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import define, field

from tests.emulators.confluence.content import Content, Site, Space, error, shown_version
from tests.emulators.confluence.cql import CqlError, Found, find
from tests.emulators.shapes import count, keys, listing, many, matching, text, truth, whole, words
from tests.emulators.strict import Answer, Asked, Route, Shape

EMAIL, API_TOKEN = "ada@example.com", "made-up-token"
SPACES = (
    Space("65537", "ENG", "Engineering"),
    Space("65538", "HR", "People"),
    *(Space(str(70000 + number), f"TEAM{number}", f"Team {number:02}") for number in range(60)),
)

_ID = matching(r"\d+")
_FORMAT = words("storage", "atlas_doc_format")
_BODY = keys({}, {"representation": words("storage", "wiki", "atlas_doc_format"), "value": text})
_NEW_POST = keys(
    {"spaceId": _ID}, {"status": words("current", "draft"), "title": text, "body": _BODY, "createdAt": text}
)
_NEW_PAGE = keys(
    {"spaceId": _ID},
    {"status": words("current", "draft"), "title": text, "parentId": _ID, "body": _BODY, "subtype": words("live")},
)
_CHANGED_PAGE = keys(
    {
        "id": _ID,
        "status": words("current", "draft"),
        "title": text,
        "body": _BODY,
        "version": keys({}, {"number": whole(1), "message": text}),
    },
    {"spaceId": _ID, "parentId": _ID, "ownerId": text},
)
_COMMENT = keys(
    {},
    {
        **dict.fromkeys(("blogPostId", "pageId", "parentCommentId", "attachmentId", "customContentId"), _ID),
        "body": _BODY,
    },
)
_LABELS = listing(keys({"prefix": words("global", "my", "team"), "name": text}))
_PAGED: Mapping[str, Shape] = {"cursor": text, "limit": count(1, 250)}
_INCLUDED = "labels properties operations likes versions version favorited-by-current-user-status direct-children"
_ONE: Mapping[str, Shape] = {
    "body-format": words("storage", "atlas_doc_format", "view", "export_view", "anonymous_export_view", "editor"),
    "get-draft": truth,
    "status": many("current", "archived", "trashed", "deleted", "historical", "draft"),
    "version": count(1, 2**31),
    **{f"include-{each}": truth for each in _INCLUDED.split()},
}


def _sorted_by(*names: str) -> Shape:
    return words(*names, *(f"-{name}" for name in names))


@define
class Confluence:
    """One site."""

    site: Site = field(factory=lambda: Site(list(SPACES)))

    def admit(self, headers: Mapping[str, str]) -> None:
        """See `Emulator`."""
        known = base64.b64encode(f"{EMAIL}:{API_TOKEN}".encode()).decode()
        if headers.get("authorization") != f"Basic {known}":
            raise error(401, "Unauthorized")

    def refusal(self, status: int, problems: Sequence[str]) -> Any:
        """See `Emulator`."""
        return error(status, "; ".join(problems)).body

    def routes(self) -> list[Route]:
        """See `Emulator`."""
        v1, v2 = "/wiki/rest/api", "/wiki/api/v2"
        page = f"{v2}/pages/{{id}}"
        many_of = {**_PAGED, "id": text, "space-id": matching(r"\d+(,\d+)*"), "title": text, "body-format": _FORMAT}
        of_pages = {**many_of, "subtype": words("live", "page"), "status": many(*_STATUS)}
        dates = ("id", "created-date", "modified-date")
        spaces = {
            **_PAGED,
            "keys": text,
            "ids": text,
            "labels": text,
            "type": words("global", "personal", "collaboration", "knowledge_base"),
            "status": words("current", "archived"),
            "sort": _sorted_by("id", "key", "name"),
            "description-format": words("plain", "view"),
            "include-icon": truth,
        }
        searched = {"cql": text, "cqlcontext": text, "cursor": text, "start": count(0, 10**6), "limit": count(1, 1000)}
        comments = {**_PAGED, "body-format": _FORMAT, "status": many(*_STATUS, "draft", "historical")}
        return [
            Route("GET", f"{v1}/user/current", _current_user, query={"expand": text}),
            Route("GET", f"{v1}/search", self._search, query={**searched, "excerpt": text, "expand": text}),
            Route(
                "POST",
                f"{v1}/content/{{id}}/label",
                self._label,
                body=_LABELS,
                headers={"x-atlassian-token": "no-check"},
            ),
            Route("GET", f"{v2}/spaces", self._spaces, query=spaces),
            Route("GET", f"{v2}/pages", self._list("page"), query={**of_pages, "sort": _sorted_by(*dates, "title")}),
            Route(
                "POST", f"{v2}/pages", self._create_page, query={"private": truth, "root-level": truth}, body=_NEW_PAGE
            ),
            Route("GET", page, self._get, query=_ONE),
            Route("PUT", page, self._write, body=_CHANGED_PAGE),
            Route(
                "PUT", f"{page}/title", self._rename, body=keys({"status": words("current", "draft"), "title": text})
            ),
            Route("DELETE", page, self._delete, query={"purge": truth, "draft": truth}),
            Route("GET", f"{page}/children", self._children, query={**_PAGED, "sort": text}),
            Route(
                "GET",
                f"{page}/versions",
                self._versions,
                query={**_PAGED, "body-format": _FORMAT, "sort": _sorted_by("modified-date")},
            ),
            Route(
                "GET",
                f"{page}/labels",
                self._labels,
                query={**_PAGED, "prefix": words("global", "my", "team"), "sort": text},
            ),
            Route(
                "GET",
                f"{page}/footer-comments",
                self._comments,
                query={**comments, "sort": _sorted_by("created-date", "modified-date")},
            ),
            Route("POST", f"{v2}/footer-comments", self._comment, body=_COMMENT),
            Route(
                "GET",
                f"{v2}/blogposts",
                self._list("blogpost"),
                query={**many_of, "status": many("current", "deleted", "trashed"), "sort": _sorted_by(*dates)},
            ),
            Route("POST", f"{v2}/blogposts", self._create_post, query={"private": truth}, body=_NEW_POST),
        ]

    def _page(self, asked: Asked) -> Content:
        return self.site.get(asked.at["id"], "page")

    def _search(self, asked: Asked) -> Answer:
        there = [self._found(each) for kind in ("page", "blogpost") for each in self.site.every(kind)]
        current = [each for each in there if self.site.contents[each.id].status == "current"]
        current += [Found(s.id, "space", s.key, frozenset(), s.name, s.name, "", "") for s in self.site.spaces]
        try:
            found = find(asked.one("cql"), current)
        except CqlError as wrong:
            raise error(400, str(wrong)) from None
        first, size = int(asked.one("start", "0")), int(asked.one("limit", "25"))
        results = [self._result(each) for each in found[first : first + size]]
        return Answer(
            {"results": results, "start": first, "limit": size, "size": len(results), "totalSize": len(found)}
        )

    def _found(self, each: Content) -> Found:
        key = self.site.space(each.space).key
        written = (each.versions[0].written, each.versions[-1].written)
        return Found(each.id, each.kind, key, frozenset(each.labels), each.title, self.site.words(each), *written)

    def _result(self, found: Found) -> dict[str, Any]:
        space = next(each for each in self.site.spaces if each.key == found.space)
        one = {"id": found.id, "type": found.type, "status": "current", "title": found.title}
        of_spaces = {"id": int(space.id), "key": space.key, "name": space.name, "type": space.type}
        return {
            **({"space": of_spaces} if found.type == "space" else {"content": one}),
            "title": found.title,
            "excerpt": found.text[:100],
            "url": f"/spaces/{found.space}/{found.id}",
            "resultGlobalContainer": {"title": space.name, "displayUrl": f"/spaces/{space.key}"},
            "breadcrumbs": [],
            "entityType": "content",
            "iconCssClass": "page",
            "lastModified": found.lastmodified,
        }

    def _label(self, asked: Asked) -> Answer:
        content = self.site.get(asked.at["id"], "page", "blogpost")
        for each in asked.body:
            if any(character in each["name"] for character in " ,:;.?&[](){}#^*!@"):
                raise error(400, f"Invalid label: {each['name']}")
            if each["name"] not in content.labels:
                content.labels.append(each["name"])
        return Answer({"results": _shown_labels(content), "start": 0, "limit": 200, "size": len(content.labels)})

    def _spaces(self, asked: Asked) -> Answer:
        wanted = {name: asked.one(name) for name in ("type", "status") if asked.one(name)}
        found = [each for each in self.site.spaces if all(getattr(each, name) == wanted[name] for name in wanted)]
        found = [each for each in found if not asked.query.get("keys") or each.key in asked.every("keys")]
        order = asked.one("sort", "id")
        found.sort(key=lambda each: getattr(each, order.lstrip("-")), reverse=order.startswith("-"))
        return _paged([each.shown() for each in found], asked, "spaces")

    def _list(self, kind: str) -> Callable[[Asked], Answer]:
        def listed(asked: Asked) -> Answer:
            statuses = asked.every("status") or ["current", "archived"]
            spaces, title = asked.every("space-id"), asked.one("title")
            found = [each for each in self.site.every(kind) if each.status in statuses]
            found = [each for each in found if (not spaces or each.space in spaces) and title in ("", each.title)]
            by = {"created": lambda each: each.versions[0].written, "modified": lambda each: each.versions[-1].written}
            order = asked.one("sort", "id")
            found.sort(key=by.get(order.strip("-").partition("-")[0], lambda each: each.id))
            shown = [each.shown(asked.one("body-format")) for each in (found[::-1] if order.startswith("-") else found)]
            return _paged(shown, asked, f"{kind}s")

        return listed

    def _create_page(self, asked: Asked) -> Answer:
        parent = asked.body.get("parentId")
        if parent is not None and self.site.get(parent, "page").space != asked.body["spaceId"]:
            raise error(400, "The parent is in another space")
        return Answer(self.site.add("page", asked.body, parent).shown("storage"))

    def _create_post(self, asked: Asked) -> Answer:
        return Answer(self.site.add("blogpost", asked.body).shown("storage"))

    def _get(self, asked: Asked) -> Answer:
        page = self._page(asked)
        told = page.shown(asked.one("body-format"), int(asked.one("version", "0")))
        if asked.one("include-labels") == "true":
            told["labels"] = {"results": _shown_labels(page), "meta": {"hasMore": False}}
        return Answer(told)

    def _write(self, asked: Asked) -> Answer:
        page = self._page(asked)
        self.site.write(page, asked.body)
        return Answer(page.shown("storage"))

    def _rename(self, asked: Asked) -> Answer:
        page = self._page(asked)
        self.site.rename(page, asked.body["title"])
        return Answer(page.shown())

    def _delete(self, asked: Asked) -> Answer:
        self._page(asked).status = "trashed"
        return Answer(status=204)

    def _children(self, asked: Asked) -> Answer:
        page = self._page(asked)
        below = [each for each in self.site.every("page") if (each.parent, each.status) == (page.id, "current")]
        told = [{"id": each.id, "status": each.status, "title": each.title, "spaceId": each.space} for each in below]
        return _paged(told, asked, f"pages/{page.id}/children")

    def _versions(self, asked: Asked) -> Answer:
        page = self._page(asked)
        told = [shown_version(number, version) for number, version in enumerate(page.versions, 1)]
        return _paged(told[::-1] if asked.one("sort").startswith("-") else told, asked, f"pages/{page.id}/versions")

    def _labels(self, asked: Asked) -> Answer:
        page = self._page(asked)
        return _paged(_shown_labels(page), asked, f"pages/{page.id}/labels")

    def _comments(self, asked: Asked) -> Answer:
        page = self._page(asked)
        found = [each for each in self.site.every("comment") if each.page == page.id and each.parent is None]
        told = [each.shown(asked.one("body-format")) for each in found]
        shown = told[::-1] if asked.one("sort").startswith("-") else told
        return _paged(shown, asked, f"pages/{page.id}/footer-comments")

    def _comment(self, asked: Asked) -> Answer:
        above = [name for name in asked.body if name != "body"]
        if len(above) != 1:
            raise error(400, f"Exactly one of page, post, comment and attachment has to be given, not {above}")
        if above == ["parentCommentId"]:
            parent = self.site.get(asked.body["parentCommentId"], "comment")
            return Answer(self.site.add("comment", asked.body, parent.id, parent.page).shown("storage"), 201)
        return Answer(self.site.add("comment", asked.body, None, asked.body.get("pageId")).shown("storage"), 201)


_STATUS = ("current", "archived", "deleted", "trashed")


def _shown_labels(content: Content) -> list[dict[str, Any]]:
    return [{"id": str(place), "name": name, "prefix": "global"} for place, name in enumerate(content.labels, 1)]


def _paged(found: list[Any], asked: Asked, path: str) -> Answer:
    first, size = int(asked.one("cursor", "0")), int(asked.one("limit", "25"))
    kept = {name: values for name, values in asked.query.items() if name != "cursor"}
    end = first + size
    address = f"/wiki/api/v2/{path}?{urlencode({**kept, 'cursor': [str(end)]}, doseq=True)}"
    link = {"Link": f'<{address}>; rel="next"'} if end < len(found) else {}
    return Answer({"results": found[first:end], "_links": {"base": "https://acme.atlassian.net/wiki"}}, headers=link)


def _current_user(_: Asked) -> Answer:
    return Answer({"type": "known", "accountId": "5b10:ada", "accountType": "atlassian", "displayName": "Ada Lovelace"})
