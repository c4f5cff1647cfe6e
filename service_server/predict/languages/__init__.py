"""Prompts in German, Spanish, French, Japanese and Portuguese, as the English that functions are described in."""

from service_server.predict.languages.gloss import Gloss
from service_server.predict.languages.glossing import glossed
from service_server.predict.languages.recognition import language_of

__all__ = ["Gloss", "glossed", "language_of"]
