"""What commands and the running service log, and how it is written."""

import logging
import sys

import structlog

from service_server.settings import InvalidSetting

LOG_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def level_of(name: str) -> str:
    """The level that `--log-level` names; raises InvalidSetting."""
    if name not in LOG_LEVELS:
        raise InvalidSetting(f"--log-level is one of {', '.join(LOG_LEVELS)}.")
    return name


def configure_logging(level: str, *, lasts: bool = True) -> None:
    """
    Write one JSON object a line to standard error, so that standard output stays the command's own.

    With `lasts` a logger that has been used stays as it is, which is faster; a later call doesn't change it.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=lasts,
    )
