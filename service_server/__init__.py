"""The Integration Functions Service: REST API, connect pages and console in one process."""
