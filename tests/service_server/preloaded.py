"""What the process has imported from which the tests' services and commands are forked."""

import gc
from importlib import import_module

COMMANDS = ("applications", "apps", "database", "main", "operators", "serve", "serving", "vault")

for each in ("tests.service_server.commands", "uvicorn.lifespan.off", "uvloop"):
    import_module(each)
for each in COMMANDS:
    import_module(f"service_server.cli.{each}")
gc.collect()
gc.freeze()  # it is looked through, and thereby copied, in none of them
