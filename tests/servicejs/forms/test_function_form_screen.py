"""The function form as a user meets it: gestures in, HTML and arguments out."""

import asyncio
import re
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.gallery.form_driver import ALICE, BOB, Answer, Driver, ok, ticket_app
from examples.gallery.form_states import DELETE_TICKET, LIST_ASSIGNEES, MANY_OPTIONAL, STATES, users
from examples.gallery.functions import CREATE_TICKET, function
from service_client.errors import CallRefusedError, ServiceUnreachableError
from service_client.models import CallResult, ErrorDetail, ErrorEnvelope, FieldMeta, Source
from servicejs.forms.choices import PAGE
from servicejs.screens.screen import GestureKind

WAITS = "One moment. This will happen as soon as everything has loaded."
PROJECTS, COMPONENTS, FIELDS = "sandbox-list-projects", "sandbox-list-components", "sandbox-list-custom-fields"


PLACES = function(
    {name: {"type": "string"} for name in ("country", "city", "street")},
    fields={
        name: FieldMeta(
            title=name.title(),
            widget="select",
            source=Source(
                function=function_name,
                arguments={parent: f"${{{parent}}}" for parent in parents},
                value="id",
                label="id",
            ),
        )
        for name, function_name, parents in (
            ("country", "app-countries", ()),
            ("city", "app-cities", ("country",)),
            ("street", "app-streets", ("country", "city")),
        )
    },
)


def waits(driver: Driver, element: str) -> str:
    """Return what an empty combobox says that it waits for."""
    field = re.search(rf'placeholder="([^"]*)"[^>]* id="{element}"', driver.screen.render())
    assert field is not None, element
    return field[1]


def focused(driver: Driver) -> list[str]:
    """Return the ids of the elements that ask for the focus."""
    tags = re.findall(r"<[a-z][^>]* data-autofocus[^>]*>", driver.screen.render())
    return [re.search(r' id="([^"]*)"', tag)[1] for tag in tags]


async def test_ticket_is_filled_in_and_handed_over() -> None:
    """The arguments come out with the types of the parameters, custom fields included."""
    driver = await Driver(CREATE_TICKET).started()
    await driver.set("title", "Printer on fire")
    await driver.set("project_id", "1")
    await driver.set("urgent", "true")
    await driver.do("add-item", "labels")
    assert ["field-labels-row1"] == focused(driver)
    await driver.set("labels[0]", "hardware")
    await driver.set("fields.severity", "high")
    await driver.set("fields.estimate", "2.5")
    for _ in range(2):  # of a form that is done nothing more comes
        await driver.do("submit", kind="submit")

    filled = {
        "title": "Printer on fire",
        "project_id": 1,
        "urgent": True,
        "labels": ["hardware"],
        "fields": {"severity": "high", "estimate": 2.5},
    }
    assert [(filled, None)] == driver.finished


async def test_children_wait_for_their_parent() -> None:
    """What depends on a project isn't asked for before there is one that fits, and never again for the same one."""
    driver = await Driver(CREATE_TICKET, {"project_id": "first"}).started()
    assert [(PROJECTS, {}, None)] == driver.calls
    assert "Choose Project first" == waits(driver, "field-component_id")
    assert {} == await driver.choices("component_id")

    await driver.set("project_id", "2")
    assert [(COMPONENTS, {"project": 2}, None), (FIELDS, {"project": 2}, None)] == driver.calls[1:]
    assert "Not set" == waits(driver, "field-component_id")
    assert {"api": "Interface for programs", "docs": "Documentation"} == await driver.choices("component_id")

    await driver.set("project_id", "1")
    before = len(driver.calls)
    await driver.set("project_id", "2")
    assert before == len(driver.calls)
    assert {"api", "docs"} == set(await driver.choices("component_id"))


@pytest.mark.parametrize(("component", "stays"), [("api", True), ("ui", False)])
async def test_children_follow_another_parent(component: str, stays: bool) -> None:
    """After another project was chosen, a component it has too stays; any other is dropped and named."""
    driver = await Driver(CREATE_TICKET, {"title": "t", "project_id": 1, "component_id": component}).started()
    await driver.set("project_id", "2")
    notice = driver.screen.form.notices.get(("component_id",), "")

    assert stays == ("" == notice)
    assert stays == (driver.screen.form.node(("component_id",)).text != "")
    if not stays:
        assert "User interface" in notice
        assert notice in driver.screen.render().replace("&#39;", "'")
        await driver.set("component_id", "docs")
        assert ("component_id",) not in driver.screen.form.notices


