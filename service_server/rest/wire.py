"""How answers are written: the models' one converter, as compact JSON."""

import json
from typing import Any

from litestar import Response

from service_client.models import CONVERTER


def encode(value: Any) -> bytes:
    """A JSON value as bytes; text that is no Unicode (half a surrogate pair) goes out escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


class WireResponse(Response[Any]):
    """A resource of `service_client.models` on its way out."""

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        """Write resources through the converter that also reads them; bytes and text stay as they are."""
        if isinstance(content, bytes | str) or content is None:
            return super().render(content, media_type, enc_hook)
        return encode(CONVERTER.unstructure(content))
