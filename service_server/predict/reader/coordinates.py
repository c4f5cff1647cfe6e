"""Places on the map as people write them: a latitude, a comma and a longitude, in this order."""

import re
from collections.abc import Sequence

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question

_PAIR = re.compile(r"(?<![\w.])(-?\d{1,2}\.\d+)°?,? ?(-?\d{1,3}\.\d+)(?![\w.]*\d)")
_NAMES = (frozenset({"latitude", "lat"}), frozenset({"longitude", "lon", "lng", "long"}))
_SURE = 0.9

Coordinates = tuple[Question, Question]


def coordinates_of(questions: Sequence[Question]) -> Coordinates | None:
    """Return the questions for latitude and longitude; None where a function doesn't ask for one of each."""
    numbers = [each for each in questions if each.schema.get("type") == "number"]
    latitudes, longitudes = ([each for each in numbers if each.name in names] for names in _NAMES)
    return (latitudes[0], longitudes[0]) if len(latitudes) == len(longitudes) == 1 else None


def with_coordinates(asked: Coordinates, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the prompt's only pair of coordinates."""
    pairs = list(_PAIR.finditer(prompt))
    if len(pairs) != 1 or abs(float(pairs[0][1])) > 90 or abs(float(pairs[0][2])) > 180:
        return list(found)
    filled = [Filled(each, float(pairs[0][at]), *pairs[0].span(at), _SURE) for at, each in enumerate(asked, 1)]
    return [*(each for each in found if each.question not in asked), *filled]
