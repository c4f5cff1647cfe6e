"""What Google Drive needs beyond data: its search language, and bodies of two parts."""

import json
from typing import Any
from uuid import uuid4

_GOOGLE = "application/vnd.google-apps."
_KINDS = {
    **{kind: f"mimeType = '{_GOOGLE}{kind}'" for kind in ("folder", "document", "spreadsheet", "presentation", "form")},
    "drawing": f"mimeType = '{_GOOGLE}drawing'",
    "pdf": "mimeType = 'application/pdf'",
    **{kind: f"mimeType contains '{kind}/'" for kind in ("image", "video", "audio")},
}
_ABOUT = {"description": "description", "parent_ids": "parents"}


def file_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on files that are asked for, and where a shared drive is, that only it is looked into."""
    conditions = [f"trashed = {'true' if arguments.get('trashed') else 'false'}"]
    if "name" in arguments:
        conditions.append(f"name contains {_quoted(arguments['name'])}")
    if "text" in arguments:
        conditions.append(f"fullText contains {_quoted(arguments['text'])}")
    if "kind" in arguments:
        conditions.append(_KINDS[arguments["kind"]])
    if "modified_after" in arguments:
        conditions.append(f"modifiedTime > {_quoted(arguments['modified_after'])}")
    return {"q": " and ".join(conditions), "corpora": "drive" if "drive_id" in arguments else None}


def folder_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on folders, whose names contain the search text where there is one."""
    named = {"name": arguments["search"]} if "search" in arguments else {}
    return file_query({"kind": "folder", **named})


def drive_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the condition on shared drives, none where no search text is given."""
    return {"q": f"name contains {_quoted(arguments['search'])}"} if "search" in arguments else {}


def without_folders(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the folders that a file leaves, as Drive takes them: the one that was given, or all that it is in."""
    leaving = [arguments["from_folder_id"]] if "from_folder_id" in arguments else before.get("folders", [])
    return {"folders": ",".join(leaving) or None}


def build_upload(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a body with what a file is called and the file itself."""
    file = arguments["file"]
    about = {"name": arguments.get("name", file["name"]), "mimeType": file["media_type"]}
    about |= {key: arguments[name] for name, key in _ABOUT.items() if name in arguments}
    boundary = uuid4().hex
    head = f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(about)}\r\n"
    head += f"--{boundary}\r\nContent-Type: {file['media_type']}\r\n\r\n"
    return {"parts": [head, file, f"\r\n--{boundary}--\r\n"], "type": f"multipart/related; boundary={boundary}"}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def new_drive(_: dict[str, Any]) -> dict[str, Any]:
    """Make up the id by which Google knows a request for a shared drive again."""
    return {"request_id": str(uuid4())}
