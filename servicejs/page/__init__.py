"""What a browser page can do for the SDK: the protocol, the worker's page, and one in memory for tests."""
