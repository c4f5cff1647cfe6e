"""Administers a service: what the console does, for programs with a key of the admin API."""

from service_client.admin.client import AdminClient, AsyncAdminClient

__all__ = ["AdminClient", "AsyncAdminClient"]
