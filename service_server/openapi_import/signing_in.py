"""Turns the security schemes of a document into ways of signing in."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from attrs import define, field

from service_server.openapi_import.app import Servers
from service_server.openapi_import.document import BrokenDocument, Document, LeftOut, Part
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.report import Report
from service_server.openapi_import.texts import description_of, numbered, title_of_name, words_of

Method = dict[str, Any]
_SCOPE = re.compile(r"[!#-\[\]-~]+\Z")
_RARE = re.compile(r"admin|delete|remove|owner|billing|manage|root", re.IGNORECASE)
_OF_APPLICATION = re.compile(r"(x-)?((api|app|application|client|consumer)[-_]?)?(key|id)", re.IGNORECASE)
_OF_USER = re.compile(r"(x-)?((api|app|access|auth|user|session)[-_]?)?(token|secret)", re.IGNORECASE)
# How a header is written, as a text of its own or in quotes: `Bot [token]`, `Token token=<key>`.
_FORM = re.compile(
    r"(?:.*[`'\"]|\W?)(?:Authorization: )?([A-Za-z]+ (?:\w+=)?)[{<\[][^{}<>\[\]]+[}>\]](?:[`'\"].*|\W?)", re.DOTALL
)
_SHOWN = re.compile(r"[`'\"]Authorization: ?([^`'\"]+)[`'\"]")
_WORD = re.compile(r"\b((?:Bearer|Token|Bot|ApiKey|Key)\b)[ =:]")
_GRANTS = {"authorizationCode": "oauth2_code", "clientCredentials": "oauth2_client_credentials"}
_TYPES = ("oauth2_code", "api_key", "basic", "oauth2_client_credentials")


@define
class _Ways:
    document: Document
    servers: Servers
    report: Report
    title: str
    operations: Sequence[Operation]
    granting: list[str] = field(factory=list)

    def all(self) -> list[Method]:
        """Return the ways of signing in, those that most operations accept first."""
        schemes = self.document.root.at("components").at("securitySchemes").object
        ways: list[tuple[int, int, Method]] = []
        asked = ([each.object for each in _requirements_of(self.document, of)] for of in self.operations)
        accepted = (names for sets in asked for names in self._together([tuple(each) for each in sets if each]))
        for names, count in (Counter(accepted) or Counter((name,) for name in schemes)).items():
            try:
                ways.extend((-count, _TYPES.index(way["type"]), way) for way in self._of(names))
            except LeftOut as reason:
                self.report.sign_in_left_out.append((" and ".join(names), str(reason)))
        self.report.sign_in_left_out.sort()
        result: list[Method] = []
        for _, _, way in sorted(ways, key=lambda each: each[:2]):
            if not any({**way, "id": ""} == {**other, "id": ""} for other in result):
                way["id"] = _free_id(way["id"], [other["id"] for other in result])
                result.append(way)
        titles = Counter(way["title"] for way in result)
        for way in result:
            if titles[way["title"]] > 1:  # of six "API key", people can't choose one
                way["title"] = f"{way['title']} ({title_of_name(way['id'])})"
        return result

    def _together(self, accepted: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        """Join a key of the application and a token of the user at one place, that people write "or" between."""
        alone = {names: self._scheme(names[0]) for names in accepted if len(names) == 1}
        keys = {names: each.at("name").text for names, each in alone.items() if each.at("type").value == "apiKey"}
        applications = [names for names, called in keys.items() if _OF_APPLICATION.fullmatch(called)]
        users = [names for names, called in keys.items() if _OF_USER.fullmatch(called)]
        both = [*applications, *users]
        if not len(applications) == len(users) == len({alone[each].at("in").text for each in both}) == 1:
            return accepted
        application, user = both
        note = f"The document takes {application[0]} or {user[0]}; both are sent, since one tells which application"
        note += " asks and the other for whom. Split them under auth if one is enough."
        if note not in self.report.notes:
            self.report.notes.append(note)
        return [application + user, *(names for names in accepted if names not in (application, user))]

    def _scheme(self, name: str) -> Part:
        return self.document.followed(self.document.root.at("components").at("securitySchemes").at(name))

    def _of(self, names: tuple[str, ...]) -> list[Method]:
        """Return the ways that one scheme gives, or the one of several keys that are sent together."""
        several = [self._single(name, self._scheme(name)) for name in names]
        if len(several) == 1:
            return several[0]
        if any(len(each) != 1 or each[0]["type"] != "api_key" for each in several):
            raise LeftOut("several schemes have to be used together, and only keys can be")
        fields: dict[str, Any] = {}
        inject: dict[str, dict[str, str]] = {}
        for number, [method] in enumerate(several, 1):
            [(own, declared)] = method["fields"].items()
            key = f"{own}_{number}" if own in fields else own
            fields[key] = declared | {"title": title_of_name(names[number - 1])}
            for place, values in method["inject"].items():
                for name, value in values.items():
                    inject.setdefault(place, {})[name] = value.replace(f"${{creds.{own}}}", f"${{creds.{key}}}")
        return [{"id": "_".join(names), "type": "api_key", "title": "Keys", "fields": fields, "inject": inject}]

    def _single(self, name: str, scheme: Part) -> list[Method]:
        if scheme.value is None:
            raise LeftOut("the document doesn't describe it under securitySchemes")
        kind = scheme.at("type").text
        told = description_of(scheme.at("description").words, 280)
        if kind == "apiKey":
            return [_api_key(name, scheme, told)]
        if kind == "oauth2":
            return self._oauth(name, scheme, told)
        if kind == "openIdConnect":
            raise LeftOut("where to sign in stands in another document, and none is fetched; write it under auth")
        if kind != "http":
            raise LeftOut(f"the type {kind[:40] or 'that it lacks'} isn't one that connectors know")
        way = scheme.at("scheme").text.lower()
        if way == "basic":
            return [{"id": name, "type": "basic", "title": "User name and password"}]
        if way != "bearer":
            raise LeftOut(f"HTTP authentication {way[:40]!r} isn't one that connectors know")
        return [_bearer(name, told)]

    def _oauth(self, name: str, scheme: Part, told: str) -> list[Method]:
        flows = dict(scheme.at("flows").members)
        found: list[Method] = []
        for flow, kind in ((flows[grant], kind) for grant, kind in _GRANTS.items() if grant in flows):
            title = f"Sign in with {self.title}" if kind == "oauth2_code" else "Client ID and secret"
            way: Method = {"id": f"{name}_client" if found else name, "type": kind, "title": title}
            if kind == "oauth2_code":
                self.granting = list(dict.fromkeys([*self.granting, name]))
                way["authorize_url"] = self._address(flow, "authorizationUrl")
            way |= {"token_url": self._address(flow, "tokenUrl"), **self._scopes(flow, name)}
            found.append(way | {"inject": {"header": {"Authorization": "Bearer ${token.access_token}"}}})
        if found:
            return found
        if not flows:
            raise LeftOut("it describes no flow")
        unknown = f"{name} only has the flows {', '.join(flows)}, which connectors don't know"
        self.report.notes.append(f"{unknown}; users are asked for a token.")
        return [_bearer(name, told)]

    def _address(self, flow: Part, key: str) -> str:
        url = flow.at(key).text.strip()
        if not url:
            raise BrokenDocument(flow.place, f"needs '{key}'")
        origin = re.match(r"https?://[^/]*|\$\{vars\.server_url\}", self.servers.base_url)
        if origin is None or urlsplit(url).scheme:
            address = urljoin(f"{self.servers.base_url}/", url)
        else:
            address = f"{origin[0]}/{url.removeprefix('/')}"
        for variable in re.findall(r"\$\{vars\.(\w+)\}", address):
            # Only the operator may say where the app's client secret goes.
            self.servers.variables[variable]["set_by"] = "operator"
        if not re.match(r"https://|\$\{vars\.", address):
            raise LeftOut(f"{key} is not an https address")
        return address

    def _scopes(self, flow: Part, name: str) -> Method:
        known = [scope for scope in flow.at("scopes").object if _SCOPE.match(scope)]
        needed = [_scopes_of(self.document, operation, name) for operation in self.operations]
        if not any(needed) and len(known) > 1:
            note = f"{name}: the document doesn't say which of the {len(known)} scopes each operation needs, so all"
            note += " are asked for; keep those in auth.scopes.default that most functions need."
            self.report.notes.append(note)
        default = _default_scopes(self.operations, needed) if any(needed) else known
        return {"scopes": {"default": default}} if default or any(needed) else {}


def find_ways(document: Document, servers: Servers, drafts: Sequence[Draft], app: str, report: Report) -> list[Method]:
    """Return the connector's `auth`, open where the document has none that can be used; functions get their scopes."""
    ways = _Ways(document, servers, report, app, [draft.operation for draft in drafts])
    found = ways.all()
    if not found:
        is_refused = bool(report.sign_in_left_out)
        why = "No way to sign in could be used" if is_refused else "The document describes no way to sign in"
        report.notes.append(f"{why}: requests go without credentials until you write one under auth.")
        return [{"id": "open", "type": "none"}]
    if len(ways.granting) == 1 and any(way["type"] == "oauth2_code" for way in found):
        for draft in drafts:
            draft.scopes = _scopes_of(document, draft.operation, ways.granting[0])
    return found


