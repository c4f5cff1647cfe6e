"""WhatsApp's Cloud API by the types of a client, which are made of Meta's OpenAPI documents."""

from tests.connectors.descriptions.compiled_types import amended, compiled_client
from tests.connectors.descriptions.openapi_typescript import HEAD, openapi_typescript_calls
from tests.connectors.descriptions.packages import npm

_TYPES = "dist/index.d.ts"

CHECK = compiled_client(
    npm("@great-detail/whatsapp@9.2.0"),
    base_url="https://graph.facebook.com",
    sources=(_TYPES,),
    reader=openapi_typescript_calls(_TYPES, "/"),
    head="""
        import type { paths } from "./dist/index.js";
        // Documented at developers.facebook.com, graph-api/reference/whats-app-business-account/message_templates.
        interface Documented {
          "get /{Version}/{WABA-ID}/message_templates": { name?: string; status?: "APPROVED" | "PENDING" | "REJECTED" };
        }
    """
    + HEAD,
    rewrite=amended(
        ("type paths = ", "export type paths = "),
        # The rest is as the client itself has it, where the documents leave types open, or only have examples.
        ("components?: Record<string, never>[];", "components?: TemplateComponent[];"),
        ("\n        language: string;", "\n        language: CreateMessageTemplate['language'];"),
        ("latitude?: string;", "latitude?: string | number;"),
        ("longitude?: string;", "longitude?: string | number;"),
        (" DocumentMessage: ", " DocumentMessage: { document: { filename?: string } } & "),
    ),
)
