"""
No user ever reaches what is another user's or another application's, in whatever order things happen.

A random interleaving of everything that users can do (and of everything that they might try on what is not theirs)
runs against the real service; a model says what each of them owns. The same user ids exist in every application.
"""

import contextlib
import itertools
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, ClassVar

import httpx
import pytest
from attrs import define, frozen
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test

from tests.service_server.processes import http
from tests.service_server.rest.owned_app import ORIGIN, Principal, World, code_in, world

pytestmark = pytest.mark.slow

APPLICATIONS = ("Acme", "Bolt")
PRINCIPALS = st.builds(Principal, st.sampled_from(APPLICATIONS), st.sampled_from(["ann", "bea"]))
_runs = itertools.count()
_owners = itertools.count()


@frozen
class Owned:
    """Something that belongs to one principal: its name for the service, and what goes with it."""

    owner: Principal
    name: Any
    detail: Any = None


@define
class Account:
    """A connected account in the model."""

    owner: Principal
    external: str
    connected: bool = True


def code_of(response: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal."""
    return response.status_code, response.json()["error_details"][0]["code"]


class Interleaving(RuleBasedStateMachine):
    """What users do, in any order."""

    world: ClassVar[World]
    accounts = Bundle("accounts")
    sessions = Bundle("sessions")
    cursors = Bundle("cursors")
    list_cursors = Bundle("list_cursors")
    tokens = Bundle("tokens")
    parked = Bundle("parked")

    def __init__(self) -> None:
        super().__init__()
        self.run = next(_runs)
        self.model: dict[int, Account] = {}
        self.answers: dict[tuple[Principal, str], int] = {}

    def real(self, principal: Principal) -> Principal:
        """The principal as the service knows it: every run has users of its own."""
        return Principal(principal.application, f"{principal.user_id} {self.run}")

    def api(self, principal: Principal) -> httpx.Client:
        """A client that signs for a principal."""
        return self.world.api(self.real(principal))

    def connected(self, principal: Principal) -> dict[int, Account]:
        """The accounts of a principal, by id."""
        return {
            number: account
            for number, account in self.model.items()
            if account.owner == principal and account.connected
        }

    @rule(target=sessions, principal=PRINCIPALS)
    def open_session(self, principal: Principal) -> Owned:
        """Begin to connect, and leave it at that."""
        with self.api(principal) as api:
            session = api.post("/apps/owned/connect_sessions", json={}).json()
        return Owned(principal, session["id"], session["url"])

    @rule(target=accounts, principal=PRINCIPALS, by_redirect=st.booleans(), thief=PRINCIPALS)
    def connect(self, principal: Principal, by_redirect: bool, thief: Principal) -> Owned:
        """Connect an account; in redirect mode somebody may try to redeem it first."""
        owner = f"owner-{next(_owners)}"
        options = {"redirect_url": f"{ORIGIN.format(principal.application.lower())}/back"} if by_redirect else {}
        with self.api(principal) as api, self.api(thief) as other:
            session = api.post("/apps/owned/connect_sessions", json=options).json()
            address = f"/connect_sessions/{session['id']}"
            sent_on = self.world.fill_in(session["url"], owner)
            if by_redirect:
                code = {"code": code_in(sent_on)}
                if thief != principal:
                    assert (404, "unknown_connect_session") == code_of(other.post(f"{address}/redeem", json=code))
                assert 200 == api.post(f"{address}/redeem", json=code).status_code
            state = api.get(address).json()
        assert "connected" == state["status"]
        self.model[state["connected_account_id"]] = Account(principal, owner)
        return Owned(principal, state["connected_account_id"], owner)

    @rule(session=sessions, principal=PRINCIPALS, cancel=st.booleans())
    def look_at_session(self, session: Owned, principal: Principal, cancel: bool) -> None:
        """Watch or cancel a session, one's own or not."""
        with self.api(principal) as api, self.api(session.owner) as owner:
            before = owner.get(f"/connect_sessions/{session.name}").json()["status"]
            if cancel:
                answer = api.delete(f"/connect_sessions/{session.name}")
            else:
                answer = api.get(f"/connect_sessions/{session.name}")
            after = owner.get(f"/connect_sessions/{session.name}").json()["status"]
        if principal != session.owner:
            assert (404, "unknown_connect_session") == code_of(answer)
            assert before == after
        else:
            assert answer.status_code == (204 if cancel else 200)
            assert after == ("cancelled" if cancel else before)

    @rule(account=accounts, principal=PRINCIPALS)
    def reconnect(self, account: Owned, principal: Principal) -> None:
        """Begin to reconnect an account, one's own or not."""
        with self.api(principal) as api:
            answer = api.post("/apps/owned/connect_sessions", json={"connected_account_id": account.name})
        if account.name in self.connected(principal):
            assert 201 == answer.status_code
        else:
            assert (400, "account_not_found") == code_of(answer)

    @rule(target=cursors, account=accounts, principal=PRINCIPALS)
    def call(self, account: Owned, principal: Principal) -> Any:
        """Call a function in an account, one's own or not; the app tells whose key it saw."""
        with self.api(principal) as api:
            answer = api.post("/functions/owned-things", params={"connected_account_id": account.name})
        if account.name not in self.connected(principal):
            assert answer.status_code == 400
            assert code_of(answer)[1] in ("account_not_found", "not_connected")
            return multiple()
        assert account.detail == answer.json()["output"][0]["owner"]
        return Owned(principal, answer.json()["next_page"], account)

    @rule(principal=PRINCIPALS)
    def call_without_choosing(self, principal: Principal) -> None:
        """Without a choice the only account is used, and no other is offered than one's own."""
        own = self.connected(principal)
        with self.api(principal) as api:
            answer = api.post("/functions/owned-things")
        if len(own) == 1:
            assert next(iter(own.values())).external == answer.json()["output"][0]["owner"]
        else:
            assert (400, "account_required" if own else "not_connected") == code_of(answer)
            offered = set(re.findall(r"owner-[0-9]+", answer.text))
            assert {account.external for account in own.values()} == offered

    @rule(cursor=cursors, account=accounts, principal=PRINCIPALS)
    def next_page(self, cursor: Owned, account: Owned, principal: Principal) -> None:
        """Use a cursor with an account: it is good for the one it was made for, and for its owner."""
        with self.api(principal) as api:
            answer = api.post(
                "/functions/owned-things",
                params={"connected_account_id": account.name},
                json={"next_page": cursor.name},
            )
        if account.name not in self.connected(principal):
            assert answer.status_code == 400
        elif (cursor.owner, cursor.detail.name) == (principal, account.name):
            assert (account.detail, 2) == tuple(answer.json()["output"][0][each] for each in ("owner", "page"))
        else:
            assert (400, "bad_cursor") == code_of(answer)

    @rule(target=list_cursors, principal=PRINCIPALS)
    def list_functions(self, principal: Principal) -> Owned:
        """The first page of a list."""
        with self.api(principal) as api:
            return Owned(principal, api.get("/functions", params={"app": "owned"}).json()["cursor"])

    @rule(cursor=list_cursors, principal=PRINCIPALS)
    def next_page_of_list(self, cursor: Owned, principal: Principal) -> None:
        """A cursor of a list is its user's alone."""
        with self.api(principal) as api:
            answer = api.get("/functions", params={"app": "owned", "cursor": cursor.name})
        if principal == cursor.owner:
            assert 200 == answer.status_code
        else:
            assert (400, "bad_cursor") == code_of(answer)

    @rule(account=accounts, principal=PRINCIPALS, key=st.sampled_from(["one", "two"]))
    def change_once(self, account: Owned, principal: Principal, key: str) -> None:
        """Under the same key every user gets the result of the own first call, never that of another."""
        if account.name not in self.connected(principal):
            return
        with self.api(principal) as api:
            answer = api.post(
                "/functions/owned-change",
                params={"connected_account_id": account.name},
                headers={"Idempotency-Key": f"{key} of {account.name}"},
            )
        (item,) = answer.json()["output"]["items"]
        assert account.detail == item["owner"]
        assert self.answers.setdefault((principal, f"{key} {account.name}"), item["number"]) == item["number"]

    @rule(principal=PRINCIPALS, key=st.sampled_from(["one", "two"]))
    def change_under_a_shared_key(self, principal: Principal, key: str) -> None:
        """The same key and arguments of several users are as many calls."""
        own = self.connected(principal)
        if len(own) != 1:
            return
        with self.api(principal) as api:
            answer = api.post("/functions/owned-change", headers={"Idempotency-Key": f"shared {key} {self.run}"})
        (item,) = answer.json()["output"]["items"]
        numbers = {number for (owner, _), number in self.answers.items() if owner != principal}
        assert item["number"] not in numbers
        assert self.answers.setdefault((principal, f"shared {key}"), item["number"]) == item["number"]

    @rule(target=tokens, principal=PRINCIPALS)
    def mint(self, principal: Principal) -> Owned:
        """A session token."""
        with self.api(principal) as api:
            return Owned(principal, api.post("/session_tokens", json={}).json()["token"])

    @rule(token=tokens, principal=PRINCIPALS, account=accounts)
    def use_token(self, token: Owned, principal: Principal, account: Owned) -> None:
        """A token stands for its own user; who says to be another one beside it is nobody."""
        claimed = self.world.headers(self.real(principal))
        with http(self.world.running.url, {"Authorization": f"Bearer {token.name}"}) as page:
            own = page.get("/apps/owned").json()["connected_accounts"]
            named = page.get("/apps", headers={name: claimed[name] for name in ("App-Key", "User-ID")})
            call = page.post("/functions/owned-things", params={"connected_account_id": account.name})
        assert set(self.connected(token.owner)) == {each["id"] for each in own}
        assert named.status_code == (200 if principal == token.owner else 401)
        assert (call.status_code == 200) == (account.name in self.connected(token.owner))

    @rule(account=accounts, principal=PRINCIPALS)
    def disconnect(self, account: Owned, principal: Principal) -> None:
        """Disconnect an account; only one's own is gone afterwards."""
        own = account.name in self.connected(principal)
        with self.api(principal) as api:
            answer = api.delete(f"/apps/owned/connected_accounts/{account.name}")
        if own:
            assert 204 == answer.status_code
            self.model[account.name].connected = False
        else:
            assert (400, "account_not_found") == code_of(answer)

    @rule(principal=PRINCIPALS, other=PRINCIPALS)
    def forge(self, principal: Principal, other: Principal) -> None:
        """The hash of one user, or of the same one in another application, is not that of another."""
        mine, theirs = (self.world.headers(self.real(each)) for each in (principal, other))
        with http(self.world.running.url) as client:
            for forged in ({**theirs, "Hash": mine["Hash"]}, {**mine, "User-ID": theirs["User-ID"]}):
                expected = 200 if forged in (mine, theirs) else 401
                assert expected == client.get("/apps", headers=forged).status_code

    @rule(principal=PRINCIPALS)
    def see_accounts(self, principal: Principal) -> None:
        """Every list shows exactly one's own accounts."""
        own = self.connected(principal)
        with self.api(principal) as api:
            shown = api.get("/apps/owned").json()["connected_accounts"]
            listed = api.get("/apps", params={"connected_only": "true"}).json()["apps"]
        expected = {(number, account.external) for number, account in own.items()}
        assert expected == {(each["id"], each["display_name"]) for each in shown}
        assert expected == {(each["id"], each["display_name"]) for app in listed for each in app["connected_accounts"]}

    @invariant()
    def nothing_was_lost(self) -> None:
        """What others do never removes an account."""
        with contextlib.closing(sqlite3.connect(self.world.running.data_directory / "service.db")) as connection:
            kept = {
                number: (application, user)
                for number, application, user in connection.execute(
                    "SELECT accounts.id, applications.name, user_id FROM accounts"
                    " JOIN applications ON applications.id = application_id WHERE user_id LIKE ?",
                    (f"% {self.run}",),
                )
            }
        expected = {
            number: (account.owner.application, self.real(account.owner).user_id)
            for number, account in self.model.items()
            if account.connected
        }
        assert expected == kept

    def teardown(self) -> None:
        """Every call in the log was made in an account of the user it is logged for."""
        with contextlib.closing(sqlite3.connect(self.world.running.data_directory / "service.db")) as connection:
            calls = connection.execute(
                "SELECT account_id, applications.name, user_id, output FROM calls"
                " JOIN applications ON applications.id = application_id WHERE user_id LIKE ?",
                (f"% {self.run}",),
            ).fetchall()
        for account_id, application, user_id, output in calls:
            account = self.model[account_id]
            assert (application, user_id) == (account.owner.application, self.real(account.owner).user_id)
            assert f'"{account.external}"' in output


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The service with its applications."""
    with world(tmp_path_factory.mktemp("owners"), *APPLICATIONS) as running:
        yield running


def test_nobody_reaches_what_is_not_theirs(shared: World) -> None:
    """Any interleaving of connecting, calling, paging, repeating, minting and disconnecting keeps owners apart."""
    Interleaving.world = shared
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Interleaving,
        settings=settings(
            max_examples=12,
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate],  # to shorten a failure against a real process would take minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
