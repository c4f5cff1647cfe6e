"""What the process has imported from which the tests' services and commands are forked."""

import gc
from importlib import import_module

COMMANDS = ("applications", "apps", "database", "main", "operators", "serve", "serving", "vault")

# What most of them import only once they run: the first command on an empty directory migrates, a service has pages.
WHEN_NEEDED = (
    *("aiosqlite", "service_server.store.migrations.change", "alembic.autogenerate"),
    *("babel.dates", "servicejs.first_screens", "starlette.exceptions", "opentelemetry.semconv"),
)

for each in ("tests.service_server.commands", "uvicorn.lifespan.off", "uvloop", *WHEN_NEEDED):
    import_module(each)
for each in COMMANDS:
    import_module(f"service_server.cli.{each}")
gc.collect()
gc.freeze()  # it is looked through, and thereby copied, in none of them
