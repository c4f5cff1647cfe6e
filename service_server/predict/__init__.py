"""
Predict a function, and its arguments, from a prompt in natural language.

Everything here is pure: no I/O, no state beyond an index over the catalogue; only `model` reads files, and what is
behind `encoder.install` fetches and writes them. The stages are separate (rank, decide, fill, validate), so that each
can be replaced by a better one without touching the others.
"""

from service_server.predict.arguments import ArgumentPrediction
from service_server.predict.candidate import Candidate
from service_server.predict.predictor import FunctionPrediction, FunctionRanking, Predictor

__all__ = ["ArgumentPrediction", "Candidate", "FunctionPrediction", "FunctionRanking", "Predictor"]
