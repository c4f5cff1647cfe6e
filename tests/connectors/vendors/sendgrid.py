"""SendGrid's API by the list of calls in the vendor's own client, and marketing by the client of an assistant."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm

CHECK = AnyOf(
    ClientSources(
        npm(
            "@sendgrid/client@8.1.6",
            "sha512-/BHu0hqwXNHr2aLhcXU7RmmlVqrdfrbY9KpaNj00KZHlVOVoRxRVrpOCabIB+91ISXJ6+mLM9vpaVUhK6TwBWA==",
        ),
        base_url="https://api.sendgrid.com",
        sources=("USAGE.md",),
        reader=operations(r"request\.method = '(?P<method>\w+)';\s+request\.url = '(?P<path>[^']+)'", names="before"),
        types_elsewhere=npm(
            "@sendgrid/helpers@8.0.0",
            "sha512-Ze7WuW2Xzy5GT5WRx+yEv89fsg/pgy3T1E3FS0QEx0/VvRmigMZ5qyVGhJz4SxomegDkzXv/i0aFPpHKN8qdAA==",
        ).keeping("classes/*.d.ts"),
        free=frozenset({"dynamic_template_data"}),
        # Its list of calls shows bounces by their times only.
        extra=frozenset({"limit", "offset"}),
    ),
    ClientSources(
        npm(
            "sendgrid-mcp@1.0.4",
            "sha512-G99v3jG8/bkbH56l7Jew2I6dKAMt5nDyHc3cs9ugfDhosAOtwKvnwdyGRgKptgk+T/TT7slFV8K/HWBVxuVNWQ==",
        ),
        base_url="https://api.sendgrid.com",
        sources=("build/tools/*.js",),
        reader=operations(
            r"[\"`]https://api\.sendgrid\.com(?P<path>/v3[^\"`?]+)",
            method=r'method: "(\w+)"',
            otherwise="GET",
            names="file",
        ),
    ),
)

UNDESCRIBED = {
    "list-verified-senders": "https://github.com/twilio/sendgrid-oai, spec/json/tsg_verified_senders_v3.json",
}
