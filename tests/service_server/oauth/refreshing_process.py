"""
One of several processes that use the same due account at the same time.

Called with the folder of the database, the sandbox's address, the account's id and a number of tasks. It says `ready`,
waits for a line, and prints as JSON how many tasks got a token and which versions of the account they saw.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tests.examples.processes import CLIENT_ID, CLIENT_SECRET, SandboxApp
from tests.service_server.connected_world import connected_world


async def main(folder: str, url: str, account_id: str, tasks: str) -> None:
    """Use the account from many tasks once told to."""
    process: Any = None  # this process did not start the sandbox
    sandbox = SandboxApp(url, CLIENT_ID, CLIENT_SECRET, {}, process)
    async with connected_world(None, Path(folder), sandbox) as world:
        account = await world.accounts.get(int(account_id))
        assert account is not None
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        opened = await asyncio.gather(*(world.credentials.usable(account) for _ in range(int(tasks))))
        tokens = {one.context["token"]["access_token"] for one in opened}
        print(json.dumps({"opened": len(opened), "tokens": sorted(tokens)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
