"""Everything the service keeps: SQLAlchemy is used here and nowhere else. Secrets arrive here already sealed."""

from service_server.store.account import Account, AccountGone, IdentityConflict, Lease, NewAccount, SessionEnded
from service_server.store.account_search import AccountFilter
from service_server.store.accounts import Accounts
from service_server.store.admin_keys import AdminKey, AdminKeys
from service_server.store.app_configurations import AppConfiguration, AppConfigurations
from service_server.store.app_ids import AppIds
from service_server.store.applications import Application, Applications, Brand
from service_server.store.audit_events import Act, AuditEvent, AuditEvents, AuditFilter, Via
from service_server.store.away import tell_away
from service_server.store.budgets import Budgets, Turn
from service_server.store.call_counts import CallCounts, Counted, Periods, Sums
from service_server.store.call_filter import CallFilter, CallOutcome
from service_server.store.call_search import Page
from service_server.store.calls import Call, CallLog, Refusal
from service_server.store.connect_sessions import ConnectSessionRow, ConnectSessions, Theme
from service_server.store.copies import Copies, copies_of
from service_server.store.cut_off import CutOff, end_what_was_under_way
from service_server.store.database import Database
from service_server.store.failures import DatabaseAway, DatabaseUnusable
from service_server.store.files import FileGone, FileRow, NoRoomForFile, Room, StoredFiles
from service_server.store.idempotency import IdempotencyRecord, IdempotencyRecords
from service_server.store.kind import Listener
from service_server.store.operator_sessions import OperatorSession, OperatorSessions
from service_server.store.operators import Operator, Operators, Role
from service_server.store.processes import Processes
from service_server.store.renewals import RenewalDue, Renewals
from service_server.store.retention import Retention
from service_server.store.schema import Schema
from service_server.store.sealed_values import SEALED_KINDS, SealedRow, SealedValues
from service_server.store.snapshot import Snapshot, Watch
from service_server.store.user_data import USER_DATA_KINDS, UserData
from service_server.store.vault_keys import VaultKeys
from service_server.store.webhook_deliveries import DeliveryState, WebhookDeliveries, WebhookDelivery
from service_server.store.webhook_endpoints import WebhookEndpoint, WebhookEndpoints
from service_server.store.webhook_events import CallEvents, NewEvent

__all__ = [
    "SEALED_KINDS",
    "USER_DATA_KINDS",
    "Account",
    "AccountFilter",
    "AccountGone",
    "Accounts",
    "Act",
    "AdminKey",
    "AdminKeys",
    "AppConfiguration",
    "AppConfigurations",
    "AppIds",
    "Application",
    "Applications",
    "AuditEvent",
    "AuditEvents",
    "AuditFilter",
    "Brand",
    "Budgets",
    "Call",
    "CallCounts",
    "CallEvents",
    "CallFilter",
    "CallLog",
    "CallOutcome",
    "ConnectSessionRow",
    "ConnectSessions",
    "Copies",
    "Counted",
    "CutOff",
    "Database",
    "DatabaseAway",
    "DatabaseUnusable",
    "DeliveryState",
    "FileGone",
    "FileRow",
    "IdempotencyRecord",
    "IdempotencyRecords",
    "IdentityConflict",
    "Lease",
    "Listener",
    "NewAccount",
    "NewEvent",
    "NoRoomForFile",
    "Operator",
    "OperatorSession",
    "OperatorSessions",
    "Operators",
    "Page",
    "Periods",
    "Processes",
    "Refusal",
    "RenewalDue",
    "Renewals",
    "Retention",
    "Role",
    "Room",
    "Schema",
    "SealedRow",
    "SealedValues",
    "SessionEnded",
    "Snapshot",
    "StoredFiles",
    "Sums",
    "Theme",
    "Turn",
    "UserData",
    "VaultKeys",
    "Via",
    "Watch",
    "WebhookDeliveries",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WebhookEndpoints",
    "copies_of",
    "end_what_was_under_way",
    "tell_away",
]
