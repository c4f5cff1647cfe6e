"""Programs that show the service at work: a third-party app, a host page, and Python callers."""
