"""Connecting accounts: connect sessions, their pages on the service's own origin, and disconnecting."""
