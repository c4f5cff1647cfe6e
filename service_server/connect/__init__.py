"""
Connecting accounts: connect sessions, their pages on the service's own origin, and disconnecting.

`pages` is what the browser sees, `sessions` what the REST side asks and how a session ends, `signing_in` the ways to
get credentials and to check that they work. Each knows only those after it; `sessions.parts` holds what the first two
work with.
"""
