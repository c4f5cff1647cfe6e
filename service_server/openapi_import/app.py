"""Describes the app as a whole: its title, where it is, the headers of all requests, and whose account it is."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import define, field

from service_server.catalog.requests import check_base_url
from service_server.openapi_import.document import BrokenDocument, Document, Part
from service_server.openapi_import.draft import Draft
from service_server.openapi_import.operations import Operation
from service_server.openapi_import.report import Report
from service_server.openapi_import.texts import description_of, title_of_name, title_of_text, words_of

_WHO_AM_I: Final = "/me /user /users/me /user/me /self /whoami /current_user /users/current /account"
_OWNERS: Final = ("name", "display_name", "displayName", "full_name", "fullName", "username", "login", "email")
_NOT_THE_NAME = re.compile(
    r"(?i)\b(?:open ?api|swagger|rest(?:ful)?|http|public|web|api|apis|reference|documentation|docs|specification|spec"
    r"|v?\d+(?:\.\d+)*(?:[- ](?:beta|alpha))?)\b"
)
_LOCAL = re.compile(r"https?://(localhost|127\.|0\.0\.0\.0|\[::1\])", re.IGNORECASE)
_FOR_TRYING = re.compile(r"\b(sandbox|staging|stage|test|testing|dev|development|mock|demo)\b", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"(?i)https?://([\w.-]+\.)?your[-_]?"
    r"(own|sub|domain|company|org|tenant|team|instance|site|server|host|name|app|account)"
)
_OWN_SERVER = {"title": "Server", "description": "The address of your server, without a slash at its end."}
_OWN_SERVER |= {"set_by": "user", "format": "uri", "example": "https://app.example.com"}
_LABELS = "[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"


def describe_app(document: Document, name: str, title: str | None) -> dict[str, Any]:
    """Return the first keys of the connector; a title that is given replaces the document's."""
    info = document.root.at("info")
    info = info if isinstance(info.value, dict) else Part({}, info.place)
    whole = title_of_text(info.at("title").words, 60)
    shorter = " ".join(_NOT_THE_NAME.sub(" ", whole).split()).strip(" -–|:()[].,")
    told = shorter if re.search(r"\w", shorter) else whole
    told = told.capitalize() if told.isalpha() and told.islower() else told
    shown = title or told or name.replace("_", " ").capitalize()
    text = description_of(info.at("description").words, 200)
    app: dict[str, Any] = {"name": name, "title": shown, "description": text or f"The API of {shown}."}
    docs = document.root.object.get("externalDocs")
    url = docs.get("url") if isinstance(docs, dict) else None
    if isinstance(url, str) and re.fullmatch(r"https?://[\x21-\x7e]+", url) and urlsplit(url).hostname:
        app["docs_url"] = url
    return app


def shared_headers(drafts: Sequence[Draft]) -> dict[str, str]:
    """Take the constant headers that most functions send out of them, and return them; what differs stays."""
    counts = Counter(header for draft in drafts for header in draft.headers.items() if "${" not in header[1])
    usual = dict(header for header, count in counts.items() if 2 * count > len(drafts))
    shared = {name: value for name, value in usual.items() if name != "content-type"}
    for draft in drafts:
        draft.headers = {name: value for name, value in draft.headers.items() if shared.get(name) != value}
    return shared


def find_account(drafts: Sequence[Draft]) -> dict[str, Any]:
    """Return `test` and `account` of the connector; nothing where no call tells whose account it is."""
    for place in _WHO_AM_I.split():
        for draft in drafts:
            path = draft.operation.place.lower()
            is_short = path.endswith(place) and path.count("/") <= place.count("/") + 2
            if is_short and draft.operation.method == "get" and not draft.required and not draft.answer.is_list:
                return _declared(draft)
    return {}


def _declared(draft: Draft) -> dict[str, Any]:
    answer = draft.answer
    request: dict[str, Any] = {"get": draft.path}
    for key, sent in (("query", draft.query), ("headers", draft.headers)):
        if constants := {name: value for name, value in sent.items() if "${" not in str(value)}:
            request[key] = constants
    inside = "".join(f"{key}." for key in answer.path or ())
    fields = {key.removeprefix(inside) for key in answer.fields if key.startswith(inside)} if inside else answer.item
    account: dict[str, Any] = {key: f"${{test.{inside}{key}}}" for key in ("id",) if key in fields}
    names = [f"${{test.{inside}{name}}}" for name in _OWNERS if name in fields]
    account["name"] = names if len(names) > 1 else "".join(names)
    return {"test": request} | ({"account": account} if names else {})


@define
class Servers:
    """The base URL as a template, its variables, and by operations' labels what follows it, None on another server."""

    base_url: str = ""
    variables: dict[str, dict[str, Any]] = field(factory=dict)
    prefixes: dict[str, str | None] = field(factory=dict)


