"""Messages on WhatsApp and posts on LinkedIn, as the connectors' hooks write them."""

import json
from typing import Any

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(app: str, function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of(app)
    return request_of(connector, connector.functions[f"{app}-{function}"], arguments)


def body(app: str, function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    return json.loads(request(app, function, **arguments).body)


def test_a_phone_number_is_sent_as_digits() -> None:
    """People write numbers with signs and blanks between the digits, WhatsApp wants none."""
    assert "491705550101" == body("whatsapp", "send-message", to="+49 (170) 555-0101", text="Hi")["to"]


def test_a_template_has_a_language_and_values() -> None:
    """The choice of a template tells its language; values are sent only where there are any."""
    sent = body("whatsapp", "send-template", to="15550100", template="appointment/de", values=["Ada", "Monday"])
    plain = body("whatsapp", "send-template", to="15550100", template="hello_world/en_US")

    assert {"name": "appointment", "language": {"code": "de"}} == {
        key: sent["template"][key] for key in ("name", "language")
    }
    assert [["Ada", "Monday"]] == [
        [value["text"] for value in each["parameters"]] for each in sent["template"]["components"]
    ]
    assert "components" not in plain["template"]


@pytest.mark.parametrize(
    ("app", "function", "given", "field"),
    [
        ("whatsapp", "send-template", {"to": "15550100", "template": "hello_world"}, "template"),
        ("whatsapp", "send-buttons", {"to": "15550100", "text": "Q", "buttons": ["a", "b", "c", "d"]}, "buttons"),
        ("whatsapp", "send-buttons", {"to": "15550100", "text": "Q", "buttons": ["a" * 21]}, "buttons"),
        (
            "linkedin",
            "create-poll",
            {"question": "Q", "answers": ["A"], "duration": "ONE_DAY", "visibility": "PUBLIC"},
            "answers",
        ),
        ("linkedin", "delete-post", {"post": "https://www.linkedin.com/feed/"}, "post"),
        ("linkedin", "delete-post", {"post": "urn:li:person:12345678"}, "post"),
    ],
)
def test_what_would_be_refused_is_told_at_once(app: str, function: str, given: dict[str, Any], field: str) -> None:
    """What the app wouldn't take is refused at its field, before anything is sent."""
    with pytest.raises(InvalidRequest) as problem:
        request(app, function, **given)

    assert field == problem.value.field


def test_buttons_are_numbered() -> None:
    """Each button has an id, by which the answer tells it."""
    sent = body("whatsapp", "send-buttons", to="15550100", text="Q", buttons=["Yes", "No"])

    assert [("1", "Yes"), ("2", "No")] == [
        (each["reply"]["id"], each["reply"]["title"]) for each in sent["interactive"]["action"]["buttons"]
    ]


@pytest.mark.parametrize(("samples", "example"), [([], None), (["Ada"], {"body_text": [["Ada"]]})])
def test_a_new_template_has_examples_of_its_values(samples: list[str], example: Any) -> None:
    """WhatsApp decides on a template by an example of each value."""
    arguments = {"name": "hello", "language": "en_US", "category": "UTILITY", "text": "Hello {{1}}", "samples": samples}
    (sent,) = body("whatsapp", "create-template", **arguments)["components"]

    assert example == sent.get("example")


def test_the_next_page_is_asked_for_without_the_address_that_holds_the_token() -> None:
    """Meta writes the token into the address of the next page; only the cursor is taken of it."""
    paging = connector_of("whatsapp").functions["whatsapp-list-templates"].pagination
    assert paging is not None

    assert paging.apply(request("whatsapp", "list-templates"), "c2").url.startswith("https://graph.facebook.com/v24.0/")
    assert "after=c2" in paging.apply(request("whatsapp", "list-templates"), "c2").url


def test_signs_of_a_post_are_shown_as_they_are() -> None:
    """What means something in LinkedIn's texts is escaped; a hashtag stays one."""
    sent = body("linkedin", "create-post", text="(We) are *hiring* #jobs", visibility="PUBLIC")

    assert r"\(We\) are \*hiring\* #jobs" == sent["commentary"]


@pytest.mark.parametrize(
    ("post", "urn"),
    [
        ("urn:li:share:7123456789012345678", "urn%3Ali%3Ashare%3A7123456789012345678"),
        (
            "https://www.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A7123456789012345678/?x=1",
            "urn%3Ali%3AugcPost%3A7123456789012345678",
        ),
    ],
)
def test_a_post_is_known_by_its_address(post: str, urn: str) -> None:
    """The address that LinkedIn copies has the URN in it, encoded or not."""
    assert f"https://api.linkedin.com/rest/posts/{urn}" == request("linkedin", "delete-post", post=post).url
