"""Model vendors: what their APIs want, one file each."""

from service_client.tools.vendors.anthropic import ANTHROPIC
from service_client.tools.vendors.bedrock import BEDROCK
from service_client.tools.vendors.gemini import GEMINI
from service_client.tools.vendors.openai import OPENAI, OPENAI_CHAT
from service_client.tools.vendors.vendor import Vendor

__all__ = ["ANTHROPIC", "BEDROCK", "GEMINI", "OPENAI", "OPENAI_CHAT", "Vendor"]
