"""The numbers of apps."""

from sqlalchemy import text

from service_server.store import AppIds, Database


async def test_an_app_keeps_its_number(database: Database) -> None:
    """Other apps that come, go and come back do not change it; nobody gets that of one that left or was deleted."""
    ids = AppIds(database)
    assert {"github": 1, "kinto": 2} == await ids.allocate(["kinto", "github"])
    assert {"kinto": 2, "sandbox": 3} == await ids.allocate(["kinto", "sandbox"])
    assert {"github": 1, "kinto": 2, "sandbox": 3} == await ids.allocate(["sandbox", "github", "kinto"])

    async with database.write() as connection:
        await connection.execute(text("DELETE FROM app_ids WHERE name = 'sandbox'"))
    assert {"zoom": 4} == await ids.allocate(["zoom"])
