"""Connecting, reconnecting and disconnecting WordPress accounts by application passwords."""

import base64

import pytest

from service_client import CallRefusedError
from tests.real_apps.wordpress_world import WordPressWorld

pytestmark = pytest.mark.real_apps

CREATE, DRAFT = "wordpress-create-post", {"title": "A draft", "status": "draft"}
WRONG_PASSWORD = "abcd EFGH ijkl MNOP qrst UVWX"


def test_accounts_are_told_apart_by_name(at_wordpress: WordPressWorld) -> None:
    """Two people's accounts of one user show the person and the site, newest first, and work apart."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    accounts = [
        front.connect("two", "password", wordpress.fields(wordpress.new_password(login))) for login in ("ada", "grace")
    ]
    with front.client("two") as client:
        slugs = [
            client.functions.passthrough("wordpress", "GET", "/users/me", connected_account_id=account).output["slug"]
            for account in accounts
        ]

    assert [
        (accounts[1], f"Grace Hopper (grace) at {wordpress.url}"),
        (accounts[0], f"Ada Lovelace (ada) at {wordpress.url}"),
    ] == [(each.id, each.display_name) for each in front.accounts("two")]
    assert ["ada", "grace"] == slugs


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


def test_a_site_that_is_no_wordpress_connects_nothing(at_wordpress: WordPressWorld) -> None:
    """An address without WordPress' API is no account: its 404 is told."""
    wordpress = at_wordpress.wordpress
    fields = wordpress.fields(wordpress.new_password("ada")) | {"variable.server_url": f"{wordpress.url}/blog"}
    attempt = at_wordpress.front.try_to_connect("elsewhere", "password", fields)

    assert "connected" != attempt.status
    assert "404" in attempt.problem()


def test_one_identity_is_one_account(at_wordpress: WordPressWorld) -> None:
    """The same person connected again by another application password stays one account, with the newer one in use."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    passwords = [wordpress.new_password("ada") for _ in range(2)]
    accounts = [front.connect("once", "password", wordpress.fields(password)) for password in passwords]
    wordpress.revoke(passwords[0])
    with front.client("once") as client:
        created = client.functions.call(CREATE, DRAFT)

    assert accounts[0] == accounts[1]
    assert [accounts[0]] == [each.id for each in front.accounts("once")]
    assert "201" == created.network_code


def test_a_revoked_password_asks_for_reconnecting(at_wordpress: WordPressWorld) -> None:
    """Public reads still work, what needs a login is a 401; a new password brings the account back under its id."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    password = wordpress.new_password("grace")
    account = front.connect("revoked", "password", wordpress.fields(password))
    with front.client("revoked") as client:
        assert "201" == client.functions.call(CREATE, DRAFT).network_code
        wordpress.revoke(password)
        unnoticed = client.functions.call("wordpress-list-posts")
        noticed = client.functions.call(CREATE, DRAFT)
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(CREATE, DRAFT)
        (marked,) = front.accounts("revoked")
        others = wordpress.fields(wordpress.new_password("ada"))
        mistaken = front.try_to_connect("revoked", "password", others, reconnect=account)
        fields = wordpress.fields(wordpress.new_password("grace"))
        assert account == front.connect("revoked", "password", fields, reconnect=account)
        created = client.functions.call(CREATE, DRAFT)

    assert ["200", "401"] == [unnoticed.network_code, noticed.network_code]
    assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
    assert "refused its credentials" in str(refused.value)
    assert (account, "reconnect_required") == (marked.id, marked.state)
    assert "refused its credentials" in str(marked.state_reason)
    assert "connected" != mistaken.status
    assert all(name in mistaken.problem() for name in ("Ada Lovelace (ada)", "Grace Hopper (grace)"))
    assert "201" == created.network_code


def test_passwords_are_nowhere_in_plain_text(at_wordpress: WordPressWorld) -> None:
    """Neither what is kept on disk nor what is printed holds an application password, right or wrong, even encoded."""
    wordpress, front = at_wordpress.wordpress, at_wordpress.front
    password = wordpress.new_password("ada")
    fields = wordpress.fields(password)
    front.connect("discreet", "password", fields)
    front.try_to_connect("discreet", "password", {**fields, "field.password": WRONG_PASSWORD})
    with front.client("discreet") as client:
        assert "201" == client.functions.call(CREATE, DRAFT).network_code

    texts = [password.text, WRONG_PASSWORD]
    encoded = [base64.b64encode(f"ada:{text}".encode()).decode().rstrip("=") for text in texts]
    assert front.where_found("Ada Lovelace (ada)")
    assert [] == front.where_found(*texts, *(text.replace(" ", "") for text in texts), *encoded)
