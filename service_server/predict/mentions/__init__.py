"""Values that stand in a prompt, by the form they have and the words that introduce them."""

from service_server.predict.mentions.addresses import find_addresses
from service_server.predict.mentions.lengths import Length, find_lengths
from service_server.predict.mentions.mention import Kind, Mention, Moment
from service_server.predict.mentions.moments import find_moments
from service_server.predict.mentions.numbers import find_numbers, plain_number, read_number
from service_server.predict.mentions.periods import Period, find_periods
from service_server.predict.mentions.phrases import find_phrases
from service_server.predict.mentions.quotations import find_quotations

__all__ = [
    "Kind",
    "Length",
    "Mention",
    "Moment",
    "Period",
    "find_addresses",
    "find_lengths",
    "find_moments",
    "find_numbers",
    "find_periods",
    "find_phrases",
    "find_quotations",
    "plain_number",
    "read_number",
]
