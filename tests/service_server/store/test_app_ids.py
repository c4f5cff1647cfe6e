"""The numbers of apps."""

from sqlalchemy import text

from service_server.store import AppIds, Database


async def test_an_app_keeps_its_number(database: Database) -> None:
    """Other apps that come, go and come back do not change it, and nobody gets the number of one that left."""
    ids = AppIds(database)
    first = await ids.allocate(["kinto", "github"])
    without_github = await ids.allocate(["kinto", "sandbox"])
    back = await ids.allocate(["sandbox", "github", "kinto"])

    assert {"github": 1, "kinto": 2} == first
    assert {"kinto": 2, "sandbox": 3} == without_github
    assert {**first, **without_github} == back


async def test_a_number_is_never_given_twice(database: Database) -> None:
    """Even when a row was deleted by hand, its number stays its own."""
    ids = AppIds(database)
    await ids.allocate(["github", "kinto"])
    async with database.write() as connection:
        await connection.execute(text("DELETE FROM app_ids WHERE name = 'kinto'"))

    assert {"sandbox": 3} == await ids.allocate(["sandbox"])
