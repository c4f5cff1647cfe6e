"""Calling a function: check, open credentials, build, send, shape, record. One file a step; `steps.py` orders them."""

from service_server.invoke.invocation import CallRequest, Executed, FormBody, JsonBody
from service_server.invoke.invoker import Invoker

__all__ = ["CallRequest", "Executed", "FormBody", "Invoker", "JsonBody"]