async def test_custom_fields_follow_another_parent() -> None:
    """Values of fields and choices that another project hasn't got are dropped and named; unknown keys stay."""
    given = {"title": "t", "project_id": 1, "fields": {"severity": "high", "estimate": 2, "floor": 4}}
    driver = await Driver(CREATE_TICKET, given).started()
    await driver.set("project_id", "2")
    notice = driver.screen.form.notices[("fields",)]

    assert "Severity" in notice
    assert "Estimate" in notice
    assert "floor" not in notice
    await driver.set("fields.customer", "ACME")
    await driver.do("submit")
    assert {"customer": "ACME", "floor": 4} == driver.finished[0][0]["fields"]


async def test_slow_answers_never_replace_newer_ones() -> None:
    """When the project changes twice, the answers for the first one show nowhere, however late they come."""
    driver = await Driver(CREATE_TICKET).started()
    gate = driver.gates[COMPONENTS] = asyncio.Event()
    await driver.gesture("set", "project_id", "1", "change")
    await asyncio.sleep(0)
    del driver.gates[COMPONENTS]
    await driver.gesture("set", "project_id", "2", "change")
    gate.set()
    await driver.screen.settled()

    assert {"api", "docs"} == set(await driver.choices("component_id"))


async def test_grandchildren_wait_until_their_parent_is_checked() -> None:
    """What may be dropped is neither passed on nor sent; once it is dropped, a press from before does nothing."""
    calls: list[dict[str, Any]] = []

    def places(name: str, arguments: dict[str, Any]) -> Answer:
        if name == "app-streets":
            calls.append(arguments)
            return ok(["Main street"])
        if name == "app-cities":
            return ok({"de": ["Berlin"], "fr": ["Paris"]}[arguments["country"]])
        return ok(["de", "fr"])

    given = {"country": "de", "city": "Berlin", "street": "Main street"}
    driver = await Driver(PLACES, given, places).started()
    gate = driver.gates["app-cities"] = asyncio.Event()
    await driver.gesture("set", "country", "fr", "change")
    await driver.gesture("submit", kind="submit")
    assert WAITS in driver.screen.render()
    gate.set()
    await driver.screen.settled()
    assert [] == driver.finished
    assert "“Berlin” is no longer available after your change" in driver.screen.render()
    assert WAITS not in driver.screen.render()
    assert ["field-city"] == focused(driver)
    await driver.set("city", "Paris")
    await driver.do("submit", kind="submit")

    assert [{"country": "de", "city": "Berlin"}, {"country": "fr", "city": "Paris"}] == calls
    assert [({"country": "fr", "city": "Paris", "street": "Main street"}, None)] == driver.finished


async def test_fields_that_wait_for_each_other_wait_for_nothing() -> None:
    """A circle of dependencies is a mistake of a connector, but no reason to hang."""
    fields = {
        name: FieldMeta(
            title=name,
            widget="select",
            source=Source(function=f"app-{name}", arguments={"other": f"${{{other}}}"}, value="id", label="id"),
        )
        for name, other in (("a", "b"), ("b", "a"))
    }
    circle = function({name: {"type": "string"} for name in fields}, fields=fields)
    driver = await Driver(circle, {"a": "1", "b": "2"}, lambda name, arguments: ok(["1", "2", "3"])).started()
    await driver.set("a", "3")
    await driver.set("b", "1")
    await driver.do("submit")

    assert [({"a": "3", "b": "1"}, None)] == driver.finished


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (CallRefusedError(400, ErrorEnvelope(error="Connect the account again.")), "Connect the account again."),
        (ServiceUnreachableError("Check the page's policy."), "The service can’t be reached right now."),
        (ok("no list"), ""),
        (ok({"error": "x"}), ""),
        (CallResult(network_code="500", output=[]), ""),
    ],
)
async def test_failed_sources_can_be_tried_again(failure: Answer, words: str) -> None:
    """Choices and an object's fields that could not be listed say why and offer Retry; what was prefilled is kept."""
    failing = True

    def sometimes(name: str, arguments: dict[str, Any]) -> Answer:
        return failure if failing and name != COMPONENTS else ticket_app(name, arguments)

    driver = await Driver(CREATE_TICKET, {"project_id": 1, "fields": {"estimate": 3}}, answer=sometimes).started()
    html = driver.screen.render()
    assert words in html
    for field in ("project_id", "fields"):
        assert f'data-action="retry-source" data-argument="{field}"' in html
    failing = False
    await driver.do("retry-source", "project_id")
    await driver.do("retry-source", "fields")

    assert {"1", "2"} == set(await driver.choices("project_id"))
    assert ["severity", "estimate"] == list(driver.screen.form.node(("fields",)).members)


