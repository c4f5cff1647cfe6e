"""HubSpot's connector against an emulator of its CRM that takes only what HubSpot's own client has types for."""

from typing import Any

import pytest

from tests.connectors.building import connector_of
from tests.connectors.vendors.hubspot import RUN
from tests.emulators.app import App, connected
from tests.emulators.hubspot.app import TOKEN
from tests.emulators.pointed import PREFIX
from tests.emulators.world import Emulated
from tests.real_apps.lists import choices

pytestmark = pytest.mark.real_apps

FIELDS = {"field.token": TOKEN}
MORNING = "2026-12-01T09:30:00+01:00"  # as a form in Berlin says it

hubspot = connected("hubspot", "seller", "token", FIELDS)


def offered(app: App, function: str, field: str, words: str, /, search: str = "", **given: Any) -> Any:
    """Return the value of a choice that a person finds by its words, perhaps by typing a part of them."""
    found = choices(app.client, f"{PREFIX}hubspot-{function}", field, given, search)
    (value,) = [value for value, label in found.items() if label == words]
    return value


def fields(app: App, function: str) -> dict[str, Any]:
    """Return the fields of further properties that a form shows, by their titles."""
    described = app.client.functions.get(f"{PREFIX}hubspot-{function}", include="meta")
    assert described.meta is not None
    source = described.meta.fields["properties"].dynamic_fields
    assert source is not None
    return {row["title"]: row for row in app.client.functions.items(source.function, dict(source.arguments))}


def test_every_function_is_called() -> None:
    """No function of the connector is left out below."""
    connector = connector_of("hubspot")

    assert set() == connector.functions.keys() - RUN.called(connector)


def test_a_wrong_token_connects_nothing(emulators: Emulated) -> None:
    """HubSpot's 401 is said on the page."""
    attempt = emulators.front("hubspot").try_to_connect("stranger", "token", {"field.token": f"{TOKEN}2"})

    assert (422, "pending") == (attempt.page.status_code, attempt.status)


def test_a_contact(hubspot: App) -> None:
    """A contact is made with fields of the account's own, is found, changed and deleted."""
    shown = fields(hubspot, "create-contact")
    more = {
        "own_colour": "blue",
        "own_topics": ["news", "offers"],
        "own_shoe_size": 44,
        "own_birthday": "1990-12-10",
        "own_last_visit": MORNING,
        "own_vip": "true",
        "own_story": "Wrote\nprograms",
    }
    owner = offered(hubspot, "create-contact", "owner_id", "Ada Lovelace")
    made = hubspot.output(
        "create-contact",
        email="bob@example.com",
        first_name="Bob",
        last_name="Silva",
        phone="+49 30 1234567",
        company="Acme",
        job_title="Buyer",
        lifecycle_stage="lead",
        owner_id=owner,
        properties=more,
    )
    found = offered(hubspot, "get-contact", "contact_id", "Bob Silva, bob@example.com", search="silva")
    hubspot.output(
        "update-contact", contact_id=found, properties={"own_shoe_size": 45.5, "own_vip": "false", "city": ""}
    )
    hubspot.output(
        "update-contact-by-email", email="bob@example.com", job_title="Head", properties={"own_shoe_size": 46}
    )
    seen = hubspot.output("get-contact", contact_id=found, properties=["own_shoe_size", "own_vip", "jobtitle"])
    again = hubspot.output("find-contact-by-email", email="bob@example.com", properties=["own_birthday", "own_topics"])
    refused = hubspot.call("create-contact", email="bob@example.com")
    hubspot.call("delete-contact", contact_id=found)

    assert {"Colour", "Shoe size", "Birthday", "Last visit", "Important", "Story"} <= shown.keys()
    assert ["red", "blue"] == [each["value"] for each in shown["Colour"]["options"]]
    assert ("number", "date", "datetime", "textarea") == tuple(
        shown[title]["type"] for title in ("Shoe size", "Birthday", "Last visit", "Story")
    )
    assert made["id"] == found
    assert {"own_shoe_size": "46", "own_vip": "false", "jobtitle": "Head"}.items() <= seen["properties"].items()
    assert {"own_birthday": "1990-12-10", "own_topics": "news;offers"}.items() <= again["properties"].items()
    assert ("409", "404") == (refused.network_code, hubspot.call("get-contact", contact_id=found).network_code)


