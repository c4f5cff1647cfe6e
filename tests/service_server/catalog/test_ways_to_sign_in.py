"""What a way to sign in may have of its own: an address, a test, and a call that fills a variable."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.auth_parts import Then
from tests.service_server.catalog.connector_folder import ConnectorFolder, connector_with

KEY = {
    "id": "key",
    "type": "api_key",
    "title": "Key",
    "fields": {"key": {"title": "Key"}, "number": {"title": "Number", "secret": False}},
    "inject": {"header": {"X-Key": "${creds.key}"}},
}
THEN = {
    "request": {"get": "https://api.acme.example/sites"},
    "output": "sites",
    "sets": "site",
    "value": "id",
    "label": "about.name",
}
OWN = {
    **KEY,
    "id": "own",
    "base_url": "https://api.acme.example/${vars.site}",
    "test": {"get": "/numbers/${creds.number}"},
    "then": THEN,
}


def folder(*ways: dict[str, Any], **connector: Any) -> ConnectorFolder:
    """Return a connector with a user's variable in its address, and one that is chosen."""
    variables = {
        "host": {"title": "Host", "set_by": "user", "format": "hostname"},
        "site": {"title": "Site", "set_by": "choice", "pattern": "[a-z]+"},
    }
    hosts = {"base_url": "https://${vars.host}", "allow_hosts": ["api.acme.example"]}
    return connector_with(vars=variables, auth=list(ways), test={"get": "/me"}, **hosts | connector)


def keys_of_problems(written: ConnectorFolder, directory: Path) -> list[str]:
    """Return the keys at which something is wrong."""
    return [problem.key for problem in written.problems(directory)]


def then_of(directory: Path) -> Then:
    """Return the call after a sign-in."""
    then = folder(KEY, OWN).loaded(directory).auth[1].then
    assert then is not None
    return then


def test_each_way_has_its_address_and_test(tmp_path: Path) -> None:
    """Accounts go where the way that they signed in by says, and only there."""
    connector = folder(KEY, OWN).loaded(tmp_path)
    context = {"vars": {"host": "a.example", "site": "labs"}, "creds": {"number": "7"}}
    key, own = connector.auth
    test = connector.test_of(own)

    assert "https://a.example" == connector.base_url({**context, "auth_id": "key"})
    assert "https://api.acme.example/labs" == connector.base_url({**context, "auth_id": "own"})
    assert connector.test is connector.test_of(key)
    address = connector.base_url({**context, "auth_id": "own"})
    assert "https://api.acme.example/labs/numbers/7" == test.build(address, context).url
    assert connector.host_rules({**context, "auth_id": "key"}).allows("https://a.example/x")
    assert not connector.host_rules({**context, "auth_id": "own"}).allows("https://a.example/x")
    assert {"host": {"key"}, "site": {"own"}} == {name: each.ways for name, each in connector.variables.items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"sites": [{"id": "labs", "about": {"name": "Labs"}}, {"id": 7}]}, (("labs", "Labs"), ("7", "7"))),
        ({"sites": [{"id": "a"}, {"id": "a", "about": {"name": "A"}}, {"id": True}, {"id": ""}, 5]}, (("a", "a"),)),
        ({"sites": []}, ()),
    ],
)
def test_choices_are_read(body: Any, expected: Any, tmp_path: Path) -> None:
    """Each value once, with what it is called."""
    assert expected == then_of(tmp_path).choices(body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"sites": {"id": "a"}}, "there is no list where then.output leads"),
        ("sites", "there is no list where then.output leads"),
        (None, "there is no list where then.output leads"),
        ({"sites": [{"name": "a"}]}, "the only entry lacks id"),
        ({"sites": [{"name": "a"}, 5]}, "all 2 entries lack id"),
    ],
)
def test_what_lists_nothing_is_told_from_an_empty_list(body: Any, said: str, tmp_path: Path) -> None:
    """Whoever wrote the connector learns what is missing."""
    with pytest.raises(LookupError, match=said):
        then_of(tmp_path).choices(body)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"then": {**THEN, "sets": "host"}}, "auth[1].then.sets"),
        ({"then": {**THEN, "sets": "nothing"}}, "auth[1].then.sets"),
        ({"then": {**THEN, "request": {"delete": "https://api.acme.example/sites"}}}, "auth[1].then.request"),
        ({"then": {**THEN, "request": {"get": "https://else.example/sites"}}}, "auth[1].then.request.get"),
        ({"then": {**THEN, "request": {"get": "/sites"}}}, "auth[1].then.request"),
        ({"then": {**THEN, "request": {"get": "https://api.acme.example/${vars.site}"}}}, "auth[1].then.request.get"),
        ({"then": {**THEN, "request": {"get": "https://api.acme.example/${creds.key}"}}}, "auth[1].then.request.get"),
        ({"then": {**THEN, "output": "sites["}}, "auth[1].then.output"),
        ({"test": {"get": "/numbers/${creds.key}"}}, "auth[1].test.get"),
        ({"base_url": "https://${vars.nothing}"}, "auth[1].base_url"),
        ({"base_url": "ftp://api.acme.example"}, "auth[1].base_url"),
    ],
)
def test_mistakes_are_found(change: dict[str, Any], key: str, tmp_path: Path) -> None:
    """A call that could not be made, changes something, or would put a secret into an address is told."""
    assert key in keys_of_problems(folder(KEY, {**OWN, **change}), tmp_path / "own")
    # a variable that is chosen needs a way to sign in that lists what there is
    assert ["vars.site"] == keys_of_problems(folder(KEY), tmp_path / "none")


def test_a_host_that_the_app_names_is_one_of_the_declared(tmp_path: Path) -> None:
    """What an answer fills in may lead to another path, and to another host only where the connector says which."""
    free = {**OWN, "base_url": "https://${vars.site}.acme.example", "then": THEN}
    written = folder(KEY, free)

    context = {"vars": {"host": "a.example", "site": "labs"}}
    of_free = written.loaded(tmp_path / "a")

    assert not of_free.host_rules({**context, "auth_id": "own"}).allows("https://labs.acme.example/x")
    assert of_free.host_rules({**context, "auth_id": "own"}).allows("https://api.acme.example/x")
    assert of_free.host_rules({**context, "auth_id": "key"}).allows("https://a.example/x")
    assert ["auth[1].base_url"] == keys_of_problems(
        folder(KEY, {**free, "then": {**THEN, "request": {"get": "/x"}}}, allow_hosts=[]), tmp_path / "b"
    )[:1]


def test_the_first_name_of_an_account_that_is_whole_counts(tmp_path: Path) -> None:
    """Of several ids the first is taken whose values are all there."""
    account = {"id": ["${vars.host}/${test.id}", "${vars.site}/${test.id}"], "name": "${test.name}"}
    connector = folder(KEY, OWN, account=account).loaded(tmp_path)

    assert "a/1" == connector.identity({"vars": {"host": "a"}, "test": {"id": 1}}).external_id
    assert "labs/1" == connector.identity({"vars": {"site": "labs"}, "test": {"id": 1}}).external_id
    assert connector.identity({"vars": {}, "test": {"id": 1}}).external_id is None