async def test_app_searches_where_it_can() -> None:
    """By its argument, page after page; what is chosen keeps its words; what isn't listed need only fit the type."""
    driver = await Driver(LIST_ASSIGNEES, {"assignee": 3}, users).started()
    assert {"31": "Grace Hopper"} == await driver.choices("assignee", "grace")
    assert {"query": "grace"} == driver.calls[-1][1]
    await driver.set("assignee", "31")
    assert "31" not in await driver.choices("assignee")
    assert 'value="Grace Hopper"' in driver.screen.render()
    assert {"assignee": 31} == driver.screen.form.preview()

    assert 20 == len(await driver.choices("assignee"))
    await driver.do("load-more", "assignee")
    assert {"next_page": "20"} == driver.calls[-1][1]
    assert 40 == len(await driver.choices("assignee"))

    assert {"31": "Grace Hopper"} == await driver.choices("assignee", "someone")
    assert {"31": "Grace Hopper", "4711": "Use “4711” as it is"} == await driver.choices("assignee", "4711")
    await driver.set("assignee", "4711")
    await driver.do("submit")
    assert [({"assignee": 4711}, None)] == driver.finished


async def test_form_searches_where_the_app_can_not() -> None:
    """Of thousands a page is shown, scrolling brings the next, and what is typed finds every other one."""
    source = Source(function="cities", value="id", label="name")
    fields = {"city": FieldMeta(title="City", widget="select", source=source)}
    cities = [{"id": str(number), "name": f"City {number:04}"} for number in range(5_000)]
    driver = await Driver(
        function({"city": {"type": "string"}}, required=("city",), fields=fields), answer=lambda *_: ok(cities)
    ).started()
    assert PAGE == len(await driver.choices("city"))
    await driver.do("load-more", "city")
    assert 2 * PAGE == driver.screen.render().count('role="option"')

    found = {"4999": "City 4999", "city 4999": "Use “city 4999” as it is"}
    assert found == await driver.choices("city", "city 4999")
    await driver.set("city", "4999")
    assert PAGE == len(await driver.choices("city"))
    assert 'value="City 4999"' in driver.screen.render()
    await driver.do("submit", kind="submit")
    assert [({"city": "4999"}, None)] == driver.finished
    assert 1 == len(driver.calls)


async def test_what_is_left_in_a_combobox_is_a_choice_or_a_problem() -> None:
    """A text that names one choice stands for it, any other is neither sent nor lost, and no text is no value."""
    driver = await Driver(CREATE_TICKET, {"title": "t", "project_id": 1}).started()
    await driver.do("search", "project_id", "borealis", "change")
    assert "2" == driver.screen.form.node(("project_id",)).text

    await driver.do("search", "project_id", "Bor", "change")
    assert 'value="Bor"' in driver.screen.render()
    assert "“Bor” isn’t chosen yet." in driver.screen.render()
    assert "Choose Project first" == waits(driver, "field-component_id")
    await driver.do("submit", kind="submit")
    assert [] == driver.finished

    await driver.set("project_id", "1")
    await driver.do("search", "component_id", "User interface", "change")
    await driver.do("search", "component_id", "", "change")
    await driver.set("fields.severity", "low")
    await driver.do("submit", kind="submit")
    assert {"title": "t", "project_id": 1, "fields": {"severity": "low"}} == driver.finished[0][0]


