"""How answers are written: the models' one converter, as compact JSON."""

from typing import Any

from attrs import evolve
from litestar import Response

from service_client.models import CONVERTER, CallResult
from service_server.json_text import JsonText


def encode(value: Any) -> bytes:
    """A JSON value as bytes; text that is no Unicode (half a surrogate pair) goes out escaped."""
    return JsonText.of(value).text


class WireResponse(Response[Any]):
    """A resource of `service_client.models` on its way out."""

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        """Write resources through the converter that also reads them; bytes and text stay as they are."""
        if isinstance(content, bytes | str) or content is None:
            return super().render(content, media_type, enc_hook)
        if isinstance(content, CallResult):
            return _result(content)
        return encode(CONVERTER.unstructure(content))


def _result(result: CallResult) -> bytes:
    """A result whose output, which may be megabytes, is put in as the text that it is."""
    output = result.output
    if not isinstance(output, JsonText):
        return encode(CONVERTER.unstructure(result))
    around = encode(CONVERTER.unstructure(evolve(result, output=None)))
    before, _, after = around.partition(b'"output":null')
    return b"".join((before, b'"output":', output.text, after))
