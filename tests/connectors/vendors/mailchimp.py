"""Mailchimp's Marketing API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm

CHECK = ClientSources(
    npm(
        "@mailchimp/mailchimp_marketing@3.0.80",
        "sha512-Cgz0xPb+1DUjmrl5whAsmqfAChBko+Wf4/PLQE4RvwfPlcq2agfHr1QFiXEhZ8e+GQwQ3hZQn9iLGXwIXwxUCg==",
    ),
    base_url="https://*.api.mailchimp.com/3.0",
    sources=("src/api/*.js",),
    reader=operations(r"callApi\(\s*'(?P<path>[^']+)', '(?P<method>\w+)'", names="before"),
    free=frozenset({"merge_fields"}),
    # The client has no types of bodies. These are documented by the vendor, and all but the last three are also in
    # the types of the client that others publish (npm @types/mailchimp__mailchimp_marketing 3.0.22).
    extra=frozenset(
        {
            "email_address",
            "status",
            "status_if_new",
            "merge_fields",
            "language",
            "vip",
            "tags",
            "name",
            "recipients",
            "list_id",
            "settings",
            "subject_line",
            "preview_text",
            "title",
            "from_name",
            "reply_to",
            "html",
            "plain_text",
            "test_emails",
            "send_type",
            "schedule_time",
        }
    ),
)
