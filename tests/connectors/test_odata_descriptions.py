"""Requests held against the metadata of an OData service."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.connectors.descriptions.odata import ODataJudge, ODataModel
from tests.connectors.judging import faults

_DOCUMENT = """
<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Acme">
  <EntityType Name="thing"><Property Name="thingid" Type="Edm.Guid"/></EntityType>
  <EntityType Name="deal" BaseType="mscrm.thing">
    <Property Name="name" Type="Edm.String"/><Property Name="worth" Type="Edm.Decimal"/>
    <Property Name="closes" Type="Edm.Date"/><Property Name="_firm_value" Type="Edm.Guid"/>
    <NavigationProperty Name="firm" Type="mscrm.firm"/><NavigationProperty Name="notes" Type="Collection(mscrm.note)"/>
  </EntityType>
  <EntityType Name="firm"><Property Name="title" Type="Edm.String"/></EntityType>
  <EntityType Name="note"><Property Name="text" Type="Edm.String"/></EntityType>
  <EntityType Name="loud" BaseType="mscrm.note"><Property Name="volume" Type="Edm.Int32"/></EntityType>
  <Action Name="Win"><Parameter Name="Status" Type="Edm.Int32"/><Parameter Name="Deal" Type="mscrm.deal"/></Action>
  <Action Name="Close" IsBound="true">
    <Parameter Name="entity" Type="mscrm.thing"/><Parameter Name="Now" Type="Edm.Boolean"/>
  </Action>
  <Function Name="WhoAmI"/>
  <EntityContainer>
    <EntitySet Name="deals" EntityType="Acme.deal"/><EntitySet Name="firms" EntityType="Acme.firm"/>
  </EntityContainer>
</Schema>
"""
_JUDGE = ODataJudge("https://acme.test/v1", ODataModel(ElementTree.fromstring(_DOCUMENT)))  # noqa: S314  our own


def faults_of(method: str, path: str, body: Any = None) -> list[str]:
    """Return what is wrong with a request."""
    return faults(_JUDGE, method, f"https://acme.test{path}", b"" if body is None else json.dumps(body).encode())


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/deals?$select=name,thingid&$orderby=worth desc&$top=5", None),
        ("GET", "/deals?$filter=contains(name,'it''s lost') and worth gt 5 or closes le 2026-12-01", None),
        ("GET", "/deals?$filter=_firm_value eq 475b158c-541c-e511-80d3-3863bb347ba8&$expand=firm($select=title)", None),
        ("POST", "/deals", {"name": "A", "worth": 5, "closes": "2026-12-01", "firm@odata.bind": "/firms(1)"}),
        ("PATCH", "/deals(1)", {"worth": 5.5}),
        ("DELETE", "/deals(1)", None),
        ("GET", "/deals(1)/notes", None),
        ("GET", "/deals(1)/notes(2)/Acme.loud?$select=volume,text", None),
        ("POST", "/deals(1)/Acme.Close", {"Now": True}),
        ("POST", "/Win", {"Status": 3, "Deal": {"name": "A", "firm@odata.bind": "/firms(1)"}}),
        ("GET", "/WhoAmI", None),
    ],
)
def test_right_requests(method: str, path: str, body: Any) -> None:
    """What the metadata has may be asked for and sent: names, links, derived types, actions and functions."""
    assert [] == faults_of(method, f"/v1{path}", body)


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("GET", "/nothing", None, "there is no Function nothing"),
        ("GET", "/nothing/else", None, "there is no path /nothing/else"),
        ("GET", "/deals-2", None, "/deals-2 is no path"),
        ("PATCH", "/deals", {"worth": 5}, "is for GET, POST, not for PATCH"),
        ("POST", "/deals(1)", {"worth": 5}, "is for DELETE, GET, PATCH, not for POST"),
        ("GET", "/deals/notes", None, "notes needs one deal before it"),
        ("GET", "/deals(1)/firms", None, "deal has no firms"),
        ("GET", "/deals?$select=named", None, "deal has no named, which $select names"),
        ("GET", "/deals?$filter=state eq 'name'", None, "deal has no state, which $filter names"),
        ("GET", "/deals?$expand=firms", None, "deal has no firms, which $expand names"),
        ("GET", "/deals?limit=5", None, "the query parameter limit isn't known"),
        ("POST", "/deals", {"nam": "A"}, "deal has no nam"),
        ("POST", "/deals", {"worth": "5"}, "deal.worth must be of the type Edm.Decimal"),
        ("POST", "/deals", {"worth": True}, "deal.worth must be of the type Edm.Decimal"),
        ("POST", "/deals", {"closes": "1 December"}, "deal.closes is no Edm.Date"),
        ("POST", "/deals", {"firm@odata.bind": "/deals(1)"}, "is of the type firm, and deals has none"),
        ("POST", "/deals", {"firm@odata.bind": "1"}, "can't be linked to 1"),
        ("POST", "/deals", {"notes@odata.bind": "/firms(1)"}, "can't be linked to /firms(1)"),
        ("POST", "/firms(1)/Acme.Close", {"Now": True}, "there is no Action Close for firm"),
        ("POST", "/Close", {"Now": True}, "there is no Action Close"),
        ("POST", "/Win", {"State": 3}, "Win has no State"),
        ("POST", "/Win", {"Deal": {"nam": "A"}}, "Win.Deal has no nam"),
        ("POST", "/Win", {"Deal": "A"}, "Win.Deal is no object"),
        ("GET", ".0/deals", None, "https://acme.test/v1.0/deals isn't below https://acme.test/v1"),
    ],
)
def test_wrong_requests(method: str, path: str, body: Any, expected: str) -> None:
    """What the metadata lacks is noticed, and said with the name."""
    found = faults_of(method, f"/v1{path}", body)

    assert 1 == len(found)
    assert found[0].endswith(expected)
