"""The twenty commonest actions: what their apps list, what a person does in each form, and what must arrive."""

import json
from collections.abc import Callable, Mapping
from email import message_from_string
from typing import Any

from attrs import field, frozen

from tests.connectors.filled_forms.recorder import Answers, Received
from tests.connectors.filled_forms.steps import Step, add, choose, fill, press, search, select, write
from tests.emulators.pointed import PREFIX


@frozen(kw_only=True)
class Action:
    """
    An action: the form's button, the steps that fill it, and the request that comes of it.

    `body` is what `reads` finds in the body that was sent: all of it, unless something else is said.
    """

    app: str
    function: str
    button: str
    answers: Answers = field(factory=dict)
    steps: tuple[Step, ...]
    request: str
    body: Any
    reads: Callable[[Any], Any] = field(default=lambda sent: sent)
    query: Mapping[str, str] = field(factory=dict)

    @property
    def name(self) -> str:
        """The function's full name, as the copy of its connector has it."""
        return f"{PREFIX}{self.app}-{self.function}"


def monday(request: Received) -> Any:
    """Answer monday.com's one address by what is asked there."""
    asked = request.body["query"]
    if "create_item" in asked:
        return {"data": {"create_item": {"id": "9", "name": "Order paper"}}}
    if "groups" in asked:
        return {"data": {"boards": [{"groups": [{"id": "topics", "title": "This week"}]}]}}
    if "columns" in asked:
        labels = json.dumps({"labels": {"0": "Working on it", "1": "Done"}})
        columns = [
            {"id": "status", "title": "Status", "type": "status", "settings_str": labels},
            {"id": "date4", "title": "Due", "type": "date", "settings_str": "{}"},
        ]
        return {"data": {"boards": [{"columns": columns}]}}
    return {"data": {"boards": [{"id": "7", "name": "Office"}]}}


def read_mail(sent: str) -> dict[str, str]:
    """Read an e-mail as it goes over the wire."""
    mail = message_from_string(sent)
    text = mail.get_payload(decode=True)
    assert isinstance(text, bytes)
    return {**{name: mail[name] for name in ("To", "From", "Subject")}, "text": text.decode().strip()}


def github_repositories(request: Received) -> Any:
    """Answer GitHub's search for repositories, which has found by name only where a name was asked for."""
    names = ["website", "engine", "website-theme"]
    asked = request.query["q"].split(" ")[0] if " in:name " in request.query["q"] else ""
    return {"items": [{"name": name, "full_name": f"acme/{name}"} for name in names if asked in name]}


