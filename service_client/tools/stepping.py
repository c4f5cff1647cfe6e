"""
Lets the handling of a call be written once for both clients.

A plan here is a generator of steps. Each step is a function of the client. Its result (awaited if need be) is sent back
into the generator, and its `ServiceClientError` is thrown there.
"""

import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeAlias, TypeVar

from service_client.client import AsyncClient, Client
from service_client.errors import InvalidArgumentError, ServiceClientError

T = TypeVar("T")
Step: TypeAlias = Callable[[Any], Any]
Steps: TypeAlias = Generator[Step, Any, T]


def run(client: Client, steps: Steps[T]) -> T:
    """Carry out the steps and return their result, blocking."""
    resume: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        try:
            step = resume(value)
        except StopIteration as stop:
            result: T = stop.value
            return result
        try:
            resume, value = steps.send, step(client)
        except ServiceClientError as error:
            resume, value = steps.throw, error
        if inspect.isawaitable(value):
            if inspect.iscoroutine(value):
                value.close()
            raise InvalidArgumentError("Tools blocks; an AsyncClient, or an approve that is awaited, takes AsyncTools.")


async def run_awaiting(client: AsyncClient, steps: Steps[T]) -> T:
    """Carry out the steps and return their result, awaiting."""
    resume: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        try:
            step = resume(value)
        except StopIteration as stop:
            result: T = stop.value
            return result
        try:
            resume, value = steps.send, step(client)
            if inspect.isawaitable(value):
                value = await value
        except ServiceClientError as error:
            resume, value = steps.throw, error