def _requirements_of(document: Document, operation: Operation) -> list[Part]:
    own = operation.part.at("security")
    return (document.root.at("security") if own.value is None else own).items


def _scopes_of(document: Document, operation: Operation, scheme: str) -> list[str | list[str]]:
    """Return the scopes of a scheme that an operation needs; of several sets of a single scope each, any does."""
    sets = [
        [scope.text for scope in requirement.at(scheme).items if _SCOPE.match(scope.text) and scope.text != "none"]
        for requirement in _requirements_of(document, operation)
        if scheme in requirement.object
    ]
    different = [each for index, each in enumerate(sets) if each not in sets[:index]]
    if len(different) > 1 and all(len(each) == 1 for each in different):
        return [[scope for [scope] in different]]
    return list(dict.fromkeys(different[0])) if different else []


def _default_scopes(operations: Sequence[Operation], needed: Sequence[list[str | list[str]]]) -> list[str]:
    """Return the scopes to ask for at connect: the most used ones, until four of five functions have theirs."""
    sets = [{each if isinstance(each, str) else each[0] for each in scopes} for scopes in needed]
    # What is only for deleting, or sounds like administration, waits until it is needed.
    asking = [scopes for operation, scopes in zip(operations, sets, strict=True) if operation.method != "delete"]
    counts = Counter(scope for scopes in asking for scope in scopes if not _RARE.search(scope))
    scoped = [scopes for scopes in sets if scopes]
    chosen: list[str] = []
    for scope in sorted(counts, key=lambda each: (-counts[each], each)):
        if 5 * sum(scopes <= set(chosen) for scopes in scoped) >= 4 * len(scoped):
            break
        chosen.append(scope)
    return chosen


