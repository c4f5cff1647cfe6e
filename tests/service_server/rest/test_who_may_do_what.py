"""
No user ever reaches what is another user's or another application's, in whatever order things happen.

A random interleaving of everything that users can do (and of everything that they might try on what is not theirs)
runs against the real service; a model says what each of them owns. The same user ids exist in every application.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import httpx
import pytest
from attrs import define, frozen
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test

from tests.service_server.databases import rows
from tests.service_server.processes import http
from tests.service_server.rest.conftest import code_of
from tests.service_server.rest.owned_app import ORIGIN, Principal, World, code_in, world

pytestmark = pytest.mark.slow

APPLICATIONS = ("Acme", "Bolt")
SESSIONS = "/apps/owned/connect_sessions"
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

    def ask(self, principal: Principal, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer to a request of a principal."""
        return self.world.ask(self.real(principal), method, path, **options)

    def call(self, principal: Principal, account: Owned, **options: Any) -> httpx.Response:
        """The answer to a call of a function in an account."""
        chosen = {"connected_account_id": account.name}
        return self.ask(principal, "POST", "/functions/owned-things", params=chosen, **options)

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
        session = self.ask(principal, "POST", SESSIONS, json={}).json()
        return Owned(principal, session["id"], session["url"])

    @rule(target=accounts, principal=PRINCIPALS, by_redirect=st.booleans(), thief=PRINCIPALS)
    def connect(self, principal: Principal, by_redirect: bool, thief: Principal) -> Owned:
        """Connect an account; in redirect mode somebody may try to redeem it first."""
        owner = f"owner-{next(_owners)}"
        options = {"redirect_url": f"{ORIGIN.format(principal.application.lower())}/back"} if by_redirect else {}
        session = self.ask(principal, "POST", SESSIONS, json=options).json()
        address = f"/connect_sessions/{session['id']}"
        sent_on = self.world.fill_in(session["url"], owner)
        if by_redirect:
            code = {"code": code_in(sent_on)}
            if thief != principal:
                stolen = self.ask(thief, "POST", f"{address}/redeem", json=code)
                assert (404, "unknown_connect_session") == code_of(stolen)
            assert 200 == self.ask(principal, "POST", f"{address}/redeem", json=code).status_code
        state = self.ask(principal, "GET", address).json()
        assert "connected" == state["status"]
        self.model[state["connected_account_id"]] = Account(principal, owner)
        return Owned(principal, state["connected_account_id"], owner)

    @rule(session=sessions, principal=PRINCIPALS, cancel=st.booleans())
    def look_at_session(self, session: Owned, principal: Principal, cancel: bool) -> None:
        """Watch or cancel a session, one's own or not."""
        path = f"/connect_sessions/{session.name}"
        before = self.ask(session.owner, "GET", path).json()["status"]
        answer = self.ask(principal, "DELETE" if cancel else "GET", path)
        after = self.ask(session.owner, "GET", path).json()["status"]
        if principal != session.owner:
            assert (404, "unknown_connect_session") == code_of(answer)
            assert before == after
        else:
            assert answer.status_code == (204 if cancel else 200)
            assert after == ("cancelled" if cancel else before)

    @rule(account=accounts, principal=PRINCIPALS)
    def reconnect(self, account: Owned, principal: Principal) -> None:
        """Begin to reconnect an account, one's own or not."""
        answer = self.ask(principal, "POST", SESSIONS, json={"connected_account_id": account.name})
        if account.name in self.connected(principal):
            assert 201 == answer.status_code
        else:
            assert (400, "account_not_found") == code_of(answer)

    @rule(target=cursors, account=accounts, principal=PRINCIPALS)
    def call_in_an_account(self, account: Owned, principal: Principal) -> Any:
        """Call a function in an account, one's own or not; the app tells whose key it saw."""
        answer = self.call(principal, account)
        if account.name not in self.connected(principal):
            assert code_of(answer) in ((400, "account_not_found"), (400, "not_connected"))
            return multiple()
        assert account.detail == answer.json()["output"][0]["owner"]
        return Owned(principal, answer.json()["next_page"], account)

    @rule(principal=PRINCIPALS)
    def call_without_choosing(self, principal: Principal) -> None:
        """Without a choice the only account is used, and no other is offered than one's own."""
        own = self.connected(principal)
        answer = self.ask(principal, "POST", "/functions/owned-things")
        if len(own) == 1:
            assert next(iter(own.values())).external == answer.json()["output"][0]["owner"]
        else:
            assert (400, "account_required" if own else "not_connected") == code_of(answer)
            offered = set(re.findall(r"owner-[0-9]+", answer.text))
            assert {account.external for account in own.values()} == offered

    @rule(cursor=cursors, account=accounts, principal=PRINCIPALS)
    def next_page(self, cursor: Owned, account: Owned, principal: Principal) -> None:
        """Use a cursor with an account: it is good for the one it was made for, and for its owner."""
        answer = self.call(principal, account, json={"next_page": cursor.name})
        if account.name not in self.connected(principal):
            assert answer.status_code == 400
        elif (cursor.owner, cursor.detail.name) == (principal, account.name):
            assert (account.detail, 2) == tuple(answer.json()["output"][0][each] for each in ("owner", "page"))
        else:
            assert (400, "bad_cursor") == code_of(answer)

    @rule(target=list_cursors, principal=PRINCIPALS)
    def list_functions(self, principal: Principal) -> Owned:
        """The first page of a list."""
        answer = self.ask(principal, "GET", "/functions", params={"app": "owned"})
        return Owned(principal, answer.json()["cursor"])

    @rule(cursor=list_cursors, principal=PRINCIPALS)
    def next_page_of_list(self, cursor: Owned, principal: Principal) -> None:
        """A cursor of a list is its user's alone."""
        answer = self.ask(principal, "GET", "/functions", params={"app": "owned", "cursor": cursor.name})
        if principal == cursor.owner:
            assert 200 == answer.status_code
        else:
            assert (400, "bad_cursor") == code_of(answer)

    @rule(account=accounts, principal=PRINCIPALS, key=st.sampled_from(["one", "two"]), shared=st.booleans())
    def change_once(self, account: Owned, principal: Principal, key: str, shared: bool) -> None:
        """Under the same key every user gets the result of the own first call, never that of another."""
        own = self.connected(principal)
        if account.name not in own or (shared and len(own) != 1):
            return
        chosen = {} if shared else {"connected_account_id": account.name}
        headers = {"Idempotency-Key": f"{key} of {'all' if shared else account.name} in run {self.run}"}
        answer = self.ask(principal, "POST", "/functions/owned-change", params=chosen, headers=headers)
        (item,) = answer.json()["output"]["items"]
        assert account.detail == item["owner"] or shared
        assert item["number"] not in {number for (owner, _), number in self.answers.items() if owner != principal}
        assert self.answers.setdefault((principal, str(headers)), item["number"]) == item["number"]

    @rule(target=tokens, principal=PRINCIPALS)
    def mint(self, principal: Principal) -> Owned:
        """A session token."""
        return Owned(principal, self.ask(principal, "POST", "/session_tokens", json={}).json()["token"])

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
        answer = self.ask(principal, "DELETE", f"/apps/owned/connected_accounts/{account.name}")
        if own:
            assert 204 == answer.status_code
            self.model[account.name].connected = False
        else:
            assert (400, "account_not_found") == code_of(answer)

    @rule(principal=PRINCIPALS, other=PRINCIPALS)
    def forge(self, principal: Principal, other: Principal) -> None:
        """The hash of one user, or of the same one in another application, is not that of another."""
        mine, theirs = (self.world.headers(self.real(each)) for each in (principal, other))
        for forged in ({**theirs, "Hash": mine["Hash"]}, {**mine, "User-ID": theirs["User-ID"]}):
            expected = 200 if forged in (mine, theirs) else 401
            assert expected == self.world.client.get("/apps", headers=forged).status_code

    @rule(principal=PRINCIPALS)
    def see_accounts(self, principal: Principal) -> None:
        """Every list shows exactly one's own accounts."""
        expected = {(number, account.external) for number, account in self.connected(principal).items()}
        shown = self.ask(principal, "GET", "/apps/owned").json()["connected_accounts"]
        listed = self.ask(principal, "GET", "/apps", params={"connected_only": "true"}).json()["apps"]
        assert expected == {(each["id"], each["display_name"]) for each in shown}
        assert expected == {(each["id"], each["display_name"]) for app in listed for each in app["connected_accounts"]}

    def kept(self, columns: str, table: str) -> list[tuple[Any, ...]]:
        """The rows of a table that belong to users of this run."""
        return rows(
            self.world.running.data_directory,
            f"SELECT {columns}, applications.name, user_id FROM {table}"
            f" JOIN applications ON applications.id = application_id WHERE user_id LIKE '% {self.run}'",
        )

    @invariant()
    def nothing_was_lost(self) -> None:
        """What others do never removes an account."""
        expected = {
            (number, account.owner.application, self.real(account.owner).user_id)
            for number, account in self.model.items()
            if account.connected
        }
        assert expected == set(self.kept("accounts.id", "accounts"))

    def teardown(self) -> None:
        """Every call in the log was made in an account of the user it is logged for."""
        for account_id, output, application, user_id in self.kept("account_id, output", "calls"):
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
    run_state_machine_as_test(
        Interleaving,
        settings=settings(
            max_examples=12,
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate],  # to shorten a failure against a real process would take minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
