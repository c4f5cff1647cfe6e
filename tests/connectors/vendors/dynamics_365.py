"""Dataverse's Web API, with the tables of Dynamics 365 Sales, by its own metadata, which a maker of types has."""

from tests.connectors.descriptions.odata import odata_metadata
from tests.connectors.descriptions.packages import npm

CHECK = odata_metadata(
    npm("dataverse-gen@2.0.15").keeping("src/__tests__/data/edmx.xml"),
    base_url="https://acme.crm4.dynamics.com/api/data/v9.2",
)

UNDESCRIBED = dict.fromkeys(
    ("list-records", "get-record", "create-record", "update-record", "delete-record"),
    "which set of records is meant the metadata itself tells, which is asked before",
)
