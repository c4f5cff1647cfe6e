"""
What agents use over the Model Context Protocol: `/mcp`, and `service-server mcp` over standard input and output.

The protocol's library takes as long to import as the service takes to start, so that only what is imported with the
first request to `/mcp` may import it: `server.py` and what it names. `door.py`, `agent.py` and `offer.py` do not.
"""