def test_a_company(hubspot: App) -> None:
    """A company is made, changed, found, and merged into another one."""
    made = hubspot.output(
        "create-company", name="Globex", domain="globex.example", city="Berlin", properties={"numberofemployees": 40}
    )
    other = hubspot.output("create-company", name="Globex Ltd", country="Germany", phone="1")["id"]
    chosen = offered(hubspot, "update-company", "company_id", "Globex", search="globex.ex")
    owner = offered(hubspot, "update-company", "owner_id", "grace@example.com")
    hubspot.output("update-company", company_id=chosen, owner_id=owner, properties={"numberofemployees": 41})
    hubspot.output("merge-companies", company_id=chosen, other_company_id=other)
    seen = hubspot.output("get-company", company_id=chosen, properties=["numberofemployees", "country"])
    found = hubspot.output("search-companies", query="globex")
    hubspot.call("delete-company", company_id=chosen)

    assert made["id"] == chosen
    assert {"numberofemployees": "41", "country": "Germany"}.items() <= seen["properties"].items()
    assert [chosen] == [each["id"] for each in found]
    assert [] == hubspot.output("search-companies", query="globex")


def test_a_deal(hubspot: App) -> None:
    """A deal begins at the first stage, and moves to one of another pipeline that is chosen by name."""
    made = hubspot.output("create-deal", name="Renewal", amount=12000.5, properties={"own_margin": 0.25})
    assert {"pipeline": "default", "dealstage": "qualified", "amount": "12000.5"}.items() <= made["properties"].items()
    deal = offered(hubspot, "update-deal", "deal_id", "Renewal", search="renew")
    pipeline = offered(hubspot, "update-deal", "pipeline_id", "Partners")
    stages = hubspot.choices("update-deal", "stage_id", pipeline_id=pipeline)
    hubspot.output(
        "update-deal",
        deal_id=deal,
        pipeline_id=pipeline,
        stage_id="signed",
        amount=13000,
        close_date="2026-12-24",
        properties={"own_margin": 0.5},
    )
    seen = hubspot.output("get-deal", deal_id=deal, properties=["own_margin"])
    second = hubspot.output("create-deal", name="Second", stage_id="closedwon", close_date="2026-12-24")["id"]
    listed = hubspot.output("search-deals", query="second")
    hubspot.call("delete-deal", deal_id=second)

    assert {"talks": "Talks", "signed": "Signed"} == stages
    assert ["talks", "signed"] == list(stages)
    assert ("signed", "13000", "0.5") == tuple(
        seen["properties"][name] for name in ("dealstage", "amount", "own_margin")
    )
    assert [second] == [each["id"] for each in listed]
    assert {"default", "partners"} == {each["id"] for each in hubspot.output("list-pipelines", object_type="deals")}
    assert "404" == hubspot.call("get-deal", deal_id=second).network_code


