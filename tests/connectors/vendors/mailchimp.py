"""Mailchimp's Marketing API by the vendor's own client, and the types that others publish for it."""

import re

from tests.connectors.descriptions.compiled_types import compiled_client
from tests.connectors.descriptions.documented_calls import documented_calls
from tests.connectors.descriptions.packages import npm


def _body(file: str, match: re.Match[str], _: str) -> str:
    """The types have the client's functions by the same names."""
    group = file.rpartition("/")[2].removesuffix("Api.js")
    name = match["name"].removesuffix("WithHttpInfo")
    place = match["given"].split(", ").index("body")
    return f'Body<"{group[:1].lower()}{group[1:]}", "{name}", {place}>'


_USED = ("Campaigns", "Lists", "Ping", "Reports", "Root", "SearchMembers", "Templates")

CHECK = compiled_client(
    npm("@mailchimp/mailchimp_marketing@3.0.80"),
    base_url="https://*.api.mailchimp.com/3.0",
    sources=tuple(f"src/api/{name}Api.js" for name in _USED),
    reader=documented_calls(_body),
    head="""
        import type * as mailchimp from "@mailchimp/mailchimp_marketing";
        type Functions = typeof mailchimp;
        // What the types lack, as the vendor documents it.
        interface Documented {
          schedule: { schedule_time: string; timewarp?: boolean };
          sendTestEmail: { test_emails: string[]; send_type: "html" | "plaintext" };
          updateListMemberTags: { tags: { name: string; status: "active" | "inactive" }[]; is_syncing?: boolean };
        }
        type Body<G, K, I extends number> = K extends keyof Documented ? Documented[K]
          : G extends keyof Functions ? Sent<Functions[G], K, I> : unknown;
        type Sent<F, K, I extends number> = K extends keyof F
          ? (F[K] extends (...sent: infer P) => unknown ? P[I & keyof P] : unknown) : unknown;
    """,
    # A list's own fields.
    untyped=("body.merge_fields.*",),
    beside=(npm("@types/mailchimp__mailchimp_marketing@3.0.22").keeping("package.json", "index.d.ts"),),
)
