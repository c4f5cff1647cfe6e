"""How answers are written: the models' one converter, as compact JSON."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from attrs import evolve
from litestar import Response

from service_client.models import CONVERTER, CallResult, ErrorEnvelope
from service_server.errors import ServiceError
from service_server.json_texts.json_text import JsonText

Send = Callable[[Any], Awaitable[None]]


def encode(value: Any) -> bytes:
    """A JSON value as bytes; text that is no Unicode (half a surrogate pair) goes out escaped."""
    return JsonText.of(value).text


class WireResponse(Response[Any]):
    """A resource of `service_client.models` on its way out."""

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        """Write resources through the converter that also reads them; bytes and text stay as they are."""
        if isinstance(content, bytes | str) or content is None:
            return super().render(content, media_type, enc_hook)
        return encode(CONVERTER.unstructure(content))


async def send_json(send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    """Send an answer without the framework."""
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    encoded += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


async def send_failure(send: Send, error: ServiceError, request_id: str) -> None:
    """Send the error envelope without the framework."""
    await send_json(send, error.status, encode_failure(error, request_id), error.headers)


def encode_failure(error: ServiceError, request_id: str) -> bytes:
    """The error envelope as it is sent."""
    envelope = ErrorEnvelope(error=error.error, error_details=error.details, request_id=request_id)
    return encode(CONVERTER.unstructure(envelope))


def encode_result(result: CallResult) -> bytes:
    """A result whose output, which may be megabytes, is put in as the text that it is."""
    output = result.output
    if not isinstance(output, JsonText):
        return encode(CONVERTER.unstructure(result))
    around = encode(CONVERTER.unstructure(evolve(result, output=None)))
    before, _, after = around.partition(b'"output":null')
    return b"".join((before, b'"output":', output.text, after))
