"""DocuSign's eSignature API by the vendor's own client, and the types that others publish for it."""

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.documented_calls import documented_calls
from tests.connectors.descriptions.packages import npm

_MODELS = frozenset({"Envelope", "EnvelopeDefinition"})  # the types lack some of those that we don't send


def _model(_: str, __: object, written: str) -> str:
    """The comment tells a body's model: `module:model/EnvelopeDefinition`."""
    name = written.removeprefix("module:model/")
    return f"types.{name}" if name in _MODELS else "unknown"


_USED = ("Accounts", "Envelopes", "Templates", "Users")

CHECK = compiled_client(
    npm("docusign-esign@10.0.0"),
    base_url="https://*.docusign.net/restapi",
    sources=tuple(f"src/api/{name}Api.js" for name in _USED),
    reader=documented_calls(_model),
    head='import type * as types from "docusign-esign";',
    beside=(npm("@types/docusign-esign@5.19.9").keeping("package.json", "index.d.ts"),),
)
