"""
Turns an OpenAPI document into a connector's folder, one step a file, in the order of `steps.py`: read, take Swagger 2
to OpenAPI 3, choose the operations, draft a function of each (parameters, body, schemas), find paging, lists and
sources, name them, check and write. What a connector can't say is flattened or left out, and `report.py` tells so.
"""
