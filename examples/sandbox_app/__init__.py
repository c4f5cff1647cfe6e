"""
"Tickets": a small third-party app to connect to, with its own accounts, OAuth2 server, API keys and REST API.

All state is in memory. Faults can be ordered (`faults.py`), and the latest requests can be inspected
(`request_log.py`).
"""
