"""The tables. Columns named `sealed_*` hold only what the vault has sealed, or pieces under a key that it sealed."""

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    text,
)

from service_server.store.column_types import Number, String, Text

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# What pages show of the log, by conditions that few of its rows meet.
IS_UNFINISHED = "outcome <> 'finished'"
HAS_SUCCEEDED = "outcome = 'finished' AND network_code LIKE '2%'"
HAS_FAILED = "outcome = 'finished' AND network_code NOT LIKE '2%'"
IS_PENDING = "state = 'pending'"
IS_GIVEN_UP = "state = 'failed'"
IS_ACTIVE = "state = 'active'"
IS_INACTIVE = "state <> 'active'"
# Newest first, narrowed to one of these: the rows are found without reading the others.
FILTERED_BY = ("application_id", "user_id", "function_name")


def _where(condition: str) -> dict[str, Any]:
    """The condition of a partial index."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


APPLICATIONS = Table(
    "applications",
    METADATA,
    Column("id", Number, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("app_key", String(64), nullable=False, unique=True),
    Column("sealed_secrets", JSON, nullable=False),  # one or two, newest first
    Column("allowed_origins", JSON, nullable=False),
    Column("created_at", String(27), nullable=False),
    sqlite_autoincrement=True,
)

# How an application looks to users while they connect; a table apart, since applications are read often.
APPLICATION_BRANDS = Table(
    "application_brands",
    METADATA,
    Column("application_id", Number, primary_key=True, autoincrement=False),
    Column("name", String(200)),
    Column("accent", String(7)),  # #rrggbb
    Column("logo", Text),  # a data: URL
)

# One row per app name ever seen, so that an app's id survives removing and re-adding its connector.
APP_IDS = Table(
    "app_ids",
    METADATA,
    Column("id", Number, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    sqlite_autoincrement=True,
)

APP_CONFIGURATIONS = Table(
    "app_configurations",
    METADATA,
    Column("app_name", String(64), primary_key=True),
    Column("client_id", Text),
    Column("sealed_client_secret", Text),
    Column("variables", JSON, nullable=False),
    Column("modified_at", String(27), nullable=False),
)

# What takes its place for one application.
APPLICATION_APP_CONFIGURATIONS = Table(
    "application_app_configurations",
    METADATA,
    Column("application_id", Number, primary_key=True, autoincrement=False),
    Column("app_name", String(64), primary_key=True),
    Column("client_id", Text),
    Column("sealed_client_secret", Text),
    Column("variables", JSON, nullable=False),
    Column("modified_at", String(27), nullable=False),
)

ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("id", Number, primary_key=True),
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("app_name", String(64), nullable=False),
    Column("auth_id", String(64), nullable=False),
    # Connected with what was set for its application alone: an OAuth2 client renews only the tokens that it got.
    Column("own_settings", Boolean, nullable=False, server_default=false()),
    Column("external_id", Text),  # the third party's own name for this identity; null if it names none
    Column("display_name", Text, nullable=False),
    Column("state", String(32), nullable=False),
    Column("state_reason", Text),
    Column("sealed_credentials", Text, nullable=False),
    Column("variables", JSON, nullable=False),
    Column("expires_at", Float),
    Column("version", Integer, nullable=False),  # changes whenever the credentials are replaced
    Column("lease_owner", String(64)),
    Column("lease_until", Float),
    Column("refresh_interrupted", Boolean, nullable=False, server_default=false()),
    Column("refresh_failing_since", Float),  # the application is told of the first failure, not of those that follow
    # When to see whether it has to be renewed though nobody uses it; 0 if nobody has worked that out.
    Column("renewal_due_at", Float, nullable=False, server_default=text("0")),
    Column("refreshed_at", String(27)),
    Column("created_at", String(27), nullable=False),
    Column("modified_at", String(27), nullable=False),
    Index("ix_accounts_owner", "application_id", "user_id", "app_name"),
    Index(
        "uq_accounts_identity",
        "application_id",
        "user_id",
        "app_name",
        "external_id",
        unique=True,
        **_where("external_id IS NOT NULL"),
    ),
    Index("ix_accounts_renewal_due_at", "renewal_due_at", **_where(IS_ACTIVE)),
    Index("ix_accounts_inactive", "app_name", "modified_at", **_where(IS_INACTIVE)),
    Index("ix_accounts_app_name_external_id", "app_name", "external_id", **_where("external_id IS NOT NULL")),
    sqlite_autoincrement=True,
)

# What happened to accounts; kept as long as calls are. Of renewals, which are frequent, an account has the last.
ACCOUNT_EVENTS = Table(
    "account_events",
    METADATA,
    Column("id", String(32), primary_key=True),  # sorts by time
    Column("at", String(27), nullable=False),
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("app_name", String(64), nullable=False),
    Column("account_id", Number, nullable=False),
    Column("event", String(64), nullable=False),
    Column("reason", Text),
    Index("ix_account_events_at", "at"),
    Index("ix_account_events_owner", "application_id", "user_id", "id"),
)

CONNECT_SESSIONS = Table(
    "connect_sessions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("app_name", String(64), nullable=False),
    Column("reconnect_account_id", Number),
    Column("redirect_url", Text),
    Column("return_url", Text),  # where the last page offers to continue
    Column("locale", String(16)),  # of the page that the session was started on, as are the next two
    Column("theme", String(8)),
    Column("accent", String(7)),  # #rrggbb
    Column("functions", JSON),  # names of those whose scopes are asked for in addition to the usual ones
    Column("status", String(16), nullable=False),
    Column("error", Text),
    Column("connected_account_id", Number),
    Column("page", String(64)),  # names the page shown last, so that only closing that one ends the session
    Column("browser_hash", String(64)),  # of the cookie of the one browser that opened the page
    Column("state_hash", String(64), unique=True),  # of the last OAuth2 `state`, or what marks it as taken
    Column("sealed_progress", Text),  # PKCE verifier, chosen auth, variables
    Column("code_hash", String(64)),  # of the code that redeems the outcome in redirect mode
    # The account that waits to be redeemed or, once the session has ended otherwise, to be revoked at its app.
    Column("sealed_outcome", Text),
    Column("revoking_until", Float),  # until then one process is responsible for revoking it
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("ix_connect_sessions_expires_at", "expires_at"),
    Index("ix_connect_sessions_in_progress", "expires_at", **_where("sealed_progress IS NOT NULL")),
    Index("ix_connect_sessions_unredeemed", "expires_at", **_where("sealed_outcome IS NOT NULL")),
)

# The service's processes that are alive, or have ended without tidying up.
PROCESSES = Table(
    "processes",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("started_at", String(27), nullable=False),
)

CALLS = Table(
    "calls",
    METADATA,
    Column("id", String(32), primary_key=True),  # sorts by time
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("app_name", String(64), nullable=False),
    Column("function_name", String(64), nullable=False),
    Column("function_type", String(16), nullable=False),
    Column("account_id", Number, nullable=False),
    Column("outcome", String(16), nullable=False),  # started, finished or unknown
    Column("network_code", String(8)),
    Column("arguments", JSON),
    Column("output", JSON),
    Column("started_at", String(27), nullable=False),
    Column("duration_ms", Float),
    Column("app_ms", Float),  # of the duration, at the app
    Column("renewal_ms", Float),
    Column("waiting_ms", Float),
    Column("request_id", String(64), nullable=False),
    # The process responsible for a call while it is started. The foreign key keeps one that is gone from starting more.
    Column("process_id", String(32), ForeignKey("processes.id")),
    Index("ix_calls_process_id", "process_id", **_where("process_id IS NOT NULL")),
    Index("ix_calls_started_at", "started_at"),
    *(Index(f"ix_calls_{name}_id", name, "id") for name in (*FILTERED_BY, "app_name", "request_id")),
    Index("ix_calls_unfinished", "id", **_where(IS_UNFINISHED)),
    Index("ix_calls_failed", "id", **_where(HAS_FAILED)),
    postgresql_partition_by="RANGE (id)",
)

# Calls that were refused before anything was sent: kept apart, never part of the Function Calls log.
REFUSALS = Table(
    "refusals",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("function_name", String(64), nullable=False),
    Column("code", String(64), nullable=False),
    Column("error", Text, nullable=False),
    Column("at", String(27), nullable=False),
    Column("request_id", String(64), nullable=False),
    Index("ix_refusals_at", "at"),
    *(Index(f"ix_refusals_{name}_id", name, "id") for name in (*FILTERED_BY, "request_id")),
    postgresql_partition_by="RANGE (id)",
)

# How many calls of a function there were in an hour or a day, and how long they took: charts can't read the log.
CALL_COUNTS = Table(
    "call_counts",
    METADATA,
    Column("seconds", Integer, primary_key=True, autoincrement=False),  # how long the period is: an hour or a day
    Column("begins_at", Number, primary_key=True, autoincrement=False),  # in seconds since 1970
    Column("app_name", String(64), primary_key=True),
    Column("function_name", String(64), primary_key=True),
    Column("executed", Number, nullable=False),
    Column("failed", Number, nullable=False),  # of the executed ones
    Column("refused", Number, nullable=False),
    Column("app_ms", Float, nullable=False),  # of all executed ones together
    Column("service_ms", Float, nullable=False),
)

IDEMPOTENCY = Table(
    "idempotency",
    METADATA,
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("function_name", String(64), nullable=False),
    Column("idempotency_key", String(255), nullable=False),
    Column("arguments_hash", String(64), nullable=False),
    Column("call_id", String(32), nullable=False),
    Column("response", JSON),  # null while the first call is under way
    Column("created_at", Float, nullable=False),
    Column("process_id", String(32), ForeignKey("processes.id")),  # of the first call, while it is under way
    UniqueConstraint("application_id", "user_id", "function_name", "idempotency_key"),
    Index("ix_idempotency_process_id", "process_id", **_where("process_id IS NOT NULL")),
    Index("ix_idempotency_created_at", "created_at"),
)

# When requests were sent, or will be, for accounts whose app takes only so many in a window of time.
BUDGET_USES = Table(
    "budget_uses",
    METADATA,
    Column("account_id", Number, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_budget_uses_account_id_at", "account_id", "at"),
)

# Files that users keep here for a while, as input or output of functions. They are in the database, since processes on
# several machines share nothing else.
FILES = Table(
    "files",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("application_id", Number, nullable=False),
    Column("user_id", String(256), nullable=False),
    Column("sealed_head", Text, nullable=False),  # the key of its pieces, its name and its media type
    Column("size", Number, nullable=False),  # in bytes; while the file is written, the room set aside for it
    Column("is_whole", Boolean, nullable=False, server_default=false()),
    Column("expires_at", Float, nullable=False),
    Index("ix_files_application_id_user_id", "application_id", "user_id"),
    Index("ix_files_expires_at", "expires_at"),
)

FILE_PIECES = Table(
    "file_pieces",
    METADATA,
    Column("file_id", String(64), ForeignKey("files.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("sealed_content", LargeBinary, nullable=False),
)

# Where an application is told what happens.
WEBHOOK_ENDPOINTS = Table(
    "webhook_endpoints",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("application_id", Number, nullable=False),
    Column("url", Text, nullable=False),
    Column("event_types", JSON, nullable=False),  # none: all
    Column("sealed_secrets", JSON, nullable=False),  # one or two, newest first
    Column("state", String(16), nullable=False),  # enabled or disabled
    Column("state_reason", Text),
    Column("failing_since", Float),
    Column("paused_until", Float),  # as it asked for
    Column("created_at", String(27), nullable=False),
)

# What an endpoint is told, or was: written in the transaction that makes it true, and sent later. Of an account it is
# sent in the order of the ids.
WEBHOOK_DELIVERIES = Table(
    "webhook_deliveries",
    METADATA,
    Column("id", Number, primary_key=True),
    Column("endpoint_id", String(32), nullable=False),
    Column("account_id", Number, nullable=False),  # 0: of no account
    Column("event_id", String(64), nullable=False),  # an event that is sent again keeps its id
    Column("event_type", String(64), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(16), nullable=False),  # pending, delivered or failed
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("lease_owner", String(32)),
    Column("lease_until", Float),
    Column("status", Integer),  # of the last answer
    Column("problem", Text),  # of the last attempt
    Column("created_at", Float, nullable=False),
    Column("ended_at", Float),
    Index("ix_webhook_deliveries_pending", "endpoint_id", "account_id", "id", **_where(IS_PENDING)),
    Index("ix_webhook_deliveries_endpoint_id_id", "endpoint_id", "id"),
    Index("ix_webhook_deliveries_given_up", "endpoint_id", "id", **_where(IS_GIVEN_UP)),
    Index("ix_webhook_deliveries_event_id", "event_id"),
    Index("ix_webhook_deliveries_created_at", "created_at"),
    sqlite_autoincrement=True,
)

OPERATORS = Table(
    "operators",
    METADATA,
    Column("name", String(200), primary_key=True),
    Column("password_hash", Text, nullable=False),
    # The defaults are for rows of a release that knew no roles: its operators may do everything.
    Column("role", String(16), nullable=False, server_default=text("'owner'")),
    Column("sees_contents", Boolean, nullable=False, server_default=false()),
    Column("created_at", String(27), nullable=False),
    Column("oidc_subject", String(255)),  # who signs in by OpenID Connect, and has no password (an empty hash)
)

# Where operators are signed in; the secret of a session is in its browser's cookie only.
OPERATOR_SESSIONS = Table(
    "operator_sessions",
    METADATA,
    Column("id", String(64), primary_key=True),  # the hash of the secret
    Column("operator", String(200), nullable=False),
    Column("password_mark", String(64), nullable=False),
    Column("browser", String(200), nullable=False),
    Column("address", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)

# What programs may use the admin API with: the key itself is shown once and never kept.
ADMIN_KEYS = Table(
    "admin_keys",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("key_hash", String(64), nullable=False),
    Column("role", String(16), nullable=False),
    Column("sees_contents", Boolean, nullable=False),
    Column("created_at", String(27), nullable=False),
    Column("created_by", String(200), nullable=False),
    Column("expires_at", Float),
    Column("last_used_at", Float),
    Column("removed_at", String(27)),  # the row stays: the audit trail names it
)

# What operators, keys and the command line did: written with what they changed.
AUDIT_EVENTS = Table(
    "audit_events",
    METADATA,
    Column("id", String(32), primary_key=True),  # sorts by time
    Column("at", String(27), nullable=False),
    Column("via", String(16), nullable=False),  # console, api or command_line
    Column("actor", String(200), nullable=False),
    Column("key_id", String(32)),
    Column("address", String(64)),
    Column("request_id", String(64)),
    Column("act", String(64), nullable=False),
    Column("subject", String(256), nullable=False),  # the id of what it was done to
    Column("changes", JSON, nullable=False),
    Index("ix_audit_events_at", "at"),
    *(Index(f"ix_audit_events_{name}_id", name, "id") for name in ("actor", "act", "subject")),
)

VAULT_KEYS = Table(
    "vault_keys",
    METADATA,
    Column("key_id", String(16), primary_key=True),
    Column("sealed_proof", Text, nullable=False),  # opens only with the right key
)

# One row: the oldest revision of the schema whose code works on this one, too. Every migration writes it.
SCHEMA_COMPATIBILITY = Table(
    "schema_compatibility",
    METADATA,
    Column("oldest_revision", String(32), primary_key=True),
)
