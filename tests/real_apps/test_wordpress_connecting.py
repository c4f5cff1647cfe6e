"""Connecting, reconnecting and disconnecting WordPress accounts by application passwords."""

import subprocess
from pathlib import Path

from tests.real_apps.wordpress_world import WordPressWorld, database, need_wordpress

CREATE, DRAFT = "wordpress-create-post", {"title": "A draft", "status": "draft"}
WRONG_PASSWORD = "abcd EFGH ijkl MNOP qrst UVWX"


def test_a_wrong_password_connects_nothing(at_wordpress: WordPressWorld) -> None:
    """WordPress' refusal is said on the page, which keeps the name and doesn't show the password again."""
    wordpress = at_wordpress.wordpress
    fields = {**wordpress.fields(wordpress.new_password("ada")), "field.password": WRONG_PASSWORD}
    attempt = at_wordpress.front.try_to_connect("wrong", "password", fields)

    assert (422, "pending") == (attempt.page.status_code, attempt.status)
    assert "WordPress did not accept this." in attempt.problem()
    assert 'value="ada"' in attempt.page.text
    assert WRONG_PASSWORD not in attempt.page.text
    assert [] == at_wordpress.front.accounts("wrong")


def test_one_identity_is_one_account(at_wordpress: WordPressWorld) -> None:
    """Named after person and site; connected by another application password it stays one, with that one in use."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    passwords = [wordpress.new_password("ada") for _ in range(2)]
    first, second = (front.connect("once", "password", wordpress.fields(password)) for password in passwords)
    wordpress.revoke(passwords[0])
    with front.client("once") as client:
        assert "201" == client.functions.call(CREATE, DRAFT).network_code

    assert first == second
    named = [(each.id, each.display_name) for each in front.accounts("once")]
    assert [(first, f"Ada Lovelace (ada) at {wordpress.url}")] == named


def test_a_revoked_password_asks_for_reconnecting(at_wordpress: WordPressWorld) -> None:
    """Public reads still work, what needs a login is a 401; a new password brings the account back under its id."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    password = wordpress.new_password("grace")
    account = front.connect("revoked", "password", wordpress.fields(password))
    wordpress.revoke(password)
    with front.client("revoked") as client:
        codes = [client.functions.call(*each).network_code for each in (("wordpress-list-posts",), (CREATE, DRAFT))]
        assert account == front.must_reconnect("revoked", CREATE, DRAFT, "refused its credentials")
        others = wordpress.fields(wordpress.new_password("ada"))
        mistaken = front.try_to_connect("revoked", "password", others, reconnect=account)
        fields = wordpress.fields(wordpress.new_password("grace"))
        assert account == front.connect("revoked", "password", fields, reconnect=account)
        assert "201" == client.functions.call(CREATE, DRAFT).network_code

    assert ["200", "401"] == codes
    assert "connected" != mistaken.status
    assert all(name in mistaken.problem() for name in ("Ada Lovelace (ada)", "Grace Hopper (grace)"))


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
