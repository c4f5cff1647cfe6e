"""
How what becomes of a call is written once for both clients.

A plan here is a generator of steps: each is a function of the client, whose result (awaited, where it has to be) is
sent back, and whose `ServiceClientError` is thrown into the generator.
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
    """Return what the steps come to, blocking."""
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
    """Return what the steps come to, awaiting."""
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
