"""Backends in Python that call the service: `quickstart` blocks, `quickstart_async` awaits."""
