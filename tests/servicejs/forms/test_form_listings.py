"""What source functions answer, and how the form follows it."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.gallery.form_driver import ok
from examples.gallery.functions import CREATE_TICKET, function
from service_client.models import DynamicFields, FieldMeta, Source
from servicejs.forms.form import Form
from servicejs.forms.form_view import form_view
from servicejs.forms.listings import choices, fields_of_object
from servicejs.forms.sources import MOST_LISTINGS, Listings, MissingParentError, Ticket, resolve

TEXT = {"type": "string"}
SOURCE = Source(function="app-list", value="id", label="name")
DYNAMIC = DynamicFields(
    function="app-fields", key="key", title="name", type="type", required="required", options="options"
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "name", "key", "type", "options", "value"]), below, max_size=4)
    ),
    max_leaves=10,
)


@given(st.lists(ANY_JSON, max_size=5))
def test_any_answer_can_be_read(found: list[Any]) -> None:
    """Whatever an app lists, reading it never fails: what makes no sense is left out."""
    assert len(found) >= len(choices(SOURCE, found))
    assert len(found) >= len(fields_of_object(DYNAMIC, found))


def test_choices_need_a_value_and_have_a_label() -> None:
    """Without a value there is none, it stands in for a missing label, and comes once; keys may be dotted paths."""
    found = [{"id": 1, "name": "One"}, {"id": 2}, {"name": "None"}, {"id": 1, "name": "Again"}, "bare", {"id": ""}]
    deeper = Source(function="app-list", value="data.id", label="data.profile.name")

    assert [("1", "One"), ("2", "2"), ("bare", "bare")] == [(each.text, each.label) for each in choices(SOURCE, found)]
    (choice,) = choices(deeper, [{"data": {"id": 7, "profile": {"name": "Ada"}}}])
    assert ("7", "Ada") == (choice.text, choice.label)


@pytest.mark.parametrize(
    ("entry", "kind", "control"),
    [
        ({"type": "double"}, "number", "number"),
        ({"type": "INT"}, "number", "number"),
        ({"type": "bool"}, "boolean", "tristate"),
        ({"type": "bool", "required": True}, "boolean", "checkbox"),
        ({"type": "date"}, "string", "date"),
        ({"type": "datetime"}, "string", "datetime"),
        ({"type": "time"}, "string", "time"),
        ({"type": "email"}, "string", "text"),
        ({"type": "textarea"}, "string", "multiline"),
        ({"type": "enum", "options": ["a"]}, "string", "choice"),
        ({"type": "number", "options": [1]}, "number", "choice"),
        ({"type": "multiselect", "options": ["a"]}, "array", "choices"),
        ({"type": "json"}, "json", "json"),
        ({"type": "never heard of"}, "string", "text"),
        ({"type": 3}, "string", "text"),
        ({"options": {"a": "Label"}}, "string", "choice"),
        ({"options": [{"id": 1, "label": "One"}]}, "string", "choice"),
    ],
)
def test_fields_take_an_apps_own_types(entry: dict[str, Any], kind: str, control: str) -> None:
    """The usual words for types become the right controls; others are text."""
    (field,) = fields_of_object(DYNAMIC, [{"key": "k", **entry}])

    assert (kind, control) == (field.kind, field.control)


def test_references_take_types_and_respect_absence() -> None:
    """A whole reference keeps its value's type, one within a text is written out, an optional one may be absent."""
    values = {"n": 5, "s": "x"}

    def look_up(name: str, optional: bool) -> Any:
        if name not in values and not optional:
            raise MissingParentError(name)
        return values.get(name)

    arguments = {"a": "${n}", "b": "${s}-${n}", "c": "${none?}", "d": [1, "${s}"], "e": {"f": "plain", "g": None}}

    assert {"a": 5, "b": "x-5", "d": [1, "x"], "e": {"f": "plain"}} == resolve(arguments, look_up)
    with pytest.raises(MissingParentError):
        resolve("${none}", look_up)


def test_late_answers_do_not_count() -> None:
    """An answer to an older request changes nothing, nor does one from before everything was forgotten."""
    listings = Listings()
    request = listings.request("app-list", {})
    old, new = listings.begin(request), listings.begin(request)

    assert not listings.arrive(old, ok([1]))
    assert not listings.fail(old, "late")
    assert listings.arrive(new, ok([2]))
    listing = listings.get(request)
    assert [2] == listing.found
    again = listings.begin(request)
    listings.forget()
    assert not listings.arrive(again, ok([3]))
    assert request.key != listings.request("app-list", {}).key


def test_pages_are_added_up_until_they_stop_moving() -> None:
    """The next page is asked for with the cursor, and a cursor that stays the same ends the list."""
    listings = Listings()
    request = listings.request("app-list", {"a": 1})
    listings.arrive(listings.begin(request), ok([1], "p2"))
    second = listings.begin(request)
    assert {"a": 1, "next_page": "p2"} == second.arguments
    listings.arrive(second, ok([2], "p2"))
    listing = listings.get(request)

    assert ([1, 2], True) == (listing.found, listing.complete)


def test_idle_listings_are_let_go() -> None:
    """Searching for long doesn't keep every answer, but always those in use."""
    listings = Listings()
    requests = [listings.request("app-list", {"q": number}) for number in range(MOST_LISTINGS + 5)]
    for request in requests:
        listings.begin(request)
    listings.prune({requests[0].key})

    assert listings.get(requests[0]) is not None
    assert listings.get(requests[1]) is None
    assert listings.get(requests[-1]) is not None


def answer(form: Form, tickets: list[Ticket], answers: dict[str, Any]) -> None:
    """Answer tickets and those that follow by the function's name."""
    while tickets:
        ticket = tickets.pop(0)
        tickets += form.arrive(ticket, ok(answers[ticket.request.function]))


