"""
The three descriptors that turn a plan into an API method.

The same method blocks on a `SyncResource` and is awaited on an `AsyncResource`; type checkers see which.
"""

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from service_client.plans.drivers import AsyncSession, Session
from service_client.plans.pages import AsyncPages, Page
from service_client.plans.values import ItemsAt, PatientPlan

P = ParamSpec("P")
T = TypeVar("T")


class SyncResource:
    """API methods that block until the service has answered."""

    def __init__(self, session: Session) -> None:
        self._session = session


class AsyncResource:
    """API methods that are awaited."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session


class operation(Generic[P, T]):  # noqa: N801  used as a decorator
    """An API method with one result, written as the plan of its requests."""

    def __init__(self, plan: Callable[Concatenate[Any, P], PatientPlan[T]]) -> None:
        self._plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, resource: None, owner: type[object]) -> "operation[P, T]": ...
    @overload
    def __get__(self, resource: SyncResource, owner: type[object]) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: AsyncResource, owner: type[object]) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, resource: SyncResource | AsyncResource | None, owner: type[object]) -> Any:
        plan = self._plan
        if resource is None:
            return self
        if isinstance(resource, SyncResource):
            session = resource._session  # pyright: ignore[reportPrivateUsage]  this class is its other half

            def block(*args: P.args, **kwargs: P.kwargs) -> T:
                return session.run(plan(resource, *args, **kwargs))

            return _present(block, plan)
        async_session = resource._session  # pyright: ignore[reportPrivateUsage]

        async def wait(*args: P.args, **kwargs: P.kwargs) -> T:
            return await async_session.run(plan(resource, *args, **kwargs))

        return _present(wait, plan)


class listed(Generic[P, T]):  # noqa: N801  used as a decorator
    """
    An API method that lists what the service has: its result is the first page, which leads to the others.

    It is written as a function that returns the first page's cursor and the plan of the page at a cursor.
    """

    def __init__(self, pages: Callable[Concatenate[Any, P], tuple[str, ItemsAt[T]]]) -> None:
        self._pages = pages
        self.__doc__ = pages.__doc__

    @overload
    def __get__(self, resource: None, owner: type[object]) -> "listed[P, T]": ...
    @overload
    def __get__(self, resource: SyncResource, owner: type[object]) -> Callable[P, Page[T]]: ...
    @overload
    def __get__(self, resource: AsyncResource, owner: type[object]) -> Callable[P, AsyncPages[T]]: ...
    def __get__(self, resource: SyncResource | AsyncResource | None, owner: type[object]) -> Any:
        pages = self._pages
        if resource is None:
            return self

        def ask(*args: P.args, **kwargs: P.kwargs) -> Page[T] | AsyncPages[T]:
            cursor, items_at = pages(resource, *args, **kwargs)
            session = resource._session  # pyright: ignore[reportPrivateUsage]
            return session.page(items_at, cursor) if isinstance(session, Session) else session.pages(items_at, cursor)

        return _present(ask, pages)


class paged(Generic[P, T]):  # noqa: N801  used as a decorator
    """
    An API method that makes one call for each page, as far as its iterator is followed.

    It is written as a function that returns the first page's cursor and the plan of the page at a cursor.
    """

    def __init__(self, pages: Callable[Concatenate[Any, P], tuple[str, ItemsAt[T]]]) -> None:
        self._pages = pages
        self.__doc__ = pages.__doc__

    @overload
    def __get__(self, resource: None, owner: type[object]) -> "paged[P, T]": ...
    @overload
    def __get__(self, resource: SyncResource, owner: type[object]) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: AsyncResource, owner: type[object]) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, resource: SyncResource | AsyncResource | None, owner: type[object]) -> Any:
        pages = self._pages
        if resource is None:
            return self

        def iterate(*args: P.args, **kwargs: P.kwargs) -> Iterator[T] | AsyncIterator[T]:
            cursor, items_at = pages(resource, *args, **kwargs)
            return resource._session.iterate(items_at, cursor)  # pyright: ignore[reportPrivateUsage]

        return _present(iterate, pages)


def _present(method: Callable[..., Any], written: Callable[..., Any]) -> Callable[..., Any]:
    """Give a method the name, docstring and parameters it was written with; `self` is bound already."""
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(method, attribute, getattr(written, attribute))
    signature = inspect.signature(written)
    parameters = list(signature.parameters.values())[1:]
    # The return type depends on the resource; that of the plan would be wrong here.
    signature = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    setattr(method, "__signature__", signature)  # noqa: B010  functions do not declare the attribute
    return method
