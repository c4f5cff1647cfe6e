"""Connector files become values: read once at start, checked whole, compiled to closures that are cheap to call."""
