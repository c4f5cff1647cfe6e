"""What is tried of a connector, and what is shown of it: requests without their secrets, and their answers."""

import json
from collections.abc import Container, Mapping
from typing import Any

from attrs import field, frozen

from service_client import models
from service_server.catalog.auth import AuthMethod
from service_server.catalog.expressions import Context
from service_server.catalog.values import AccountIdentity, Connector, FunctionDefinition
from service_server.cli.trial_files import FileTold
from service_server.invoke.redaction import redacted
from service_server.onward.values import OnwardRequest
from service_server.redaction.spellings import Spellings, texts_in

_SHOWN_BYTES = 64 * 1024
_HIDDEN = "•••"


@frozen(kw_only=True)
class Trial:
    """
    The connection test and up to so many `pages` of one function; without a `function` the test alone.

    `credentials` are the fields of the way to sign in, or `access_token`.
    """

    connector: Connector
    function: FunctionDefinition | None
    auth: AuthMethod
    credentials: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str]
    arguments: Mapping[str, Any]
    allow_hosts: tuple[str, ...] = ()
    pages: int = 1
    tests: bool = True


@frozen(kw_only=True)
class Page:
    """
    One request that was sent, without its secrets, and what came back.

    `missed` tells that the function's `output` leads to nothing in the answer, whose whole body stands for it then.
    `said` is what the function says of the answer, and `unsaid` why something of that is left out. `file` is what a
    call would keep of it, where the function gives a file.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: Any
    status: int
    output: Any
    milliseconds: float
    missed: bool = False
    said: models.Outcome | None = None
    unsaid: tuple[str, ...] = ()
    file: FileTold | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the app answered with a 2xx."""
        return 200 <= self.status < 300

    def described(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "request": {"method": self.method, "url": self.url, "headers": dict(self.headers), "body": self.body},
            "status": self.status,
            "output": self.output,
            "output_missed": self.missed,
            "outcome": None if self.said is None else models.CONVERTER.unstructure(self.said),
            "outcome_left_out": list(self.unsaid),
            "file": None if self.file is None else self.file.described(),
            "milliseconds": round(self.milliseconds, 1),
        }


@frozen(kw_only=True)
class Outcome:
    """
    What came of a trial.

    `account` is what the test told, None without a test; `more` tells whether there are further pages, None where the
    function has no pages.
    """

    account: AccountIdentity | None
    sign_in_milliseconds: float | None
    pages: tuple[Page, ...]
    more: bool | None

    @property
    def succeeded(self) -> bool:
        """Whether everything was answered with a 2xx, but for a page behind the last one."""
        return all(page.succeeded for page in self.pages)

    def described(self) -> dict[str, Any]:
        """The JSON form: the first page, and those that follow."""
        account, first = self.account, self.pages[0].described() if self.pages else {}
        return {
            "account": None if account is None else {"id": account.external_id, "name": account.display_name},
            "sign_in_milliseconds": None if self.sign_in_milliseconds is None else round(self.sign_in_milliseconds, 1),
            **first,
            "more": self.more,
            "further_pages": [page.described() for page in self.pages[1:]],
        }


def spellings(context: Context) -> Spellings:
    """The secrets of an account in every spelling."""
    return Spellings.of([*texts_in(context.get("creds")), *texts_in(context.get("token"))])


def page_of(
    request: OnwardRequest,
    status: int,
    output: Any,
    milliseconds: float,
    *,
    hidden: Container[str],
    secrets: Spellings,
    sensitive: frozenset[str] = frozenset(),
) -> Page:
    """What is shown of a request and its answer: without `secrets`, `hidden` headers and `sensitive` parameters."""
    return Page(
        method=request.method,
        url=str(redacted(request.url, secrets, _SHOWN_BYTES)),
        headers={name: _HIDDEN if name.lower() in hidden else value for name, value in request.headers},
        body=redacted(_readable(request), secrets, _SHOWN_BYTES, sensitive),
        status=status,
        output=redacted(output, secrets, _SHOWN_BYTES),
        milliseconds=milliseconds,
    )


def _readable(request: OnwardRequest) -> Any:
    if request.streamed is not None:
        return f"({request.streamed.length} bytes, with a file)"
    if not request.body:
        return None
    try:
        return json.loads(request.body)
    except ValueError:
        return request.body.decode("utf-8", "replace")
