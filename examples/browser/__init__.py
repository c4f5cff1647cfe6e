"""
"Acme Helpdesk": a host application that lets its users connect their apps, by one script tag.

`backend.py` is the part that runs on the host's server and holds the secret; `static/` is what the browser gets.
"""
