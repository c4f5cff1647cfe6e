"""Sends what happened to the endpoints of applications, signed by Standard Webhooks, until they have taken it."""
