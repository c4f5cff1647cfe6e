"""ServiceNow's Table and Attachment API by a client for Python, since the vendor keeps neither in a package."""

from tests.connectors.descriptions.compiled_types import amended
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.python_client import python_client

CHECK = python_client(
    pypi("servicenow-api==2.4.11"),
    base_url="https://acme.service-now.com/api",
    sources=("servicenow_api/api/*.py",),
    types=("servicenow_api/servicenow_models.py",),
    call=r"self\._session\.(?P<method>get|post|put|patch|delete)",
    rewrite=amended(
        # Those of a model's fields that are given.
        ("=table_model.api_parameters", "=table_model.model_dump()"),
        ("=incident.api_parameters", "=incident.model_dump()"),
        ("(incident.api_parameters", "(incident.model_dump()"),
        ("=problem.api_parameters", "=problem.model_dump()"),
        # What is sent has the columns of an answer.
        ("json=incident.data", "json=Incident()"),
    ),
    # One record of any table takes the same conditions as an incident. Why one waits is in the table since
    # Jakarta. A change has the columns of its table.
    documented="""
        def documented(self, incident: IncidentModel, reason: str):
            self._session.get("/now/table/{}/{}", params=incident.model_dump())
            changed = Incident().model_dump()
            changed["hold_reason"] = reason
            self._session.patch("/now/table/incident/{}", json=changed)
            planned = {"short_description": reason}
            if reason:
                planned["description"] = reason
                planned["type"] = reason
                planned["justification"] = reason
                planned["implementation_plan"] = reason
                planned["backout_plan"] = reason
                planned["start_date"] = reason
                planned["end_date"] = reason
                planned["assignment_group"] = reason
                planned["assigned_to"] = reason
            self._session.post("/now/table/change_request", json=planned)
    """,
)