async def test_what_is_left_before_the_list_is_there_is_looked_up_once_it_is() -> None:
    """Somebody who is faster than the app has chosen all the same, and is not told of a problem that is none."""
    driver = Driver(CREATE_TICKET, {"title": "t"})
    gate = driver.gates[PROJECTS] = asyncio.Event()
    starting = asyncio.create_task(driver.started())
    await asyncio.sleep(0)
    await driver.gesture("search", "project_id", "Apollo", "change")
    assert "isn’t chosen yet" not in driver.screen.render()
    gate.set()
    await starting

    assert "1" == driver.screen.form.node(("project_id",)).text
    assert (COMPONENTS, {"project": 1}, None) in driver.calls


async def test_several_values_are_chosen_from_one_list() -> None:
    """Each choice is added or taken out again, never more than are allowed, and those the app lost are dropped."""
    tags = function(
        {
            "tags": {"type": "array", "items": {"type": "number"}, "maxItems": 3},
            "sizes": {"type": "array", "items": {"type": "string", "enum": ["S", "M", "L"]}},
        },
        required=("tags",),
        fields={"tags": FieldMeta(title="Tags", widget="select", source=Source(function="t", value="id", label="n"))},
    )
    listed = [{"id": number, "n": f"Tag {number}"} for number in range(1, 6)]
    driver = await Driver(tags, {"tags": [2]}, lambda name, arguments: ok(listed)).started()
    assert 1 == len(driver.calls)
    assert "<bdi>Tag 2</bdi>" in driver.screen.render()

    for value in ("1", "3", "4"):
        await driver.set("tags", value)
    assert "Keep at most 3 entries." in driver.screen.render()
    await driver.set("tags", "2")
    await driver.do("remove-item", "tags[0]")
    assert {"77": "Use “77” as it is"} == await driver.choices("tags", "77")
    await driver.set("tags", "77")
    await driver.set("sizes", "L")
    await driver.do("search", "tags", "Tag", "change")
    await driver.do("submit", kind="submit")
    assert ["field-tags"] == focused(driver)
    await driver.do("search", "tags", "Tag 5", "change")
    await driver.do("submit", kind="submit")

    assert [({"tags": [3, 77, 5], "sizes": ["L"]}, None)] == driver.finished


async def test_problems_take_the_focus() -> None:
    """A form that isn't right says so at its fields and moves to the first of them."""
    driver = await Driver(CREATE_TICKET, {"title": "t"}).started()
    await driver.do("submit", kind="submit")
    html = driver.screen.render()

    assert ["field-project_id"] == focused(driver)
    assert "One thing needs your attention." in html
    await driver.do("submit", kind="submit")  # and anew each time
    asked = [re.findall(r' data-autofocus="(\d+)"', each) for each in (html, driver.screen.render())]
    assert asked[0] != asked[1]
    assert re.search(
        r'id="field-project_id" aria-describedby="[^"]*field-project_id-problem" aria-invalid="true"', html
    )
    await driver.set("project_id", "1")
    assert [] == focused(driver)
    assert "attention" not in driver.screen.render()
    assert [] == driver.finished


async def test_details_of_a_refused_call_come_back_to_the_form() -> None:
    """What the service found wrong is shown at the field, with the focus on it."""
    driver = await Driver(CREATE_TICKET, {"title": "t", "project_id": 1}).started()
    driver.screen.show_details([ErrorDetail(field="title", code="format", message="Too short.")])
    assert "Too short." in driver.screen.render()
    assert ["field-title"] == focused(driver)
    driver.screen.show_details([], "The app is away.")

    assert "The app is away." in driver.screen.render()
    assert ["form-problems"] == focused(driver)


async def test_destructive_functions_ask_before_going_ahead() -> None:
    """What can't be undone is warned of, summed up and confirmed; going back loses nothing."""
    driver = await Driver(DELETE_TICKET, {"ticket_id": 12}).started()
    assert "Be careful" in driver.screen.render()
    await driver.do("submit", kind="submit")
    assert [] == driver.finished
    assert ["form-back"] == focused(driver)
    assert "<dt><bdi>Ticket id</bdi></dt><dd><bdi>12</bdi></dd>" in driver.screen.render()
    await driver.do("escape", kind="escape")
    assert 0 == driver.cancelled
    assert ["form-submit"] == focused(driver)  # from where the user had come
    await driver.set("reasons", "ignored")
    await driver.do("submit", kind="submit")
    await driver.do("submit", kind="submit")  # of a button that was pressed twice before the question was there
    assert [] == driver.finished
    await driver.do("confirm", kind="submit")

    assert [({"ticket_id": 12}, None)] == driver.finished


