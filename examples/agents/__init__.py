"""Agents that use the functions of a user: one file for each library, and one without any."""
