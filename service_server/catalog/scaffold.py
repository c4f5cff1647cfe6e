"""Writes the beginning of a connector: files that pass the check and say in comments what to change."""

from pathlib import Path
from typing import Literal, TypeAlias

from service_server.catalog.icons import plain_icon

ScaffoldAuth: TypeAlias = Literal["api_key", "basic", "oauth2_code", "none"]

_AUTH: dict[ScaffoldAuth, str] = {
    "api_key": """  - id: key
    type: api_key
    title: API key
    fields:
      api_key:
        title: API key
        description: Where users find it in the app's settings.
    inject: {header: {Authorization: "Bearer ${creds.api_key}"}}
""",
    "basic": """  - id: password
    type: basic
    title: User name and password
""",
    "oauth2_code": """  - id: oauth
    type: oauth2_code
    title: Sign in with TITLE
    authorize_url: BASE_URL/oauth/authorize
    token_url: BASE_URL/oauth/token
    scopes: {default: [read]}
    inject: {header: {Authorization: "Bearer ${token.access_token}"}}
""",
    "none": """  - {id: open, type: none}
""",
}

_CONNECTOR = """name: NAME
title: "TITLE"
description: "What TITLE is for, in one sentence."
docs_url: BASE_URL

base_url: BASE_URL

# The ways to sign in; the first is the default. Other types: api_key, basic, jwt, token_exchange, oauth2_code,
# oauth2_client_credentials, none.
auth:
AUTH
# Made when an account is connected: it must succeed with the right credentials, and tells whose account it is.
# test: {get: /me}
# account: {id: "${test.id}", name: "${test.name}"}

retry: {max: 2, on: [429, 502, 503, 504], methods: [GET, HEAD]}

# pagination:
#   pages: {type: page, send: query.page, limit: query.per_page, size: 50}
"""

_FUNCTION = """type: query
title: List items
description: List the items of TITLE.
request: {get: /items, query: {q: "${args.search?}"}}
parameters:
  type: object
  properties:
    search:
      type: string
      title: Search
      description: Words that the items must contain.
examples:
  - prompt: which items mention printers?
    arguments: {search: printers}
"""

_MUTATION = """type: mutation
title: Create an item
description: Create (add) an item in TITLE.
request: {post: /items, body: {name: "${args.name}"}}
parameters:
  type: object
  required: [name]
  properties:
    name:
      type: string
      title: Name
      description: What the item is called.
# What people see of a good answer; `sample` is one, in the form that the app documents.
outcome:
  title: Item ${output.id} created
  link: ${output.url}
  facts: {Name: "${output.name}"}
  sample: {id: 1, name: Printer, url: "https://app.example/items/1"}
examples:
  - prompt: add an item called Printer
    arguments: {name: Printer}
"""


def write_scaffold(folder: Path, title: str, base_url: str, auth: ScaffoldAuth) -> list[Path]:
    """Write a connector named as its folder, return the files; FileExistsError where it is there already."""
    folder.mkdir(parents=True)
    (folder / "functions").mkdir()
    files = {
        folder / "connector.yaml": _CONNECTOR.replace("AUTH", _AUTH[auth], 1),
        folder / "functions" / "list-items.yaml": _FUNCTION,
        folder / "functions" / "create-item.yaml": _MUTATION,
        folder / "icon.svg": plain_icon(folder.name, title),
    }
    words = title.replace("\\", "").replace('"', "'")
    for path, text in files.items():
        filled = text.replace("NAME", folder.name).replace("BASE_URL", base_url).replace("TITLE", words)
        path.write_text(filled, encoding="utf-8")
    return list(files)
