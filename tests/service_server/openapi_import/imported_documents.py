"""The vendors' documents that tests import."""

from typing import Final

from tests.connectors.descriptions.packages import Members, npm, pypi
from tests.connectors.vendors.github import CHECK as GITHUB

IMPORTED: Final[dict[str, Members]] = {
    "github": GITHUB.members[0],
    "notion": npm("@notionhq/notion-mcp-server@2.5.2").keeping("scripts/notion-openapi.json"),
    "paypal": npm("@paypal/paypal-rest-api-specifications@1.0.0").keeping("openapi/checkout_orders_v2.json"),
    "figma": npm("@figma/rest-api-spec@0.43.0").keeping("openapi/openapi.yaml"),
    "netlify": npm("@netlify/open-api@2.60.0").keeping("dist/swagger.json"),
    "jupyter": pypi("jupyter_server==2.21.1").keeping("jupyter_server/services/api/api.yaml"),
    "kubernetes": npm("kubernetes-client@9.0.0").keeping("lib/specs/swagger-1.13.json.gz"),
    "twilio": npm("@twilio/cli-core@8.3.2").keeping("src/services/twilio-api/twilio_api_v2010.json"),
    "directus": npm("@directus/specs@15.2.0").keeping("dist/openapi.json"),
    "okta": npm("@okta/openapi@2.15.0").keeping("dist/spec.yaml"),
}