def test_a_ticket(hubspot: App) -> None:
    """A ticket is opened, set to urgent and closed."""
    made = hubspot.output("create-ticket", subject="Broken invoice", content="Wrong sum", properties={"own_floor": 3})
    ticket = offered(hubspot, "update-ticket", "ticket_id", "Broken invoice", search="invoice")
    hubspot.output("update-ticket", ticket_id=ticket, priority="URGENT", stage_id="4", properties={"own_floor": 4})
    seen = hubspot.output("get-ticket", ticket_id=ticket, properties=["own_floor"])
    listed = hubspot.output("search-tickets", query="invoice")
    stages = hubspot.output("list-pipeline-stages", object_type="tickets", pipeline_id="0")
    hubspot.call("delete-ticket", ticket_id=ticket)

    assert (ticket, "1") == (made["id"], made["properties"]["hs_pipeline_stage"])
    assert ("4", "URGENT", "4") == tuple(
        seen["properties"][name] for name in ("hs_pipeline_stage", "hs_ticket_priority", "own_floor")
    )
    assert [ticket] == [each["id"] for each in listed]
    assert ["1", "2", "4"] == [each["id"] for each in stages]
    assert "404" == hubspot.call("get-ticket", ticket_id=ticket).network_code


def test_what_was_done_with_a_contact(hubspot: App) -> None:
    """Notes, calls, e-mails and meetings stand on a timeline, at a time in any zone, or now."""
    contact = hubspot.output("create-contact", email="ida@example.com", first_name="Ida")["id"]
    hubspot.output("create-note", contact_id=contact, text="Called back", time=MORNING)
    hubspot.output("create-note", contact_id=contact, text="Sent a card", owner_id="71")
    hubspot.output("log-call", contact_id=contact, text="About the lease", title="Lease", direction="INBOUND")
    hubspot.output("log-email", contact_id=contact, subject="Offer", text="See below", direction="EMAIL", time=MORNING)
    hubspot.output(
        "log-meeting",
        contact_id=contact,
        title="Visit",
        start=MORNING,
        end="2026-12-01T10:30:00+01:00",
        text="Tea",
        location="Leeds",
        outcome="COMPLETED",
    )
    notes = hubspot.output("list-contact-activities", contact_id=contact, kind="notes")
    calls = hubspot.output("list-contact-activities", contact_id=contact, kind="calls")
    meetings = hubspot.output("list-contact-activities", contact_id=contact, kind="meetings")
    mails = hubspot.output("list-contact-emails", contact_id=contact)

    assert {"Called back", "Sent a card"} == {each["properties"]["hs_note_body"] for each in notes}
    assert [("Lease", "INBOUND")] == [
        tuple(each["properties"][f"hs_call_{name}"] for name in ("title", "direction")) for each in calls
    ]
    assert ["Visit"] == [each["properties"]["hs_meeting_title"] for each in meetings]
    assert ["Offer"] == [each["properties"]["hs_email_subject"] for each in mails]


def test_notes_on_companies_and_deals(hubspot: App) -> None:
    """Notes stand on a company's and on a deal's timeline, too."""
    company = hubspot.output("create-company", name="Initech")["id"]
    deal = hubspot.output("create-deal", name="Printers")["id"]
    note = hubspot.output("create-company-note", company_id=company, text="Hiring")["id"]
    other = hubspot.output("create-deal-note", deal_id=deal, text="Wants two", time=MORNING)["id"]
    notes = {"from_id": company, "from_type": "companies", "to_type": "notes"}
    records = hubspot.output("list-records", object_type="notes", search="hiring")

    assert [note] == [each["id"] for each in hubspot.output("list-associated-records", **notes)]
    assert [(note, "Hiring")] == [(each["id"], each["name"]) for each in records]
    assert [other] == [
        each["id"]
        for each in hubspot.output("list-associated-records", from_type="deals", from_id=deal, to_type="notes")
    ]


def test_a_task(hubspot: App) -> None:
    """A task is due in some days where nobody says; it is found by its title and completed."""
    hubspot.output("create-task", subject="Send the offer")
    hubspot.output("create-task", subject="Call Ida", due=MORNING, type="CALL", priority="HIGH", notes="Ask about tea")
    task = offered(hubspot, "update-task", "task_id", "Call Ida", search="ida")
    hubspot.output("update-task", task_id=task, status="COMPLETED", due="2026-12-03T09:00:00+01:00", priority="LOW")
    found = hubspot.output("search-tasks", query="ida", properties=["hs_task_status"])

    assert [("Call Ida", "COMPLETED")] == [
        (each["properties"]["hs_task_subject"], each["properties"]["hs_task_status"]) for each in found
    ]


