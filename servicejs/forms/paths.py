"""Where a value is in the arguments: names inside objects, positions inside arrays."""

import json
import re

Path = tuple[str | int, ...]

_PLAIN = re.compile(r'[^.\[\]"]+')
_UNSAFE_IN_ID = re.compile(r"[^A-Za-z0-9_]")


def path_text(path: Path) -> str:
    """
    Write a path as the service does: `fields.severity`, `labels[0]`.

    A name that itself has a dot, bracket or quote is written `fields["a.b"]`, so that no two paths read the same.
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def plain_path_text(path: Path) -> str:
    """Write a path with names as they are, the way a service that quotes nothing would name it in an error."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def element_id(steps: tuple[str | int, ...]) -> str:
    """
    Make an element id that stays the same while the form changes.

    Rows are named by their key, not by their position, so that removing one does not rename the others.
    """
    return "-".join(["field", *(_id_step(step) for step in steps)])


def _id_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"row{step}"
    return _UNSAFE_IN_ID.sub(lambda match: f":{ord(match[0]):x}:", step)
