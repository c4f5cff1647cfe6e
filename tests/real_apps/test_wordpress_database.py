"""The database below WordPress: several on one machine leave each other alone."""

import subprocess
from pathlib import Path

from tests.real_apps.wordpress_world import database, need_wordpress


def test_a_database_that_starts_leaves_others_their_temporary_tables(tmp_path: Path) -> None:
    """Else those would crash, and WordPress answer "Error establishing a database connection"."""
    need_wordpress()
    for name in ("running", "starting"):
        (tmp_path / name).mkdir()
    with database(tmp_path / "running") as (socket, program):
        client = ["mariadb", "--no-defaults", f"--socket={socket}", "--skip-column-names", "--unbuffered", "wordpress"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(client, text=True, **pipes) as session:
            session.stdin.write(
                "CREATE TEMPORARY TABLE kept ENGINE=Aria SELECT 'before' AS word; SELECT word FROM kept;\n"
            )
            session.stdin.flush()
            assert "before\n" == session.stdout.readline()
            with database(tmp_path / "starting"):
                said, _ = session.communicate("DROP TABLE kept; SELECT 'after';\n")

        assert "after\n" == said
        program.goes_on()
