"""Sends the requests to third-party apps: only to allowed, public addresses, within limits of size and time."""