async def ticket_with_late_fields(**given: Any) -> tuple[Driver, asyncio.Event]:
    """A form whose project was just chosen, and what lets the project's own fields come."""
    driver = await Driver(CREATE_TICKET, {"title": "t", **given}).started()
    gate = driver.gates[FIELDS] = asyncio.Event()
    await driver.gesture("set", "project_id", "1", "change")
    return driver, gate


async def come(driver: Driver, gate: asyncio.Event) -> None:
    """Let what was held back come."""
    gate.set()
    await driver.screen.settled()


async def test_a_press_while_something_loads_acts_once_it_is_there() -> None:
    """Nobody has to press again: the form says that it will go on, and does."""
    driver, gate = await ticket_with_late_fields(fields={"severity": "high"})
    await driver.gesture("submit", kind="submit")
    assert [] == driver.finished
    assert WAITS in driver.screen.render()
    assert re.search(r'id="form-submit" aria-busy="true"', driver.screen.render())
    await driver.gesture("submit", kind="submit")
    await driver.gesture("preview")
    await come(driver, gate)

    assert [({"title": "t", "project_id": 1, "fields": {"severity": "high"}}, None)] == driver.finished


async def test_what_is_wrong_anyway_is_said_before_something_has_loaded() -> None:
    """A press doesn't wait for what can't make it right."""
    driver, gate = await ticket_with_late_fields(fields={"severity": "high"})
    await driver.gesture("set", "title", "", "change")
    await driver.gesture("submit", kind="submit")
    assert ["field-title"] == focused(driver)
    assert WAITS not in driver.screen.render()
    await driver.gesture("set", "title", "t", "change")
    await come(driver, gate)

    assert [] == driver.finished


@pytest.mark.parametrize("kind", ["input", "change"])
async def test_who_goes_on_typing_calls_a_waiting_press_off(kind: GestureKind) -> None:
    """Half a text is never sent; the form says no longer that it will go on."""
    driver, gate = await ticket_with_late_fields(fields={"severity": "high"})
    await driver.gesture("submit", kind="submit")
    painted = driver.refreshed
    await driver.gesture("set", "title", "ti", kind)
    assert painted < driver.refreshed
    assert WAITS not in driver.screen.render()
    await come(driver, gate)

    assert [] == driver.finished


async def test_a_press_waits_for_a_text_that_is_looked_up() -> None:
    """A project that was typed is only known once the projects are: until then the text is no mistake."""
    driver = Driver(CREATE_TICKET, {"title": "t", "fields": {"severity": "high"}})
    gate = driver.gates[PROJECTS] = asyncio.Event()
    starting = asyncio.create_task(driver.started())
    await asyncio.sleep(0)
    await driver.gesture("search", "project_id", "Apollo", "change")
    await driver.gesture("submit", kind="submit")
    assert WAITS in driver.screen.render()
    gate.set()
    await starting

    assert [({"title": "t", "project_id": 1, "fields": {"severity": "high"}}, None)] == driver.finished


async def test_the_very_first_press_waits_for_what_nobody_has_asked_for_yet() -> None:
    """A press from before Python was there comes before the first source function is called."""
    driver = Driver(CREATE_TICKET, {"title": "t", "project_id": 1})
    await driver.do("submit", kind="submit")

    assert [] == driver.finished
    assert ["field-fields-severity"] == focused(driver)


async def test_a_waiting_press_on_what_cannot_be_undone_asks_first() -> None:
    """Waiting is no confirmation."""
    destructive = attrs.evolve(CREATE_TICKET, meta=attrs.evolve(CREATE_TICKET.meta, destructive=True))
    driver = await Driver(destructive, {"title": "t", "fields": {"severity": "high"}}).started()
    gate = driver.gates[FIELDS] = asyncio.Event()
    await driver.gesture("set", "project_id", "1", "change")
    await driver.gesture("submit", kind="submit")
    await come(driver, gate)
    assert [] == driver.finished
    assert ["form-back"] == focused(driver)
    await driver.do("confirm", kind="submit")

    assert 1 == len(driver.finished)