def test_references_in_a_list_mean_the_same_entry() -> None:
    """And only then what lies around it, for choices as for the fields that an app names."""
    arguments = {"shop": "${shop}", "full": "${lines[].shop}", "land": "${country}"}
    more = {"type": "object", "properties": {}}
    entry = {"type": "object", "properties": {"shop": TEXT, "item": TEXT, "more": more}}
    source = Source(function="app-items", arguments=arguments, value="id", label="name")
    meta = {
        "lines[].item": FieldMeta(title="Item", widget="select", source=source),
        "lines[].more": FieldMeta(
            title="More",
            widget="object",
            dynamic_fields=attrs.evolve(DYNAMIC, arguments={"of": "${item}"}, depends_on=("lines[].item",)),
        ),
    }
    form = Form(
        function({"lines": {"type": "array", "items": entry}, "country": TEXT}, fields=meta),
        {"lines": [{"shop": "A", "item": "tea"}, {}, {"shop": "C"}], "country": "de"},
    )
    asked = [(ticket.request.function, dict(ticket.request.arguments)) for ticket in form.sources.due()]

    assert [
        ("app-items", {"shop": "A", "full": "A", "land": "de"}),
        ("app-fields", {"of": "tea"}),
        ("app-items", {"shop": "C", "full": "C", "land": "de"}),
    ] == asked
    assert "blocked" == form_view(form).fields[0].members[1].members[1].loading.state


def test_lists_take_the_choices_of_their_field() -> None:
    """A source or options on a list of texts are the choices of its entries, asked for once, in a single combobox."""
    meta = {"labels": FieldMeta(title="Labels", widget="list", source=SOURCE)}
    labels = {"type": "array", "items": {"type": "string"}}
    form = Form(function({"labels": labels}, fields=meta), {"labels": ["a", "b"]})

    assert 1 == len(form.sources.due())
    (view,) = form_view(form).fields
    assert ("combobox", ["a", "b"]) == (view.control, [chip.label for chip in view.chips])


def test_values_of_listed_fields_are_kept_through_their_types() -> None:
    """They take the types of their listing, what nobody knows is kept, and what the app requires is required."""
    fields = {"n": 2, "t": "3", "list": ["a"], "a": {"b": 1}, "a.b": "x"}
    form = Form(CREATE_TICKET, {"title": "t", "project_id": 1, "fields": fields})
    listed = [
        {"key": "t", "type": "number"},
        {"key": "list", "type": "list"},
        {"key": "n", "type": "number"},
        {"key": "new", "name": "Kind", "type": "string", "required": True},
    ]
    lists = {"sandbox-list-projects": [], "sandbox-list-components": [], "sandbox-list-custom-fields": listed}
    answer(form, form.sources.due(), lists)
    assert [("fields", "a.b"), ("fields", "a")] == [form.find(text) for text in ('fields["a.b"]', "fields.a")]
    assert form.submit() is None
    assert {("fields", "new"): "Enter Kind."} == {path: each.message for path, each in form.problems.items()}

    form.set_text(("fields", "new"), "Task")
    assert fields | {"t": 3, "new": "Task"} == (form.submit() or {}).get("fields")


def test_pages_of_fields_are_all_loaded() -> None:
    """An object's fields are only taken when the last page of them is there."""
    form = Form(CREATE_TICKET, {"title": "t", "project_id": 1})
    (ticket,) = (each for each in form.sources.due() if each.request.function == "sandbox-list-custom-fields")
    (following,) = form.arrive(ticket, ok([{"key": "a"}], "p2"))
    assert form.submit() is None
    form.arrive(following, ok([{"key": "b"}], ""))

    assert ["fields.a", "fields.b"] == [member.path for member in form_view(form).fields[-1].members]


WORKSPACES = Source(function="app-workspaces", value="id", label="name")
PROJECTS = Source(function="app-projects", arguments={"workspace": "${workspace}"}, value="id", label="name")
LISTED_BY_WORKSPACE = {
    "workspace": FieldMeta(title="Workspace", widget="select", source=WORKSPACES),
    "project": FieldMeta(title="Project", widget="select", source=PROJECTS),
}


@pytest.mark.parametrize(
    ("workspaces", "given", "expected"),
    [
        (["Acme"], {}, "Acme"),
        (["Acme", "Globex"], {}, ""),
        (["Acme"], {"workspace": "Globex"}, "Globex"),
    ],
)
def test_the_only_one_that_others_are_listed_by_is_chosen(
    workspaces: list[str], given: dict[str, str], expected: str
) -> None:
    """Its projects are listed then, of which even the only one isn't chosen; who clears it isn't contradicted."""
    form = Form(function({"workspace": TEXT, "project": TEXT}, fields=LISTED_BY_WORKSPACE), given)
    listed = {"app-workspaces": [{"id": each, "name": each} for each in workspaces], "app-projects": ["Website"]}
    answer(form, form.sources.due(), listed)

    assert {"workspace": expected} == {"workspace": "", **form.preview()}
    form.set_text(("workspace",), "")
    answer(form, form.sources.due(), listed)
    assert {} == form.preview()


def test_what_the_form_chooses_unfolds_nothing() -> None:
    """Folded fields stay as the person has them: they didn't ask for any, and may be opening them at that moment."""
    texts = dict.fromkeys(["workspace", "project", *"abcdef"], TEXT)
    form = Form(function(texts, fields=LISTED_BY_WORKSPACE), {})

    answer(form, form.sources.due(), {"app-workspaces": [{"id": "1", "name": "Acme"}], "app-projects": []})

    assert ({"workspace": "1"}, False) == (form.preview(), form_view(form).folded_open)
    form.set_text(("a",), "Anna")
    assert form_view(form).folded_open
