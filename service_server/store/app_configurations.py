"""What the operator set for an app: the OAuth2 client and the variables of the deployment."""

from collections.abc import Callable, Mapping

import attrs
from attrs import Factory, frozen
from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from service_server.store.audit_events import Act, acting
from service_server.store.clock import timestamp
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import APP_CONFIGURATIONS


@frozen(kw_only=True)
class AppConfiguration:
    """The operator's configuration of one app; all of it is optional."""

    app_name: str
    client_id: str | None = None
    sealed_client_secret: str | None = None
    variables: Mapping[str, str] = Factory(dict)


class AppConfigurations:
    """The operator's configurations of all apps."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, app_name: str) -> AppConfiguration:
        """The configuration of an app; an empty one if the operator set none."""
        rows = await self._database.fetch(_GET, {"app": app_name})
        return AppConfiguration(**rows[0]) if rows else AppConfiguration(app_name=app_name)

    async def change(
        self, app_name: str, change: Callable[[AppConfiguration], AppConfiguration], act: Act | None = None
    ) -> AppConfiguration:
        """
        Change the configuration of an app; no other change can come in between.

        If `change` raises, everything stays as it was.
        """
        async with acting(self._database, act, turn="app configurations") as done:
            before = await _kept(done.connection, app_name)
            changed = change(before)
            await done.connection.execute(delete(APP_CONFIGURATIONS).where(APP_CONFIGURATIONS.c.app_name == app_name))
            await done.connection.execute(
                insert(APP_CONFIGURATIONS).values(
                    app_name=app_name,
                    client_id=changed.client_id,
                    sealed_client_secret=changed.sealed_client_secret,
                    variables=dict(changed.variables),
                    modified_at=timestamp(),
                )
            )
            await done.note(before=before, after=changed)
            return changed


async def _kept(connection: AsyncConnection, app_name: str) -> AppConfiguration:
    row = (await connection.execute(_GET.statement, {"app": app_name})).first()
    return AppConfiguration(app_name=app_name) if row is None else AppConfiguration(**row._mapping)


_COLUMNS = [APP_CONFIGURATIONS.c[attribute.name] for attribute in attrs.fields(AppConfiguration)]
_GET = PreparedStatement(select(*_COLUMNS).where(APP_CONFIGURATIONS.c.app_name == bindparam("app")))
