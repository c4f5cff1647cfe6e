"""The vendors' documents that tests import."""

from typing import Final

from tests.connectors.descriptions.packages import Members, npm, pypi
from tests.connectors.vendors.github import CHECK as GITHUB

IMPORTED: Final[dict[str, Members]] = {
    "github": GITHUB.document,
    "notion": npm(
        "@notionhq/notion-mcp-server@2.5.2",
        "sha512-5nPSwHMnugSGAhSJS5vVIlMao+iTJO9HoWGpCnT8lJNrPy3rZMqs1V/CPiN4MuxF+5EBgRE/f/Tirl6Wfi75Mg==",
    ).keeping("scripts/notion-openapi.json"),
    "paypal": npm(
        "@paypal/paypal-rest-api-specifications@1.0.0",
        "sha512-eqXIvFXi0OJIrMwUhbFoHnB7p/n4R+jeG/NTSpZRDGXsxAw3zbE4jYsNzTwsVDnGTDEZCZv9PIa8tEXktEVD6Q==",
    ).keeping("openapi/checkout_orders_v2.json"),
    "figma": npm(
        "@figma/rest-api-spec@0.43.0",
        "sha512-sbFm28WM8MsawyLSYO9Ddne+8xytWU5D7oCOOWyzRvLpd9InFHihC37dQBVJVzAVyT7HpwYtU4wlm+ALogC38g==",
    ).keeping("openapi/openapi.yaml"),
    "netlify": npm(
        "@netlify/open-api@2.60.0",
        "sha512-zNwSsLoFF8G0EGXFsADg99a+e3zAObOFdm8/dTG2btfxmZ7vlqfbNgryie2vD6hTlUbt3kCZN66OE79PQWt/5w==",
    ).keeping("dist/swagger.json"),
    "jupyter": pypi(
        "jupyter_server==2.21.1", "sha256:2a6467606af7dbae2e7e31640030025969e15db6a649eae334af90415dc71dca"
    ).keeping("jupyter_server/services/api/api.yaml"),
    "kubernetes": npm(
        "kubernetes-client@9.0.0",
        "sha512-Qy8o42dZVHB9P+cIiKdWpQbz/65l/qW1fDYvlzzeSLftmL1Ne3HEiM+0TmKAwNuRW0pTJN2tRWhcccToclxJ8g==",
    ).keeping("lib/specs/swagger-1.13.json.gz"),
    "twilio": npm(
        "@twilio/cli-core@8.3.2",
        "sha512-qRTAZS15i/nseKHu2zZIb1BD78WFRVOWM65iC9JqjZdNpz5KQaiEI1klsLcWDi1pwXH9JG6pbFXJrIiYRJw/dw==",
    ).keeping("src/services/twilio-api/twilio_api_v2010.json"),
    "directus": npm(
        "@directus/specs@15.2.0",
        "sha512-JauzDjbFbeoZ9AceWh/pbG/U2R2/5V8jP7Ldp/bpSPbsDu392uXEUQGTfWkowLqgRXtjmGHP5vIZoUJpjqaFPw==",
    ).keeping("dist/openapi.json"),
    "okta": npm(
        "@okta/openapi@2.15.0",
        "sha512-twwPLKMJ5HlEZvdL6n0TiOIYqJVihM7g3UI1oSKBm9mPb0Fv9BIFKVOOrloJ3LiEnhTOzkR8w16BdCxbPTVcjg==",
    ).keeping("dist/spec.yaml"),
}
