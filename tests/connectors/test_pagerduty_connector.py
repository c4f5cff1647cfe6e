"""PagerDuty's references, as the connector's hooks write them."""

import json
from typing import Any

from tests.connectors.building import connector_of, request_of


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("pagerduty")
    return json.loads(request_of(connector, connector.functions[f"pagerduty-{function}"], arguments).body)


def test_ids_say_what_they_are_of() -> None:
    """An id is sent together with the kind of thing that it is of."""
    (sent,) = body_of("reassign-incident", incident="P1", users=["PXPGF42", "PAM4FGS"])["incidents"]

    assert {"id": "P1", "type": "incident_reference"} == {key: sent[key] for key in ("id", "type")}
    assert ["PXPGF42", "PAM4FGS"] == [each["assignee"]["id"] for each in sent["assignments"]]
    assert {"user_reference"} == {each["assignee"]["type"] for each in sent["assignments"]}


def test_people_or_a_policy() -> None:
    """An incident goes to people or to an escalation policy, and nothing is sent of what isn't given."""
    (sent,) = body_of("reassign-incident", incident="P1", policy="PANZZEQ")["incidents"]

    assert {"id": "PANZZEQ", "type": "escalation_policy_reference"} == sent["escalation_policy"]
    assert "assignments" not in sent