@pytest.mark.parametrize("action", ["cancel", "escape", "close"])
async def test_giving_up_ends_everything(action: str) -> None:
    """Cancel and Escape tell the caller once, and stop what was still loading."""
    driver = Driver(CREATE_TICKET)
    driver.gates[PROJECTS] = asyncio.Event()
    await driver.gesture("nothing")
    await asyncio.sleep(0)
    await driver.do(action)
    await driver.do("set", "title", "too late", "change")
    await driver.do(action)

    assert (1, []) == (driver.cancelled, driver.finished)
    assert [(PROJECTS, {}, None)] == driver.calls


async def test_account_is_chosen_first_where_there_are_several() -> None:
    """With several accounts nothing is listed before one is chosen, and the chosen one is used and handed over."""
    given = {"title": "t", "project_id": 2, "fields": {"customer": "x"}}
    driver = await Driver(CREATE_TICKET, given, accounts=(ALICE, BOB)).started()
    assert [] == driver.calls
    assert ["account"] == focused(driver)
    assert "Choose an account first" == waits(driver, "field-project_id")
    await driver.do("submit")
    assert "Choose which account to use." in driver.screen.render()
    assert ["account"] == focused(driver)
    for account in ("1", "2"):  # another one sees other things: everything is asked for again
        await driver.do("pick-account", value=account, kind="change")
    assert [1, 1, 1, 2, 2, 2] == [account for _, _, account in driver.calls]
    await driver.do("submit")

    assert [2] == [account for _, account in driver.finished]


async def test_account_named_by_the_caller_is_used() -> None:
    """An account the caller chose is not asked for again; one that is gone is never replaced silently."""
    chosen = await Driver(CREATE_TICKET, accounts=(ALICE, BOB), account_id=2).started()
    assert 'id="account"' not in chosen.screen.render()
    assert [(PROJECTS, {}, 2)] == chosen.calls
    gone = await Driver(CREATE_TICKET, accounts=(ALICE,), account_id=9).started()

    assert [] == gone.calls
    assert "isn’t connected. Choose another one." in gone.screen.render()


async def test_folded_fields_stay_open_once_opened() -> None:
    """Fields that were shown, because one is filled or wrong, are not folded away while somebody works in them."""
    driver = await Driver(MANY_OPTIONAL, {"title": "t"}).started()
    assert not re.search(r"<details[^>]* open", driver.screen.render())
    await driver.set("option_3", "x")
    assert re.search(r"<details[^>]* open", driver.screen.render())
    await driver.set("option_3", "")

    assert re.search(r"<details[^>]* open", driver.screen.render())


ACTIONS = """
set search clear add-item remove-item discard focus load-more retry-source
pick-account submit back confirm escape nonsense
"""
gestures = st.tuples(
    st.sampled_from(ACTIONS.split()),
    st.sampled_from(["", "title", "project_id", "labels", "labels[0]", "labels[1]", "fields", "fields.severity", "x"]),
    st.none() | st.booleans() | st.sampled_from(["1", "2", "", "high", "ui"]) | st.text(max_size=3) | st.just(["a"]),
    st.sampled_from(["click", "input", "change", "submit"]),
)


@given(name=st.sampled_from(["filled", "values-that-do-not-fit", "several-accounts", "long-list"]), data=st.data())
@settings(max_examples=60, deadline=None)
async def test_no_gesture_breaks_the_form(name: str, data: st.DataObject) -> None:
    """Whatever is done in whatever order, the form can be shown and goes on."""
    driver = await STATES[name]()
    for action, argument, value, kind in data.draw(st.lists(gestures, max_size=8)):
        await driver.do(action, argument, value, kind)
        driver.screen.render()


def test_unusual_permissions_are_named() -> None:
    """A function that needs more than is usually asked for says what."""
    needy = attrs.evolve(CREATE_TICKET, meta=attrs.evolve(CREATE_TICKET.meta, scopes=("tickets:write", "a<b")))

    assert '<code dir="ltr">tickets:write</code>, <code dir="ltr">a&lt;b</code>' in Driver(needy).screen.render()
    assert "Needs permission" not in Driver(CREATE_TICKET).screen.render()
