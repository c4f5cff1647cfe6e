"""What the operator set for an app, for all applications or for one: the OAuth2 client and the variables."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
from attrs import Factory, field, frozen
from sqlalchemy import Select, Table, bindparam, delete, insert, literal_column, select, union_all

from service_server.store.audit_events import Act, acting
from service_server.store.clock import timestamp
from service_server.store.column_types import Number
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import APP_CONFIGURATIONS, APPLICATION_APP_CONFIGURATIONS


@frozen(kw_only=True)
class AppConfiguration:
    """
    The operator's configuration of one app; all of it is optional.

    It is that of one application, or of all that have none of their own (`application_id` is None).
    """

    app_name: str
    application_id: int | None = None
    client_id: str | None = None
    sealed_client_secret: str | None = field(default=None, repr=False)
    variables: Mapping[str, str] = Factory(dict)


class AppConfigurations:
    """The operator's configurations of all apps."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, app_name: str, application_id: int | None = None) -> AppConfiguration | None:
        """What was set for an application itself, or for all others; None if nothing ever was."""
        return _chosen(await self._database.fetch(_GET, _parameters(app_name, application_id)), application_id)

    async def both(self, app_name: str, application_id: int) -> tuple[AppConfiguration, AppConfiguration | None]:
        """What was set for all applications, empty if nothing was, and what was set for this one; in one statement."""
        rows = await self._database.fetch(_GET, _parameters(app_name, application_id))
        return _chosen(rows, None) or AppConfiguration(app_name=app_name), _chosen(rows, application_id)

    async def own(self, app_name: str | None = None) -> list[AppConfiguration]:
        """What applications have of their own, in one app or in all."""
        query = _select_own().order_by(_OWN.c.app_name, _OWN.c.application_id)
        if app_name is not None:
            query = query.where(_OWN.c.app_name == app_name)
        async with self._database.read() as connection:
            return [AppConfiguration(**row) for row in (await connection.execute(query)).mappings()]

    async def change(
        self,
        app_name: str,
        change: Callable[[AppConfiguration], AppConfiguration],
        application_id: int | None = None,
        *,
        act: Act | None = None,
    ) -> AppConfiguration:
        """
        Change the configuration of an app; no other change can come in between.

        If `change` raises, everything stays as it was.
        """
        async with acting(self._database, act, turn="app configurations") as done:
            found = (await done.connection.execute(_GET.statement, _parameters(app_name, application_id))).mappings()
            kept = _chosen([dict(row) for row in found], application_id)
            before = kept or AppConfiguration(app_name=app_name, application_id=application_id)
            changed = change(before)
            await _delete(done.connection, app_name, application_id)
            values: dict[str, Any] = {**attrs.asdict(changed), "variables": dict(changed.variables)}
            if application_id is None:
                del values["application_id"]
            await done.connection.execute(insert(_table(application_id)).values(**values, modified_at=timestamp()))
            await done.note(before=before, after=changed)
            return changed

    async def remove(self, app_name: str, application_id: int, act: Act | None = None) -> bool:
        """Have an application do with what all others do; False if it does already."""
        async with acting(self._database, act, turn="app configurations") as done:
            removed = await _delete(done.connection, app_name, application_id)
            if removed:
                await done.note()
            return removed


_OWN = APPLICATION_APP_CONFIGURATIONS


def _table(application_id: int | None) -> Table:
    return APP_CONFIGURATIONS if application_id is None else _OWN


def _select_own() -> Select[Any]:
    return select(_OWN.c.application_id, *(_OWN.c[name] for name in _NAMES))


def _parameters(app_name: str, application_id: int | None) -> dict[str, Any]:
    return {"app": app_name, "application": application_id or 0}  # no application has the number 0


def _chosen(rows: Iterable[Mapping[str, Any]], application_id: int | None) -> AppConfiguration | None:
    return next((AppConfiguration(**row) for row in rows if row["application_id"] == application_id), None)


async def _delete(connection: AsyncConnection, app_name: str, application_id: int | None) -> bool:
    table = _table(application_id)
    statement = delete(table).where(table.c.app_name == app_name)
    if application_id is not None:
        statement = statement.where(table.c.application_id == application_id)
    return (await connection.execute(statement)).rowcount > 0


_NAMES = [each.name for each in attrs.fields(AppConfiguration) if each.name != "application_id"]
_GET = PreparedStatement(
    union_all(
        select(
            literal_column("NULL", Number).label("application_id"), *(APP_CONFIGURATIONS.c[name] for name in _NAMES)
        ).where(APP_CONFIGURATIONS.c.app_name == bindparam("app")),
        _select_own().where(
            _OWN.c.application_id == bindparam("application", type_=Number), _OWN.c.app_name == bindparam("app")
        ),
    )
)
