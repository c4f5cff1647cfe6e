"""A user's functions as tools of a model: definitions for its vendor, and calls with the user's approval."""

from service_client.tools.calls import Approve, ProposedCall, ToolCall, ToolResult
from service_client.tools.offers import Finding, Tool
from service_client.tools.tools import AsyncTools, Tools
from service_client.tools.vendors import ANTHROPIC, BEDROCK, GEMINI, OPENAI, OPENAI_CHAT, Vendor

__all__ = [
    "ANTHROPIC",
    "BEDROCK",
    "GEMINI",
    "OPENAI",
    "OPENAI_CHAT",
    "Approve",
    "AsyncTools",
    "Finding",
    "ProposedCall",
    "Tool",
    "ToolCall",
    "ToolResult",
    "Tools",
    "Vendor",
]
