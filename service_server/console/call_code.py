"""A call as code that makes it again: curl, Python and JavaScript, with placeholders for all that is secret."""

import json
import shlex
from typing import Any

from attrs import frozen


@frozen
class Code:
    """One way to make a call."""

    id: str
    label: str
    text: str


def code_for(base_url: str, app_key: str, user_id: str, function: str, arguments: Any, account_id: int) -> list[Code]:
    """The ways to call a function with arguments, in the account of a user."""
    given = arguments if isinstance(arguments, dict) else {}
    return [
        Code("curl", "curl", _curl(base_url, app_key, user_id, function, given, account_id)),
        Code("python", "Python", _python(base_url, app_key, user_id, function, given, account_id)),
        Code("javascript", "JavaScript", _javascript(base_url, app_key, user_id, function, given, account_id)),
    ]


def _curl(base_url: str, app_key: str, user_id: str, function: str, given: dict[str, Any], account_id: int) -> str:
    user = shlex.quote(user_id)
    address = f"{base_url}/functions/{function}/?connected_account_id={account_id}"
    return "\n".join(
        (
            "# APP_SECRET is the application's secret; the hash is made where it is kept.",
            f"HASH=$(printf %s {user} | openssl dgst -sha256 -hmac \"$APP_SECRET\" -r | cut -d' ' -f1)",
            f"curl {shlex.quote(address)} \\",
            f'  -H {shlex.quote(f"App-Key: {app_key}")} -H {shlex.quote(f"User-ID: {user_id}")} -H "Hash: $HASH" \\',
            f"  --json {shlex.quote(json.dumps(given))}",
        )
    )


def _python(base_url: str, app_key: str, user_id: str, function: str, given: dict[str, Any], account_id: int) -> str:
    return "\n".join(
        (
            "import os",
            "",
            "from service_client import Client",
            "",
            f'with Client({base_url!r}, app_key={app_key!r}, secret=os.environ["APP_SECRET"]) as client:',
            f"    user = client.for_user({user_id!r})",
            f"    result = user.functions.call({function!r}, {given!r}, connected_account_id={account_id})",
            "    print(result.network_code, result.output)",
        )
    )


def _javascript(
    base_url: str, app_key: str, user_id: str, function: str, given: dict[str, Any], account_id: int
) -> str:
    return "\n".join(
        (
            "// In a page with servicejs; your backend makes the hash with the application's secret.",
            'const { hash } = await (await fetch("/service-credentials")).json();',
            f"const options = {{ baseUrl: {_js(base_url)}, appKey: {_js(app_key)}, userId: {_js(user_id)}, hash }};",
            "const sdk = new ServiceJS(options);",
            f"const result = await sdk.invokeFunction({_js(function)}, {json.dumps(given, indent=2)}, {account_id});",
            "console.log(result.network_code, result.output);",
        )
    )


def _js(text: str) -> str:
    return json.dumps(text)
