"""Files that the service keeps for a while: what functions take and return."""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class File:
    """
    A file that the service keeps for its user until `expires_at` (in UTC).

    Its `id` is what a function's parameter of the format `file` takes. `size` is in bytes, `media_type` is what the
    file's source said.
    """

    id: str
    name: str
    size: int
    media_type: str
    expires_at: datetime
