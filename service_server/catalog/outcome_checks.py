"""Checks the `outcome` of a function at load, by the sample of an answer that stands beside it."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from attrs import evolve

from service_server.catalog.document import KeyPath
from service_server.catalog.expressions import ABSENT, InvalidRequest, Reference, names_in, parse_text, references_in
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.outcome import OutcomeTemplate, filled_link, is_given_by_answer
from service_server.catalog.parameters import sensitive_paths
from service_server.catalog.problems import Report, dotted, nearest
from service_server.catalog.templates import Names, check_template

_PLACEHOLDER = re.compile(r"\$\{[^{}]*\}")
_HOST = re.compile(r"(?:https://)?((?:\$\{[^{}]*\}|[^/?#])*).*", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def check_outcome(
    report: Report, outcome: OutcomeTemplate, names: Names, app: DeclaredConnector, example: Mapping[str, Any]
) -> None:
    """Report what of an outcome, the part that the report is of, means nothing or could never be shown."""
    before = len(report.problems)
    texts = outcome.texts
    for path, text in texts.items():
        check_template(report, path, text, names)
    if len(report.problems) > before:
        return
    sample = list(outcome.sample) if isinstance(outcome.sample, tuple) else outcome.sample
    for path, text in texts.items():
        _check_references(report, path, text, sample, names)
    _check_title(report, outcome, sample)
    if outcome.link is not None:
        _check_host(report, outcome.link, app)
    if len(report.problems) == before:
        _check_filled(report, outcome, {"args": example, "output": sample})


def _check_references(report: Report, path: KeyPath, text: str, sample: Any, names: Names) -> None:
    secret = sensitive_paths(names.arguments)
    references = references_in(text)
    if path[0] == "facts" and not references:
        report.add(path, "says the same of every answer; name a value of it, such as ${output.status}")
    for reference in references:
        if reference.root == "args" and dotted(reference.keys[:1]) in {each.partition(".")[0] for each in secret}:
            report.add(path, f"{reference} is x-sensitive, so it is not to be shown")
        if reference.root != "output":
            continue
        if not reference.keys:
            report.add(path, "'output' needs a name behind it, such as output.name")
        elif reference.find({"output": sample}) is ABSENT:
            report.add(path, _missing(reference, sample))


def _missing(reference: Reference, sample: Any) -> str:
    """Say what of a path the sample lacks."""
    values, keys = {"output": sample}, reference.keys
    lacking = next(at for at in range(len(keys)) if evolve(reference, keys=keys[: at + 1]).find(values) is ABSENT)
    around = evolve(reference, keys=keys[:lacking]).find(values)
    known = map(str, around) if isinstance(around, Mapping) else ()
    at = ".".join(("sample", *keys[:lacking]))
    return f"there is no '{keys[lacking]}' in '{at}'{nearest(keys[lacking], known)}; add it there as the app answers it"


def _check_title(report: Report, outcome: OutcomeTemplate, sample: Any) -> None:
    if any(reference.optional for reference in references_in(outcome.title)):
        report.add(
            ("title",), "can't do without a value, so no expression in it ends in '?'; name what is always there"
        )
    if sample is not None and not outcome.expected:
        said = "or the link or a fact, has to name what a good answer is known by, such as ${output.id}"
        report.add(("title",), said)


def _check_host(report: Report, link: str, app: DeclaredConnector) -> None:
    """Report a link that leads where the app's answer, or its connector.yaml, doesn't."""
    if is_given_by_answer(link):
        return
    first = parse_text(link)[0]
    if isinstance(first, Reference) and first.root == "output":
        report.add(
            ("link",), "an address of the answer is taken as it is; write nothing behind it, or the host before it"
        )
        return
    if isinstance(first, str) and not first.startswith("https://"):
        report.add(("link",), "must begin with https:// or be an address that the answer gives, such as ${output.url}")
        return
    base_urls = [app.base_url_template, *(way.base_url for way in app.auth)]
    host = _HOST.sub(r"\1", link)
    for reference in references_in(host):
        if reference.root != "vars":
            report.add(("link",), f"{reference} can't decide on which host it is; only variables of base_url can")
        elif reference.keys[0] not in names_in(base_urls, "vars"):
            report.add(("link",), f"{reference} can't decide on which host it is, because no base_url refers to it")
    pages = [getattr(way, key, None) for way in app.auth for key in ("authorize_url", "token_url")]
    named = filter(None, (*base_urls, app.docs_url, *pages, *app.allow_hosts))
    sites = {site for address in named if (site := _site(_authority(address)))}
    shown = _PLACEHOLDER.sub("x", host)
    if isinstance(first, str) and _site(shown) not in sites:
        known = ", ".join(sorted(sites)) or "none"
        report.add(("link",), f"{shown} is none of the app's own hosts; its connector.yaml names {known}")


def _check_filled(report: Report, outcome: OutcomeTemplate, values: Mapping[str, Any]) -> None:
    """Report what the sample, the example's arguments and any variables come to nothing with."""
    variables = dict.fromkeys(names_in([*outcome.texts.values()], "vars"), "x")
    read, left_out = outcome.read({**values, "vars": variables})
    if read is None:
        report.add(("title",), f"is not shown for the sample and the first example: {left_out[0].partition(': ')[2]}")
    if outcome.link is None:
        return
    first = parse_text(outcome.link)[0]
    if isinstance(first, Reference) and first.root == "vars":  # an address as a whole
        variables = {**variables, first.keys[0]: "https://app.example"}
    try:
        filled_link(outcome.link, {**values, "vars": variables})
    except InvalidRequest as problem:
        report.add(("link",), f"is not shown for the sample and the first example: {problem.message}")


def _authority(text: str) -> str:
    """Return the host in an address, or the host itself, with any name for a variable; "" for no address."""
    plain = _PLACEHOLDER.sub("x", text).removeprefix("*.")
    if not _SCHEME.match(plain):
        return plain.partition(":")[0]
    try:
        return urlsplit(plain).hostname or ""
    except ValueError:
        return ""


def _site(host: str) -> str:
    """Return the domain that whoever has a host has registered: `github.com` of `api.github.com`."""
    labels = host.lower().partition(":")[0].split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return ""
    is_short = len(labels[-1]) == 2 and labels[-2] in ("co", "com", "org", "net", "ac", "gov")
    return ".".join(labels[-3:] if is_short else labels[-2:])
