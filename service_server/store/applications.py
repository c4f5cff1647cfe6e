"""Host applications: who may call the service, and from which origins."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from attrs import frozen
from sqlalchemy import RowMapping, Select, delete, insert, select, update

from service_server.store.audit_events import Act, acting
from service_server.store.clock import timestamp
from service_server.store.database import Database
from service_server.store.tables import APPLICATION_BRANDS, APPLICATIONS


@frozen(kw_only=True)
class Application:
    """A host application; `sealed_secrets` holds one or two, newest first."""

    id: int
    name: str
    app_key: str
    sealed_secrets: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    created_at: str


@frozen(kw_only=True)
class Brand:
    """
    What users see of an application while they connect accounts; None for what is not set.

    `name` is the one that users know, `accent` a colour as `#rrggbb`, `logo` an image as a `data:` URL.
    """

    name: str | None = None
    accent: str | None = None
    logo: str | None = attrs.field(default=None, repr=False)


class Applications:
    """The applications of this service."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        name: str,
        app_key: str,
        sealed_secrets: Sequence[str],
        allowed_origins: Sequence[str],
        act: Act | None = None,
    ) -> Application:
        """Add an application."""
        values = {
            "name": name,
            "app_key": app_key,
            "sealed_secrets": list(sealed_secrets),
            "allowed_origins": list(allowed_origins),
            "created_at": timestamp(),
        }
        async with acting(self._database, act) as done:
            result = await done.connection.execute(insert(APPLICATIONS).values(values).returning(APPLICATIONS))
            made = _application(result.mappings().one())
            await done.note(subject=str(made.id))
            return made

    async def everyone(self) -> list[Application]:
        """All applications, by name."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(APPLICATIONS).order_by(APPLICATIONS.c.name, APPLICATIONS.c.id))
            return [_application(row) for row in rows.mappings()]

    async def with_key(self, app_key: str) -> Application | None:
        """The application with this key."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(APPLICATIONS).where(APPLICATIONS.c.app_key == app_key))
            row = rows.mappings().first()
            return None if row is None else _application(row)

    async def get(self, application_id: int) -> Application | None:
        """The application with this number."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(APPLICATIONS).where(APPLICATIONS.c.id == application_id))
            row = rows.mappings().first()
            return None if row is None else _application(row)

    async def change(
        self, application_id: int, change: Callable[[Application], Application], act: Act | None = None
    ) -> Application:
        """
        Change the name, secrets and origins of an application; no other change can come in between.

        If `change` raises, everything stays as it was. LookupError if there is no such application.
        """
        of_application = APPLICATIONS.c.id == application_id
        async with acting(self._database, act) as done:
            found = await done.connection.execute(select(APPLICATIONS).where(of_application).with_for_update())
            row = found.mappings().first()
            if row is None:
                raise LookupError(f"no application {application_id}")
            before = _application(row)
            changed = change(before)
            await done.connection.execute(
                update(APPLICATIONS)
                .where(of_application)
                .values(
                    name=changed.name,
                    sealed_secrets=list(changed.sealed_secrets),
                    allowed_origins=list(changed.allowed_origins),
                )
            )
            await done.note(before=before, after=changed)
            return changed

    async def brand(self, application_id: int) -> Brand:
        """The brand of an application; an empty one if nothing was set."""
        async with self._database.read() as connection:
            row = (await connection.execute(_brand_of(application_id))).first()
            return Brand() if row is None else Brand(**row._mapping)

    async def change_brand(
        self, application_id: int, change: Callable[[Brand], Brand], act: Act | None = None
    ) -> Brand:
        """Change the brand of an application; if `change` raises, it stays as it was."""
        async with acting(self._database, act) as done:
            # Lock the application to change its brand, since there may be no brand yet.
            held = select(APPLICATIONS.c.id).where(APPLICATIONS.c.id == application_id).with_for_update()
            await done.connection.execute(held)
            row = (await done.connection.execute(_brand_of(application_id))).first()
            before = Brand() if row is None else Brand(**row._mapping)
            changed = change(before)
            of_application = APPLICATION_BRANDS.c.application_id == application_id
            await done.connection.execute(delete(APPLICATION_BRANDS).where(of_application))
            values = {"application_id": application_id, **attrs.asdict(changed)}
            await done.connection.execute(insert(APPLICATION_BRANDS).values(values))
            await done.note(before=before, after=changed)
            return changed


def _brand_of(application_id: int) -> Select[tuple[str | None, str | None, str | None]]:
    columns = APPLICATION_BRANDS.c
    return select(columns.name, columns.accent, columns.logo).where(columns.application_id == application_id)


def _application(row: RowMapping) -> Application:
    values: dict[str, Any] = dict(row)
    values["sealed_secrets"] = tuple(values["sealed_secrets"])
    values["allowed_origins"] = tuple(values["allowed_origins"])
    return Application(**values)
