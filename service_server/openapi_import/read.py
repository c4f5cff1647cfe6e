"""Reads the file of a document, JSON or YAML, to plain values, within limits."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from service_server.catalog.document import NodeReader
from service_server.catalog.yaml_nodes import DocumentError, parsed
from service_server.openapi_import.document import refused

MAX_BYTES = 64 * 1024 * 1024
MAX_YAML_BYTES = 16 * 1024 * 1024  # YAML is read many times slower than JSON, and its nodes take more memory
MAX_VALUES = 5_000_000  # of YAML, with aliases counted as often as they are used
MAX_LEVELS = 200
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_source(file: Path) -> tuple[Any, str]:
    """Return the value of a file of at most 64 MiB (YAML: 16 MiB), with its hex SHA-256; raises `ImportRefused`."""
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise refused(f"the file is larger than {MAX_BYTES >> 20} MiB; import a part of it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refused(f"the file is not UTF-8 text (byte {error.start})") from error
    is_json = text.lstrip()[:1] in ("{", "[") and file.suffix.lower() not in (".yaml", ".yml")
    if not is_json and len(text) > MAX_YAML_BYTES:
        raise refused(f"the file is YAML of more than {MAX_YAML_BYTES >> 20} MiB; convert it to JSON")
    reader = NodeReader(MAX_VALUES, MAX_LEVELS, merges=True)
    try:
        value = _read_json(text) if is_json else reader.value(parsed(text, MAX_LEVELS))
    except DocumentError as error:
        raise refused(f"line {error.line}: {error.message}") from error
    except RecursionError as error:
        raise refused(f"the file is nested deeper than {MAX_LEVELS} levels") from error
    return value, hashlib.sha256(content).hexdigest()


def _read_json(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise refused(f"line {error.lineno}, column {error.colno}: is not JSON: {error.msg}") from error
    except ValueError as error:  # an integer of thousands of digits, or no number at all
        raise refused(f"is not JSON: {error}") from error
    _check_levels(value)
    if _SURROGATE.search(text):  # half of a character, which no file can hold
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number of JSON")


def _check_levels(value: Any, left: int = MAX_LEVELS) -> None:
    if left == 0:
        raise refused(f"the file is nested deeper than {MAX_LEVELS} levels")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_levels(each, left - 1)
