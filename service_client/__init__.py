"""The typed client of the Integration Functions Service."""

__version__ = "0.1.0"
