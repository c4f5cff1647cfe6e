"""Connecting, reconnecting and disconnecting Redmine accounts by API keys typed into the service's connect page."""

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

    assert [] == front.service.where_found(old_key)
    assert ("200", []) == (unnoticed.network_code, unnoticed.output)
    assert ("401", None) == (noticed.network_code, noticed.output)
    assert "pending" == still.status
    named = (restored.id, restored.state, restored.display_name)
    assert (account, "active", f"Grace Hopper (grace) at {redmine.url}") == named
    assert ("201", "Grace Hopper") == (created.network_code, created.output["issue"]["author"]["name"])
