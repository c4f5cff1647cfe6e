"""
Connecting accounts: connect sessions, their pages on the service's own origin, and disconnecting.

`pages` is what the browser sees, `sessions` what the REST side asks and how a session ends, `signing_in` the ways to
come by credentials and to make sure that they work. Each knows only those after it; `sessions.parts` is what the first
two are made of.
"""
