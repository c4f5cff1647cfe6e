"""
The main things a backend does with the service, in the order in which one comes to need them.

Run it beside the demo: `python -m examples.python.quickstart --demo-file DATA_DIR/demo.json`. It creates a ticket.
"""

import sys

from examples.python.options import read_options
from service_client import App, CallRefusedError, Client, ConnectedAccount, ServiceClientError

PROMPT = 'create an urgent ticket titled "Renew the certificate" in the documentation project'


def main() -> None:
    """Run from the command line."""
    options = read_options("Call the service from a blocking Python program.")
    with Client(
        options.base_url, app_key=options.app_key, secret=options.app_secret, user_id=options.user_id
    ) as client:
        try:
            run(client)
        except ServiceClientError as error:
            sys.exit(f"{type(error).__name__}: {error}")


def run(client: Client) -> None:
    """Go through everything."""
    list_apps_and_functions(client)
    account = connected_account(client, client.apps.get("sandbox"))
    create_a_ticket(client, account)
    page_through_tickets(client, account)
    send_a_request_of_our_own(client, account)
    be_refused(client, account)


def list_apps_and_functions(client: Client) -> None:
    """Lists come page by page; the client follows."""
    for app in client.apps.list():
        accounts = ", ".join(account.display_name for account in app.connected_accounts)
        print(f"app       {app.name}: {app.title} ({accounts or 'not connected'})")
    for function in client.functions.list(app="sandbox", type="query"):
        print(f"function  {function.name}: {function.description}")


def connected_account(client: Client, app: App) -> ConnectedAccount:
    """The newest account; if there is none, ask the user to connect one in a browser."""
    if not app.connected_accounts:
        session = client.connect_sessions.create(app.name)
        print(f"connect   Open {session.url} in a browser, and connect {app.title}.")
        state = client.connect_sessions.wait(session.id)
        if state.status != "connected":
            sys.exit(f"The account was not connected: {state.error or state.status}")
        app = client.apps.get(app.name)
    account = app.connected_accounts[0]
    print(f"account   {account.display_name}")
    return account


def create_a_ticket(client: Client, account: ConnectedAccount) -> None:
    """Predict function and arguments from words, complete what is missing, and call."""
    function = client.functions.predict(PROMPT, arguments=True, app="sandbox")
    if function is None or function.prediction is None:
        print("predict   nothing fits: ask the user for other words")
        return
    print(f"predict   {function.name} {function.arguments} ({function.prediction.confidence:.0%})")
    arguments = {"title": "Renew the certificate", "project_id": "documentation"} | (function.arguments or {})
    result = client.functions.call(function.name, arguments, connected_account_id=account.id)
    # The app's own answer: not every executed call is a success.
    print(f"call      {result.network_code} {result.output}")


def page_through_tickets(client: Client, account: ConnectedAccount) -> None:
    """The next page is fetched when the loop gets there."""
    pages = client.functions.call_pages("sandbox-list-tickets", connected_account_id=account.id)
    for number, page in enumerate(pages, start=1):
        print(f"page {number}    {len(page.output)} tickets")


def send_a_request_of_our_own(client: Client, account: ConnectedAccount) -> None:
    """What no function does can be asked of the app's API directly; the credentials are added."""
    result = client.functions.passthrough("sandbox", "GET", "/me", connected_account_id=account.id)
    print(f"request   {result.network_code} {result.output}")


def be_refused(client: Client, account: ConnectedAccount) -> None:
    """A call that cannot be executed says which field is wrong, and nothing is sent to the app."""
    try:
        client.functions.call("sandbox-create-ticket", {"urgent": "maybe"}, connected_account_id=account.id)
    except CallRefusedError as refusal:
        for detail in refusal.details:
            print(f"refused   {detail.field}: {detail.message} ({detail.code})")


if __name__ == "__main__":
    main()
