"""One user's agent over standard input and output, for clients that start their servers themselves."""

from mcp.server.stdio import stdio_server

from service_server.agents.agent import Agent
from service_server.agents.server import mcp_server


async def serve(agent: Agent) -> None:
    """Answer messages until the client closes its end."""
    server = mcp_server(agent)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