def find_servers(document: Document, operations: Sequence[Operation], report: Report) -> Servers:
    """Return the server that most operations are on."""
    found = Servers()
    parts: dict[str, Part] = {}
    urls: dict[str, str] = {}
    for operation in operations:
        listed = [*operation.part.at("servers").items, *operation.path_item.at("servers").items]
        listed = listed or document.root.at("servers").items or [Part({"url": "/"}, ("servers",))]
        server = next((each for each in listed if not _is_for_trying(each)), listed[0])
        url = server.at("url").text.strip() or "/"
        parts.setdefault(url, server)
        urls[operation.label] = url
    [(chosen, _)] = Counter(urls.values()).most_common(1)
    _set_base_url(found, parts[chosen], chosen, report)
    found.prefixes = {label: _between(chosen.rstrip("/"), url.rstrip("/")) for label, url in urls.items()}
    others = [each for server in document.root.at("servers").items if (each := server.at("url").words) != chosen]
    if others:
        report.notes.append(f"The document names more servers, which aren't used: {', '.join(others[:10])}")
    return found


def _between(base: str, url: str) -> str | None:
    below = url.removeprefix(base)
    return below if url == base or (url.startswith(f"{base}/") and "{" not in below) else None


def _is_for_trying(server: Part) -> bool:
    told = f"{server.at('url').words} {server.at('description').words}"
    return bool(_LOCAL.match(told) or _FOR_TRYING.search(told))


def _set_base_url(found: Servers, server: Part, url: str, report: Report) -> None:
    names = re.findall(r"\{([^{}]*)\}", url)
    declared = {name: Part({}, (*server.place, "variables", name)) for name in names}
    declared |= dict(server.at("variables").members)
    url = re.split("[?#]", _with_scheme(url, declared))[0].rstrip("/")
    url = f"https:{url}" if url.startswith("//") else url
    is_example = _LOCAL.match(url) or _EXAMPLE.match(url)
    if is_example or not re.match(r"https?://", url, re.IGNORECASE):
        where = "a server of its own" if _LOCAL.match(url) else "only the example of a server"
        where = f"{where}, {url}" if is_example else f"only a relative address, {url or '/'}"
        report.notes.append(f"The document names {where}: whoever connects an account is asked for the server.")
        found.variables["server_url"] = dict(_OWN_SERVER)
        path = (urlsplit(url).path if "://" in url else url).strip("/")
        url = f"/{path}" if path else ""
        found.base_url = "${vars.server_url}"
    template = url
    for name, variable in declared.items():
        if (place := f"{{{name}}}") in template:
            template = template.replace(place, _variable(found, name, variable, url))
    found.base_url += template
    if re.search(r"(?<!\$)\{|\}(?![^$]*)", re.sub(r"\$\{vars\.\w+\}", "", found.base_url)):
        raise BrokenDocument((*server.place, "url"), "has braces that name no variable")
    if found.base_url.lower().startswith("http://"):
        report.notes.append(
            "The server is addressed by http, so credentials would go unencrypted; use https if it can."
        )
    if "${" not in found.base_url:
        try:
            check_base_url(found.base_url)
        except ValueError as error:
            raise BrokenDocument((*server.place, "url"), str(error)) from error


def _with_scheme(url: str, declared: Mapping[str, Part]) -> str:
    """Return a server's address with what a variable at its beginning stands for: a scheme, or a whole address."""
    first = re.match(r"\{([^{}]*)\}(?=(://)|/|$)", url)
    if first is None:
        return url
    default = declared[first[1]].at("default").text
    if first[2]:
        return url.replace(first[0], default if default in ("http", "https") else "https", 1)
    return url.replace(first[0], default.rstrip("/"), 1) if re.match(r"https?://", default) else url


def _variable(found: Servers, name: str, variable: Part, url: str) -> str:
    default = variable.object.get("default")
    default = "" if default is None else str(default)
    values = [str(each.value) for each in variable.at("enum").items]
    if len(values) == 1:
        return values[0]
    if not values and default and f"{{{name}}}" not in urlsplit(url).netloc:
        return default.strip("/")  # a part of the path, such as the version: what the document was written for
    key = "_".join(words_of(name)) or "server"
    key = key if key[0].isalpha() else f"server_{key}"
    told = description_of(variable.at("description").words, 280)
    declared: dict[str, Any] = {"title": title_of_name(name)} | ({"description": told} if told else {})
    declared |= {"set_by": "user", "pattern": "|".join(map(re.escape, values)) if values else _LABELS}
    if default and re.fullmatch(declared["pattern"], default):
        declared["default"] = default
    found.variables[key] = declared
    return f"${{vars.{key}}}"