def _api_key(name: str, scheme: Part, told: str) -> Method:
    key, place = scheme.at("name").text, scheme.at("in").text
    if place == "cookie":
        raise LeftOut("the key goes into a cookie, and connectors send none")
    if not re.fullmatch({"header": r"[A-Za-z0-9-]+", "query": r"(?s).+"}.get(place, "(?!)"), key):
        raise BrokenDocument(scheme.place, "an apiKey needs a 'name', and 'in' with header, query or cookie")
    value = "${creds.api_key}"
    if key.lower() == "authorization":
        described = scheme.at("description").words
        several = len({each.rpartition(" ")[0] for each in _SHOWN.findall(described)}) > 1
        if not several and (before := _FORM.fullmatch(described) or _WORD.search(described)):
            value = f"{before[1].rstrip()}{'' if before[1].endswith('=') else ' '}{value}"
        else:
            told = f"{told} It is sent as the whole Authorization header.".strip()
    return _typed_in(name, "API key", "api_key", told, {place: {key: value}})


def _bearer(name: str, told: str) -> Method:
    return _typed_in(name, "Access token", "token", told, {"header": {"Authorization": "Bearer ${creds.token}"}})


def _typed_in(name: str, title: str, key: str, told: str, inject: Method) -> Method:
    shown = {"title": title} | ({"description": told} if told else {})
    return {"id": name, "type": "api_key", "title": title, "fields": {key: shown}, "inject": inject}


def _free_id(name: str, taken: Sequence[str]) -> str:
    words = "_".join(words_of(name))
    base = (words if words[:1].isalpha() else f"way_{words}".rstrip("_"))[:36]
    return next(each for each in numbered(base) if each not in taken)
