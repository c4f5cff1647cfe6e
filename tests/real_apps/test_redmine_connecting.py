"""Connecting, reconnecting and disconnecting Redmine accounts by API keys typed into the service's connect page."""

import pytest

from tests.real_apps.redmine_world import RedmineWorld

WRONG_KEY = "0123456789abcdef0123456789abcdef01234567"
CREATE = "redmine-create-issue"


def test_a_wrong_key_connects_nothing(at_redmine: RedmineWorld) -> None:
    """Redmine's 401 without a body is said at the field, the key is not shown again, and the session stays open."""
    attempt = at_redmine.front.try_to_connect("wrong", "key", at_redmine.redmine.fields("ada", WRONG_KEY))

    assert (422, "pending") == (attempt.page.status_code, attempt.status)
    assert "Redmine did not accept this." in attempt.problem()
    assert 'id="field.api_key-error">Redmine did not accept this.' in attempt.page.text
    assert WRONG_KEY not in attempt.page.text
    assert [] == at_redmine.front.accounts("wrong")


@pytest.mark.parametrize("server_url", ["http://127.0.0.1:1", "http://169.254.169.254"])
def test_a_user_does_not_choose_any_server(at_redmine: RedmineWorld, server_url: str) -> None:
    """An address inside the service's network that its operator didn't allow gets no request."""
    fields = {**at_redmine.redmine.fields("ada"), "variable.server_url": server_url}
    attempt = at_redmine.front.try_to_connect("elsewhere", "key", fields)

    assert (422, "pending") == (attempt.page.status_code, attempt.status)
    assert "isn't allowed to reach Redmine there" in attempt.problem()


def test_a_replaced_key_asks_for_reconnecting(at_redmine: RedmineWorld) -> None:
    """Reads with a void key show what strangers see, the rest is an empty 401; the new key keeps the account's id."""
    redmine, front = at_redmine.redmine, at_redmine.front
    account = front.connect("renewed", "key", redmine.fields("grace"))
    issue = {"project_id": "website", "subject": "By the new key"}
    old_key = redmine.keys["grace"]
    with front.client("renewed") as client:
        assert ["website"] == [row["identifier"] for row in client.functions.items("redmine-list-projects")]
        redmine.replace_key("grace")
        unnoticed = client.functions.call("redmine-list-projects")
        noticed = client.functions.call(CREATE, issue)
        assert account == front.must_reconnect("renewed", CREATE, issue, "refused its credentials")
        still = front.try_to_connect("renewed", "key", redmine.fields("grace", old_key), reconnect=account)
        assert account == front.connect("renewed", "key", redmine.fields("grace"), reconnect=account)
        (restored,) = front.accounts("renewed")
        created = client.functions.call(CREATE, issue)

    assert [] == front.where_found(old_key)
    assert ("200", []) == (unnoticed.network_code, unnoticed.output)
    assert ("401", None) == (noticed.network_code, noticed.output)
    assert "pending" == still.status
    named = (restored.id, restored.state, restored.display_name)
    assert (account, "active", f"Grace Hopper (grace) at {redmine.url}") == named
    assert ("201", "Grace Hopper") == (created.network_code, created.output["issue"]["author"]["name"])


def test_keys_are_nowhere_in_plain_text(at_redmine: RedmineWorld) -> None:
    """Neither what is kept on disk nor what is printed holds a key: a right one, a wrong one, or one Redmine tells."""
    redmine, front = at_redmine.redmine, at_redmine.front
    front.connect("discreet", "key", redmine.fields("ada"))
    front.try_to_connect("discreet", "key", redmine.fields("ada", WRONG_KEY))
    with front.client("discreet") as client:
        told = client.functions.passthrough("redmine", "GET", "/users/current.json").output["user"]["api_key"]

    assert redmine.keys["ada"] == told
    assert front.where_found("Ada Lovelace")
    assert [] == front.where_found(WRONG_KEY, *redmine.keys.values())
