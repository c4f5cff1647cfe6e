"""The REST API: thin handlers that read a request, ask the rest of the service, and answer in the contract's words."""
