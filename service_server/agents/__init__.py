"""
What agents use over the Model Context Protocol: `/mcp`, and `service-server mcp` over standard input and output.

Importing the protocol's library takes as long as starting the service. So only the modules that are loaded with the
first request to `/mcp` may import it: `server.py` and what it names. `door.py`, `agent.py` and `offer.py` do not.
"""