def test_links(hubspot: App) -> None:
    """Records of any two kinds are linked, found by each other, and unlinked."""
    contact = hubspot.output("create-contact", email="eve@example.com", last_name="Adams")["id"]
    company = hubspot.output("create-company", name="Hooli")["id"]
    deal = hubspot.output("create-deal", name="Hooli box")["id"]
    ticket = hubspot.output("create-ticket", subject="Hooli down")["id"]
    for kind, record in (("companies", company), ("deals", deal), ("tickets", ticket)):
        chosen = offered(hubspot, "associate-records", "from_id", "eve@example.com", search="eve", from_type="contacts")
        hubspot.output("associate-records", from_type="contacts", from_id=chosen, to_type=kind, to_id=record)
    hubspot.output("associate-records", from_type="deals", from_id=deal, to_type="companies", to_id=company)
    found = [
        hubspot.output("list-company-contacts", company_id=company),
        hubspot.output("list-company-deals", company_id=company),
        hubspot.output("list-contact-deals", contact_id=contact),
        hubspot.output("list-contact-tickets", contact_id=contact),
    ]
    pair = {"from_type": "contacts", "from_id": contact, "to_type": "companies", "to_id": company}
    hubspot.call("unlink-records", **pair)

    assert [[contact], [deal], [deal], [ticket]] == [[each["id"] for each in rows] for rows in found]
    assert [] == hubspot.output("list-company-contacts", company_id=company)


def test_two_contacts_become_one(hubspot: App) -> None:
    """What the first one lacks is the other one's."""
    kept = hubspot.output("create-contact", email="joe@example.com", first_name="Joe")["id"]
    other = hubspot.output("create-contact", email="joe@example.org", last_name="Doe")["id"]
    hubspot.output("merge-contacts", contact_id=kept, other_contact_id=other)

    assert "Doe" == hubspot.output("get-contact", contact_id=kept)["properties"]["lastname"]
    assert "404" == hubspot.call("get-contact", contact_id=other).network_code


def test_a_list(hubspot: App) -> None:
    """A contact is put on a list that was made here, which is offered; one kept by a filter isn't."""
    contact = hubspot.output("create-contact", email="lea@example.com")["id"]
    hubspot.output("create-list", name="Newsletter")
    lists = hubspot.choices("add-to-list", "list_id")
    chosen = offered(hubspot, "add-to-list", "list_id", "Newsletter", search="news")
    hubspot.output("add-to-list", list_id=chosen, contact_id=contact)
    sizes = {each["name"]: each["size"] for each in hubspot.output("list-lists", search="Newsletter", kinds=["MANUAL"])}
    gone = hubspot.output("remove-from-list", list_id=chosen, contact_id=contact)

    assert {chosen: "Newsletter"} == lists
    assert {"Newsletter": "1"} == sizes
    assert [contact] == gone["recordIdsRemoved"]


def test_lists_go_on(hubspot: App) -> None:
    """Searches and lists have all their pages, each record once."""
    made = {hubspot.output("create-contact", email=f"c{number}@example.com")["id"] for number in range(105)}
    searched = [each["id"] for each in hubspot.items("search-contacts")]
    listed = [each["id"] for each in hubspot.items("list-records", object_type="contacts", properties=["phone"])]

    assert made <= set(searched)
    assert made <= set(listed)
    assert len(searched) == len(set(searched))
    owners = hubspot.output("passthrough-request", method="GET", url="/crm/v3/owners/?limit=1")

    assert ["71"] == [each["id"] for each in owners["results"]]
    assert ["Ada Lovelace", "grace@example.com"] == [each["name"] for each in hubspot.output("list-owners")]
    assert "own_shoe_size" in [each["key"] for each in hubspot.output("list-properties", object_type="contacts")]
