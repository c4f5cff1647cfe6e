"""
Metrics and traces by OpenTelemetry.

They are put around the service's parts from outside, when they are switched on: otherwise nothing of OpenTelemetry is
imported, and no part does anything for them. Only `choice` may be imported before.
"""
