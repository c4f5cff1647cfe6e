"""Calling a function: check, open credentials, build, send, shape, record; one step a file, `steps.py` is the order."""

from service_server.invoke.invocation import CallRequest, Executed, FormBody, JsonBody
from service_server.invoke.invoker import Invoker

__all__ = ["CallRequest", "Executed", "FormBody", "Invoker", "JsonBody"]