ACTIONS = (
    Action(
        app="slack",
        function="send-message",
        button="Send a message",
        answers={
            "GET /conversations.list": {
                "ok": True,
                "channels": [{"id": "C1", "name": "general"}, {"id": "C2", "name": "random"}],
            },
            "POST /chat.postMessage": {"ok": True, "ts": "1"},
        },
        steps=(
            choose("Channel (required)", "random"),
            fill("Text (required)", "Lunch is here"),
            press("Preview links", "No"),
        ),
        request="POST /chat.postMessage",
        body={"channel": "C2", "text": "Lunch is here", "unfurl_links": False},
    ),
    Action(
        app="google_calendar",
        function="create-event",
        button="Create an event",
        answers={
            "GET /users/me/calendarList": {
                "items": [{"id": "ada@example.com", "summary": "Ada"}, {"id": "t@x", "summary": "Team"}]
            },
            "POST /calendars/t@x/events": {"id": "e1"},
        },
        steps=(
            choose("Calendar (required)", "Team"),
            fill("Title (required)", "Planning"),
            fill("Start (required)", "2030-03-04T10:00"),
            fill("End (required)", "2030-03-04T11:00"),
            fill("Location", "Room 4"),
            select("Show as", "Free"),
            select("Color", "Tomato"),
        ),
        request="POST /calendars/t@x/events",
        body={
            "summary": "Planning",
            "start": {"dateTime": "2030-03-04T10:00:00+01:00"},
            "end": {"dateTime": "2030-03-04T11:00:00+01:00"},
            "location": "Room 4",
            "transparency": "transparent",
            "colorId": "11",
        },
    ),
    Action(
        app="google_sheets",
        function="add-row",
        button="Add a row",
        answers={
            "GET /drive/v3/files": {"files": [{"id": "s1", "name": "Expenses"}]},
            "GET /spreadsheets/s1": {"sheets": [{"properties": {"title": "March"}}]},
            "GET /spreadsheets/s1/values/'March'!1:1": {"values": [["Date", "Amount", "What for"]]},
            "POST /spreadsheets/s1/values/'March':append": {"updates": {"updatedRows": 1}},
        },
        steps=(
            search("Spreadsheet (required)", "exp", "Expenses"),
            choose("Sheet (required)", "March"),
            fill("Date", "4 March"),
            fill("What for", "Paper"),
        ),
        request="POST /spreadsheets/s1/values/'March':append",
        body={"values": [["4 March", None, "Paper"]]},
    ),
    Action(
        app="gmail",
        function="send-message",
        button="Send an e-mail",
        answers={
            "GET /users/me/settings/sendAs": {
                "sendAs": [{"sendAsEmail": "ada@example.com"}, {"sendAsEmail": "desk@example.com"}]
            },
            "POST /upload/gmail/v1/users/me/messages/send": {"id": "m1"},
        },
        steps=(
            write("To (required)", "bob@example.com", "eve@example.com"),
            fill("Subject (required)", "Paper"),
            fill("Text (required)", "It has come."),
            choose("From", "desk@example.com"),
        ),
        request="POST /upload/gmail/v1/users/me/messages/send",
        body={
            "To": "bob@example.com, eve@example.com",
            "From": "desk@example.com",
            "Subject": "Paper",
            "text": "It has come.",
        },
        reads=read_mail,
        query={"uploadType": "media"},
    ),
    Action(
        app="github",
        function="create-issue",
        button="Create an issue",
        answers={
            "GET /user/repos": [{"owner": {"login": "acme", "type": "Organization"}}],
            "GET /search/repositories": github_repositories,
            "GET /repos/acme/website/labels": [{"name": "bug"}, {"name": "question"}],
            "GET /repos/acme/website/assignees": [{"login": "ada"}],
            "GET /repos/acme/website/milestones": [{"number": 3, "title": "Spring"}],
            "POST /repos/acme/website/issues": {"number": 7},
        },
        steps=(
            choose("Owner (required)", "acme"),
            search("Repository (required)", "web", "website"),
            fill("Title (required)", "The door squeaks"),
            add("Labels", "bug", "question"),
            add("Assignees", "ada"),
            choose("Milestone", "Spring"),
        ),
        request="POST /repos/acme/website/issues",
        body={"title": "The door squeaks", "labels": ["bug", "question"], "assignees": ["ada"], "milestone": 3},
    ),
    Action(
        app="jira",
        function="create-issue",
        button="Create an issue",
        answers={
            "GET /project/search": {"values": [{"key": "WEB", "name": "Website"}], "total": 1},
            "GET /issue/createmeta/WEB/issuetypes": {"issueTypes": [{"id": "10", "name": "Bug"}], "total": 1},
            "GET /issue/createmeta/WEB/issuetypes/10": {
                "total": 1,
                "fields": [
                    {
                        "fieldId": "customfield_1",
                        "name": "Severity",
                        "required": True,
                        "schema": {"type": "option"},
                        "allowedValues": [{"id": "1", "value": "High"}, {"id": "2", "value": "Low"}],
                    },
                    {"fieldId": "customfield_2", "name": "Page views", "schema": {"type": "number"}},
                ],
            },
            "GET /priority/search": {"values": [{"id": "3", "name": "Medium"}], "total": 1},
            "GET /user/assignable/search": [{"accountId": "a1", "displayName": "Ada Lovelace"}],
            "GET /search/jql": {"issues": []},
            "POST /issue": {"id": "1", "key": "WEB-1"},
        },
        steps=(
            search("Project (required)", "web", "Website"),
            choose("Issue type (required)", "Bug"),
            fill("Summary (required)", "The door squeaks"),
            search("Assignee", "ada", "Ada Lovelace"),
            select("Severity (required)", "High"),
            fill("Page views", "1200"),
        ),
        request="POST /issue",
        body={
            "fields": {
                "project": {"key": "WEB"},
                "issuetype": {"id": "10"},
                "summary": "The door squeaks",
                "assignee": {"id": "a1"},
                "customfield_1": {"id": "1"},
                "customfield_2": 1200,
            }
        },
    ),
    Action(
        app="hubspot",
        function="create-contact",
        button="Create a contact",
        answers={
            "GET /crm/v3/owners/": {
                "results": [{"id": "11", "email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}]
            },
            "GET /crm/v3/properties/contacts": {
                "results": [
                    {
                        "name": "shoe_size",
                        "label": "Shoe size",
                        "type": "number",
                        "fieldType": "number",
                        "hidden": False,
                        "options": [],
                        "modificationMetadata": {"readOnlyValue": False},
                    }
                ]
            },
            "POST /crm/v3/objects/contacts": {"id": "501"},
        },
        steps=(
            fill("E-mail address (required)", "bob@example.com"),
            fill("First name", "Bob"),
            choose("Owner", "Ada Lovelace"),
            fill("Shoe size", "44"),
        ),
        request="POST /crm/v3/objects/contacts",
        body={
            "properties": {"email": "bob@example.com", "firstname": "Bob", "hubspot_owner_id": "11", "shoe_size": 44}
        },
    ),
    Action(
        app="notion",
        function="create-database-entry",
        button="Create a database entry",
        answers={
            "POST /search": {"results": [{"id": "d1", "title": [{"plain_text": "Tasks"}]}], "has_more": False},
            "GET /data_sources/d1": {
                "properties": {
                    "Stage": {"type": "select", "select": {"options": [{"name": "Now"}, {"name": "Later"}]}},
                    "Name": {"type": "title", "title": {}},
                    "Done": {"type": "checkbox", "checkbox": {}},
                }
            },
            "POST /pages": {"id": "p1"},
        },
        steps=(
            search("Database (required)", "tas", "Tasks"),
            fill("Name", "Order paper"),
            select("Stage", "Now"),
            press("Done", "No"),
        ),
        request="POST /pages",
        body={
            "parent": {"data_source_id": "d1"},
            "properties": {
                "Name": {"title": [{"text": {"content": "Order paper"}}]},
                "Stage": {"select": {"name": "Now"}},
                "Done": {"checkbox": False},
            },
        },
    ),
    Action(
        app="salesforce",
        function="create-record",
        button="Create a record",
        answers={
            "GET /data/v64.0/sobjects": {
                "sobjects": [{"name": "Lead", "label": "Lead", "queryable": True, "createable": True, "custom": False}]
            },
            "GET /data/v64.0/sobjects/Lead/describe": {
                "fields": [
                    {
                        "name": "LastName",
                        "label": "Last name",
                        "type": "string",
                        "createable": True,
                        "nillable": False,
                        "defaultedOnCreate": False,
                        "picklistValues": [],
                    },
                    {
                        "name": "Rating",
                        "label": "Rating",
                        "type": "picklist",
                        "createable": True,
                        "nillable": True,
                        "defaultedOnCreate": False,
                        "picklistValues": [{"active": True, "value": "Hot", "label": "Hot"}],
                    },
                    {
                        "name": "Email",
                        "label": "E-mail",
                        "type": "email",
                        "createable": True,
                        "nillable": True,
                        "defaultedOnCreate": False,
                        "picklistValues": [],
                    },
                ]
            },
            "POST /data/v64.0/sobjects/Lead": {"id": "00Q", "success": True},
        },
        steps=(
            choose("Object (required)", "Lead"),
            fill("Last name (required)", "Lovelace"),
            select("Rating", "Hot"),
            fill("E-mail", "ada@example.com"),
        ),
        request="POST /data/v64.0/sobjects/Lead",
        body={"LastName": "Lovelace", "Rating": "Hot", "Email": "ada@example.com"},
    ),
    Action(
        app="stripe",
        function="create-refund",
        button="Refund a payment",
        answers={
            "GET /v1/payment_intents": {
                "data": [
                    {"id": "pi_1", "amount": 2000, "currency": "eur", "description": "Paper", "created": 1893456000}
                ],
                "has_more": False,
            },
            "POST /v1/refunds": {"id": "re_1", "amount": 500, "currency": "eur"},
        },
        steps=(choose("Payment (required)", "20.00 EUR, Paper, 2030-01-01"), fill("Amount", "500")),
        request="POST /v1/refunds",
        body={"payment_intent": "pi_1", "amount": "500"},
    ),
    Action(
        app="trello",
        function="update-card",
        button="Update a card",
        answers={
            "GET /search": {"cards": [{"id": "c1", "name": "Order paper"}]},
            "GET /cards/c1": {"id": "c1", "idBoard": "b1"},
            "GET /boards/b1/labels": [
                {"id": "l1", "name": "Urgent", "color": "red"},
                {"id": "l2", "name": "", "color": "green"},
            ],
            "GET /boards/b1/members": [{"id": "m1", "fullName": "Ada Lovelace"}],
            "GET /members/me/boards": [{"id": "b1", "name": "Office", "lists": [{"id": "x1", "name": "Doing"}]}],
            "PUT /cards/c1": {"id": "c1"},
        },
        steps=(
            search("Card (required)", "paper", "Order paper"),
            choose("List", "Office / Doing"),
            add("Labels", "Urgent", "green"),
            add("Members", "Ada Lovelace"),
            press("Done", "Yes"),
        ),
        request="PUT /cards/c1",
        body={"idList": "x1", "idLabels": "l1,l2", "idMembers": "m1", "dueComplete": True},
    ),
    Action(
        app="asana",
        function="create-task",
        button="Create a task",
        answers={
            "GET /workspaces": {"data": [{"gid": "1", "name": "Acme"}]},
            "GET /workspaces/1/typeahead": lambda request: {
                "data": [{"gid": "2", "name": "Office move"}]
                if request.query["resource_type"] == "project"
                else [{"gid": "3", "name": "Ada Lovelace"}]
            },
            "GET /projects/2/custom_field_settings": {
                "data": [
                    {
                        "custom_field": {
                            "gid": "9",
                            "name": "Effort",
                            "resource_subtype": "enum",
                            "enum_options": [{"gid": "91", "name": "Small", "enabled": True}],
                        }
                    }
                ]
            },
            "POST /tasks": {"data": {"gid": "5"}},
        },
        steps=(
            choose("Workspace (required)", "Acme"),
            fill("Name (required)", "Order paper"),
            search("Project", "off", "Office move"),
            search("Assignee", "ada", "Ada Lovelace"),
            fill("Due date", "2030-03-04"),
            select("Effort", "Small"),
        ),
        request="POST /tasks",
        body={
            "data": {
                "workspace": "1",
                "name": "Order paper",
                "projects": ["2"],
                "assignee": "3",
                "due_on": "2030-03-04",
                "custom_fields": {"9": "91"},
            }
        },
    ),
    Action(
        app="clickup",
        function="create-task",
        button="Create a task",
        answers={
            "GET /team": {"teams": [{"id": "1", "name": "Acme"}]},
            "GET /team/1/space": {"spaces": [{"id": "2", "name": "Office"}]},
            "GET /space/2/folder": {"folders": []},
            "GET /space/2/list": {"lists": [{"id": "3", "name": "Move"}]},
            "GET /list/3": {"statuses": [{"status": "to do"}, {"status": "done"}]},
            "GET /list/3/member": {"members": [{"id": 8, "username": "Ada"}]},
            "GET /list/3/task": {"tasks": [], "last_page": True},
            "GET /list/3/field": {"fields": [{"id": "f1", "name": "Cost", "type": "number"}]},
            "POST /list/3/task": {"id": "t1"},
        },
        steps=(
            choose("Workspace", "Acme"),
            choose("Space", "Office"),
            choose("List (required)", "Move"),
            fill("Name (required)", "Order paper"),
            choose("Status", "to do"),
            add("Assignees", "Ada"),
            fill("Cost", "12"),
        ),
        request="POST /list/3/task",
        body={"name": "Order paper", "status": "to do", "assignees": [8], "custom_fields": [{"id": "f1", "value": 12}]},
    ),
    Action(
        app="airtable",
        function="create-record",
        button="Create a record",
        answers={
            "GET /meta/bases": {"bases": [{"id": "app1", "name": "Office"}]},
            "GET /meta/bases/app1/tables": {
                "tables": [
                    {
                        "id": "tbl1",
                        "name": "Orders",
                        "fields": [
                            {"name": "What", "type": "singleLineText"},
                            {"name": "Pieces", "type": "number"},
                            {
                                "name": "State",
                                "type": "singleSelect",
                                "options": {"choices": [{"name": "Open"}, {"name": "Paid"}]},
                            },
                        ],
                    }
                ]
            },
            "POST /app1/tbl1": {"id": "rec1", "fields": {}},
        },
        steps=(
            choose("Base (required)", "Office"),
            choose("Table (required)", "Orders"),
            fill("What", "Paper"),
            fill("Pieces", "500"),
            select("State", "Open"),
        ),
        request="POST /app1/tbl1",
        body={"fields": {"What": "Paper", "Pieces": 500, "State": "Open"}},
    ),
    Action(
        app="monday",
        function="create-item",
        button="Create an item",
        answers={"POST /v2": monday},
        steps=(
            choose("Board (required)", "Office"),
            fill("Name (required)", "Order paper"),
            choose("Group", "This week"),
            select("Status", "Done"),
            fill("Due", "2030-03-04"),
        ),
        request="POST /v2",
        body={
            "board": "7",
            "group": "topics",
            "name": "Order paper",
            "values": {"status": {"label": "Done"}, "date4": {"date": "2030-03-04"}},
        },
        reads=lambda sent: {**sent["variables"], "values": json.loads(sent["variables"]["values"])},
    ),
    Action(
        app="discord",
        function="send-message",
        button="Send a message",
        answers={
            "GET /users/@me/guilds": [{"id": "10", "name": "Chess Club"}],
            "GET /guilds/10/channels": [{"id": "20", "name": "general", "type": 0}],
            "POST /channels/20/messages": {"id": "30", "content": "Hello"},
        },
        steps=(
            choose("Server", "Chess Club"),
            choose("Channel (required)", "general"),
            fill("Text (required)", "Hello"),
        ),
        request="POST /channels/20/messages",
        body={"content": "Hello"},
    ),
    Action(
        app="zendesk",
        function="create-ticket",
        button="Create a ticket",
        answers={
            "GET /users": {"users": [{"id": 1, "name": "Ada Lovelace"}], "meta": {"has_more": False}},
            "GET /users/search": {"users": [{"id": 2, "name": "Bob Byrne"}], "next_page": None},
            "GET /groups": {"groups": [{"id": 5, "name": "Support"}], "meta": {"has_more": False}},
            "GET /ticket_fields": {
                "ticket_fields": [
                    {
                        "id": 77,
                        "title": "Product",
                        "type": "tagger",
                        "removable": True,
                        "active": True,
                        "custom_field_options": [{"value": "printer", "name": "Printer"}],
                    }
                ],
                "meta": {"has_more": False},
            },
            "POST /tickets": {"ticket": {"id": 35}},
        },
        steps=(
            fill("Subject (required)", "No paper"),
            fill("Description (required)", "The printer is empty."),
            search("Requester", "bob", "Bob Byrne"),
            choose("Group", "Support"),
            select("Product", "Printer"),
        ),
        request="POST /tickets",
        body={
            "ticket": {
                "subject": "No paper",
                "comment": {"body": "The printer is empty."},
                "requester_id": 2,
                "group_id": 5,
                "custom_fields": [{"id": 77, "value": "printer"}],
            }
        },
    ),
    Action(
        app="mailchimp",
        function="add-member",
        button="Add a member",
        answers={
            "GET /lists": {"lists": [{"id": "l1", "name": "Customers"}], "total_items": 1},
            "GET /lists/l1/merge-fields": {
                "merge_fields": [
                    {"tag": "FNAME", "name": "First name", "type": "text", "required": False, "options": {}}
                ],
                "total_items": 1,
            },
            "GET /lists/l1/tag-search": {"tags": [{"id": 1, "name": "VIP"}]},
            "POST /lists/l1/members": {"id": "x"},
        },
        steps=(
            choose("Audience (required)", "Customers"),
            fill("E-mail address (required)", "bob@example.com"),
            select("Status (required)", "Subscribed"),
            fill("First name", "Bob"),
            add("Tags", "VIP"),
        ),
        request="POST /lists/l1/members",
        body={
            "email_address": "bob@example.com",
            "status": "subscribed",
            "merge_fields": {"FNAME": "Bob"},
            "tags": ["VIP"],
        },
    ),
    Action(
        app="twilio",
        function="send-message",
        button="Send a message",
        answers={
            "GET /Accounts/acme/IncomingPhoneNumbers.json": {
                "incoming_phone_numbers": [{"phone_number": "+15005550006", "friendly_name": "Desk"}],
                "next_page_uri": None,
            },
            "POST /Accounts/acme/Messages.json": {"sid": "SM1"},
        },
        steps=(
            fill("To (required)", "+15005550009"),
            choose("From (required)", "Desk"),
            fill("Text (required)", "Your paper has come."),
        ),
        request="POST /Accounts/acme/Messages.json",
        body={"To": "+15005550009", "From": "+15005550006", "Body": "Your paper has come."},
    ),
    Action(
        app="pipedrive",
        function="create-deal",
        button="Create a deal",
        answers={
            "GET /v2/persons": {"data": [{"id": 1, "name": "Ada Lovelace"}]},
            "GET /v2/persons/search": {"data": {"items": [{"item": {"id": 2, "name": "Bob Byrne"}}]}},
            "GET /v2/organizations": {"data": [{"id": 4, "name": "Acme"}]},
            "GET /v2/pipelines": {"data": [{"id": 5, "name": "Sales"}]},
            "GET /v2/stages": {"data": [{"id": 6, "name": "Offer made"}]},
            "GET /v1/users": {"data": [{"id": 7, "name": "Carla"}]},
            "GET /v2/dealFields": {
                "data": [
                    {
                        "field_code": "abc",
                        "field_name": "Source",
                        "field_type": "enum",
                        "is_custom_field": True,
                        "options": [{"id": 1, "label": "Fair"}],
                    }
                ]
            },
            "POST /v2/deals": {"data": {"id": 9}},
        },
        steps=(
            fill("Title (required)", "Paper for a year"),
            fill("Value", "1200"),
            search("Person", "bob", "Bob Byrne"),
            choose("Pipeline", "Sales"),
            choose("Stage", "Offer made"),
            select("Source", "Fair"),
        ),
        request="POST /v2/deals",
        body={
            "title": "Paper for a year",
            "value": 1200,
            "person_id": 2,
            "pipeline_id": 5,
            "stage_id": 6,
            "custom_fields": {"abc": 1},
        },
    ),
)
