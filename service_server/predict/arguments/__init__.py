"""Fill a function's arguments from the words of a prompt."""

from service_server.predict.arguments.filling import ArgumentFiller, ArgumentPrediction

__all__ = ["ArgumentFiller", "ArgumentPrediction"]
