"""
The same as `quickstart` for a program with an event loop: the methods are awaited, the lists looped over with `async`.

Run it beside the demo: `python -m examples.python.quickstart_async --demo-file DATA_DIR/demo.json`. It creates a
ticket.
"""

import asyncio
import sys

from examples.python.options import Options, read_options
from service_client import AsyncClient, CallRefusedError, ServiceClientError

PROMPT = 'create an urgent ticket titled "Renew the certificate" in the documentation project'
SOURCES = ("sandbox-list-projects", "sandbox-list-labels", "sandbox-list-users")


def main() -> None:
    """Run from the command line."""
    options = read_options("Call the service from a Python program with an event loop.")
    try:
        asyncio.run(run(options))
    except ServiceClientError as error:
        sys.exit(f"{type(error).__name__}: {error}")


async def run(options: Options) -> None:
    """Go through everything."""
    async with AsyncClient(
        options.base_url, app_key=options.app_key, secret=options.app_secret, user_id=options.user_id
    ) as client:
        app = await client.apps.get("sandbox")
        if not app.connected_accounts:
            session = await client.connect_sessions.create(app.name)
            sys.exit(f"Open {session.url} in a browser to connect {app.title}, and start this again.")
        account_id = app.connected_accounts[0].id
        print(f"account   {app.connected_accounts[0].display_name}")

        # What a form would offer to choose from, all at once.
        answers = await asyncio.gather(
            *(client.functions.call(name, connected_account_id=account_id) for name in SOURCES)
        )
        for name, answer in zip(SOURCES, answers, strict=True):
            print(f"source    {name}: {[item['name'] for item in answer.output]}")

        await create_a_ticket(client, account_id)
        async for page in client.functions.call_pages("sandbox-list-tickets", connected_account_id=account_id):
            print(f"page      {len(page.output)} tickets")
        result = await client.functions.passthrough("sandbox", "GET", "/me", connected_account_id=account_id)
        print(f"request   {result.network_code} {result.output}")
        await be_refused(client, account_id)


async def create_a_ticket(client: AsyncClient, account_id: int) -> None:
    """Predict function and arguments from words, complete what is missing, and call."""
    function = await client.functions.predict(PROMPT, arguments=True, app="sandbox")
    if function is None:
        print("predict   nothing fits: ask the user for other words")
        return
    arguments = {"title": "Renew the certificate", "project_id": "documentation"} | (function.arguments or {})
    print(f"predict   {function.name} {arguments}")
    result = await client.functions.call(function.name, arguments, connected_account_id=account_id)
    print(f"call      {result.network_code} {result.output}")


async def be_refused(client: AsyncClient, account_id: int) -> None:
    """A call that cannot be executed says which field is wrong, and nothing is sent to the app."""
    try:
        await client.functions.call("sandbox-create-ticket", {"urgent": "maybe"}, connected_account_id=account_id)
    except CallRefusedError as refusal:
        for detail in refusal.details:
            print(f"refused   {detail.field}: {detail.message} ({detail.code})")


if __name__ == "__main__":
    main()
