"""The stable codes of the error envelope, and the buttons a client may show for them."""

from enum import StrEnum


class Code(StrEnum):
    """What went wrong, for programs; never renamed."""

    REQUIRED = "required"
    TYPE = "type"
    ENUM = "enum"
    FORMAT = "format"
    UNKNOWN_PARAMETER = "unknown_parameter"
    NOT_CONNECTED = "not_connected"
    ACCOUNT_REQUIRED = "account_required"
    ACCOUNT_NOT_FOUND = "account_not_found"
    RECONNECT_REQUIRED = "reconnect_required"
    MISSING_SCOPE = "missing_scope"
    HOST_NOT_ALLOWED = "host_not_allowed"
    APP_UNREACHABLE = "app_unreachable"
    BAD_CURSOR = "bad_cursor"
    MALFORMED_BODY = "malformed_body"
    PROMPT_REQUIRED = "prompt_required"
    PROMPT_TOO_LONG = "prompt_too_long"
    PREDICT_FUNCTION_REQUIRED = "predict_function_required"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    UNKNOWN_APP = "unknown_app"
    UNKNOWN_FUNCTION = "unknown_function"
    UNKNOWN_CONNECT_SESSION = "unknown_connect_session"
    UNKNOWN_FILE = "unknown_file"
    NOT_FOUND = "not_found"
    NOT_POSSIBLE = "not_possible"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    BODY_TOO_LARGE = "body_too_large"
    TARGET_TOO_LONG = "target_too_long"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


class Action(StrEnum):
    """What a client can offer the user as a next step."""

    CONNECT = "connect"
    RECONNECT = "reconnect"
    PICK_ACCOUNT = "pick_account"
    FIX_FIELD = "fix_field"
    WAIT = "wait"
