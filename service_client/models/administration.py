"""What the admin API tells, and `service_client.admin` gives: not in the browser's bundle."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from attrs import Factory, field, frozen

Role = Literal["owner", "developer", "viewer"]
"""Today's roles; a newer service may have others."""


@frozen(kw_only=True)
class Application:
    """A host application; `secrets` are the fingerprints of its one or two live secrets, newest first."""

    id: int
    name: str
    app_key: str
    allowed_origins: tuple[str, ...]
    secrets: tuple[str, ...]
    created_at: datetime


@frozen(kw_only=True)
class ApplicationWithSecret:
    """An application and its new secret, which is told this once."""

    application: Application
    secret: str = field(repr=False)


@frozen(kw_only=True)
class Applications:
    """One page of applications; `cursor` is empty on the last page."""

    data: tuple[Application, ...]
    cursor: str = ""


@frozen(kw_only=True)
class Brand:
    """What users see of an application while they connect: a name, a colour as `#rrggbb`, a logo as a `data:` URL."""

    name: str | None = None
    accent: str | None = None
    logo: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class WayToSignIn:
    """One way to sign in to an app; `missing` names the settings that it still needs."""

    title: str
    missing: tuple[str, ...]


@frozen(kw_only=True)
class AppSettings:
    """
    What is set for an app, for all applications or, `own`, for one alone; `ways` says what is still missing.

    Of the client secret it tells only whether there is one.
    """

    app: str
    title: str
    own: bool
    client_id: str | None
    has_client_secret: bool
    variables: Mapping[str, str]
    ways: tuple[WayToSignIn, ...]


@frozen(kw_only=True)
class TriedSignIn:
    """What came of trying one thing about a way to sign in: `works`, `fails`, or `unknown` without a user."""

    way: str
    what: str
    result: str
    told: str


@frozen(kw_only=True)
class TriedSignIns:
    """What came of trying an app's sign-in settings."""

    data: tuple[TriedSignIn, ...]


@frozen(kw_only=True)
class Erased:
    """What was erased of a user: how many of which kind, and how many accounts could not be revoked at their apps."""

    counts: Mapping[str, int]
    not_revoked: int


@frozen(kw_only=True)
class AllAppSettings:
    """One page of the apps' settings; `cursor` is empty on the last page."""

    data: tuple[AppSettings, ...]
    cursor: str = ""


@frozen(kw_only=True)
class Account:
    """A connected account, whose ever it is; `auth` is the way it was connected."""

    id: int
    application_id: int
    user_id: str
    app: str
    auth: str
    display_name: str
    state: str
    state_reason: str | None
    modified_at: datetime


@frozen(kw_only=True)
class Accounts:
    """One page of accounts; `cursor` is empty on the last page."""

    data: tuple[Account, ...]
    cursor: str = ""


@frozen(kw_only=True)
class Call:
    """
    One executed call. `arguments` and `output` come with a single call alone, to those who may see them.

    `has_contents` tells whether they are there.
    """

    id: str
    application_id: int
    user_id: str
    app: str
    function: str
    type: str
    connected_account_id: int
    outcome: str
    network_code: str | None
    started_at: datetime
    duration_ms: float | None
    request_id: str
    has_contents: bool = False
    arguments: Any = field(default=None, repr=False)
    output: Any = field(default=None, repr=False)


@frozen(kw_only=True)
class Calls:
    """
    One page of calls; `cursor` is empty on the last page.

    With narrow filters a page may have few calls, or none, though others follow: enough was read for one answer.
    """

    data: tuple[Call, ...]
    cursor: str = ""


@frozen(kw_only=True)
class ReplayedCall:
    """A call that was run again: the id of the new one in the log, None in the rare case that it is not there."""

    call_id: str | None


@frozen(kw_only=True)
class Refusal:
    """One call that was refused before anything was sent."""

    id: str
    application_id: int
    user_id: str
    function: str
    code: str
    error: str
    at: datetime
    request_id: str


@frozen(kw_only=True)
class Refusals:
    """One page of refused calls, as `Calls`."""

    data: tuple[Refusal, ...]
    cursor: str = ""


@frozen(kw_only=True)
class WebhookEndpoint:
    """Where an application is told what happens; without `event_types` it is told all."""

    id: str
    application_id: int
    url: str
    event_types: tuple[str, ...]
    state: str
    state_reason: str | None
    failing_since: datetime | None
    secrets: tuple[str, ...]
    created_at: datetime


@frozen(kw_only=True)
class WebhookEndpointWithSecret:
    """An endpoint and its new secret, which is told this once."""

    endpoint: WebhookEndpoint
    secret: str = field(repr=False)


@frozen(kw_only=True)
class WebhookEndpoints:
    """One page of endpoints; `cursor` is empty on the last page."""

    data: tuple[WebhookEndpoint, ...]
    cursor: str = ""


@frozen(kw_only=True)
class WebhookDelivery:
    """An event on its way to an endpoint, or at its end there; `status` and `problem` are of the last attempt."""

    id: int
    event_id: str
    event_type: str
    connected_account_id: int | None
    state: str
    attempts: int
    status: int | None
    problem: str | None
    created_at: datetime
    ended_at: datetime | None
    next_attempt_at: datetime | None


@frozen(kw_only=True)
class WebhookDeliveries:
    """One page of deliveries; `cursor` is empty on the last page."""

    data: tuple[WebhookDelivery, ...]
    cursor: str = ""


@frozen(kw_only=True)
class Operator:
    """Someone who may sign in to the console; `sees_contents` counts for viewers."""

    name: str
    role: Role | str
    sees_contents: bool
    created_at: datetime


@frozen(kw_only=True)
class Operators:
    """One page of operators; `cursor` is empty on the last page."""

    data: tuple[Operator, ...]
    cursor: str = ""


@frozen(kw_only=True)
class OperatorSession:
    """Where an operator is signed in to the console; `id` names the session and opens nothing."""

    id: str
    operator: str
    browser: str
    address: str
    signed_in_at: datetime
    seen_at: datetime


@frozen(kw_only=True)
class OperatorSessions:
    """One page of sessions; `cursor` is empty on the last page."""

    data: tuple[OperatorSession, ...]
    cursor: str = ""


@frozen(kw_only=True)
class EndedSessions:
    """How many sessions were ended."""

    ended: int


@frozen(kw_only=True)
class Key:
    """A key of the admin API, without what opens anything; `last_used_at` is right to the minute."""

    id: str
    name: str
    role: Role | str
    sees_contents: bool
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    last_used_at: datetime | None


@frozen(kw_only=True)
class KeyWithText:
    """A key and its text, which is told this once."""

    key: Key
    text: str = field(repr=False)


@frozen(kw_only=True)
class Keys:
    """One page of keys; `cursor` is empty on the last page."""

    data: tuple[Key, ...]
    cursor: str = ""


@frozen(kw_only=True)
class AuditEvent:
    """
    Something that was done: `act` to `subject` by `actor`, `via` the console, the api or the command_line.

    `changes` says what changed, and never holds a secret.
    """

    id: str
    at: datetime
    via: str
    actor: str
    key_id: str | None
    address: str | None
    request_id: str | None
    act: str
    subject: str
    changes: Mapping[str, Any] = Factory(dict[str, Any])


@frozen(kw_only=True)
class AuditTrail:
    """One page of the audit trail; `cursor` is empty on the last page."""

    data: tuple[AuditEvent, ...]
    cursor: str = ""
