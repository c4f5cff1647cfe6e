"""A process that serves on a database, leaves something under way, and waits to be killed: for `test_processes`."""

import asyncio
import json
import sys

from service_server.store import CallLog, Database, IdempotencyRecords, Processes
from tests.service_server.store.databases import call, keyed


async def main(database_url: str) -> None:
    """Leave two keyed calls open: of one, `sent`, the log knows already; of the other, `unsent`, it does not."""
    database = Database(database_url)
    await database.open()
    processes = Processes(database)
    async with processes.serving():
        for key in ("sent", "unsent"):
            assert await IdempotencyRecords(database).claim(keyed(key, processes)) is None
        await CallLog(database).record(call("call-sent", process_id=processes.id))
        print(json.dumps({"id": processes.id}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
