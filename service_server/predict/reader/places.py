"""Which state or country a city is in, for arguments that ask for both."""

import lzma
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale

from service_server.predict.words import without_accents

_ASKS_FOR_STATE = re.compile(
    r"city,? (?:and )?(?:the )?(?:state|st\b|country|region)|city, ?ca\b|[a-z]+, (?:ca|ny|tx|wa|il|ma)\b", re.IGNORECASE
)
_NAMES_A_REGION = re.compile(r"\b(?:state|country|region|st)\b|\blocation|\bplace", re.IGNORECASE)
_STATES = """
Alabama AL|Alaska AK|Arizona AZ|Arkansas AR|California CA|Colorado CO|Connecticut CT|Delaware DE|Florida FL|
Georgia GA|Hawaii HI|Idaho ID|Illinois IL|Indiana IN|Iowa IA|Kansas KS|Kentucky KY|Louisiana LA|Maine ME|
Maryland MD|Massachusetts MA|Michigan MI|Minnesota MN|Mississippi MS|Missouri MO|Montana MT|Nebraska NE|Nevada NV|
New Hampshire NH|New Jersey NJ|New Mexico NM|New York NY|North Carolina NC|North Dakota ND|Ohio OH|Oklahoma OK|
Oregon OR|Pennsylvania PA|Rhode Island RI|South Carolina SC|South Dakota SD|Tennessee TN|Texas TX|Utah UT|
Vermont VT|Virginia VA|Washington WA|West Virginia WV|Wisconsin WI|Wyoming WY
"""


CODE_OF_STATE = {
    name.casefold(): code
    for name, _, code in (entry.strip().rpartition(" ") for entry in _STATES.replace("\n", "").split("|"))
}


@cache
def _cities() -> dict[str, tuple[str, str]]:
    """Return the state and the country of each city, from GeoNames (CC BY 4.0); `training/places.py` makes the file."""
    packed = files("service_server.predict.reader").joinpath("places.txt.xz").read_bytes()
    lines = (line.split("\t") for line in lzma.decompress(packed).decode().splitlines())
    return {name: (state, country) for name, state, country in lines}


def place_in(text: str, schema: Mapping[str, Any]) -> str | None:
    """Return a city with its state or country where the argument's description asks for both and the text has one."""
    if not _ASKS_FOR_STATE.search(str(schema.get("description", ""))):
        return None
    city, comma, region = (part.strip() for part in text.strip(" .").partition(","))
    if comma:
        code = region.upper() if region.upper() in CODE_OF_STATE.values() else CODE_OF_STATE.get(region.casefold())
        return f"{city}, {code}" if code and _wants_code(schema) else None
    words = text.split()
    for split in range(len(words) - 1, 0, -1):  # "San Jose California"
        code = CODE_OF_STATE.get(" ".join(words[split:]).casefold())
        code = code or (words[split] if words[split:] == [words[split].upper()] and len(words[split]) == 2 else None)
        if code and code in CODE_OF_STATE.values() and without_accents(text.strip()) not in _cities():
            return f"{' '.join(words[:split])}, {code}"
    return _with_region(text.strip(), schema)


def _with_region(city: str, schema: Mapping[str, Any]) -> str | None:
    """Return a city of the table with its state, where states are asked for, or else with its country."""
    if city.casefold() in ("new york", "new york city"):
        city, key = "New York", "new york city"
    else:
        key = without_accents(city)
    state, country = _cities().get(key, ("", ""))
    name = city if city != city.lower() else city.title()
    names_states = _wants_code(schema) or "state" in str(schema["description"]).casefold()
    if state and names_states and not country.endswith("!"):
        return f"{name}, {state}"
    if _NAMES_A_REGION.search(str(schema["description"])) is None:
        return None  # "the city, such as 'New York, NY'": only that a state belongs to it
    country = country.removesuffix("!")
    return f"{name}, {Locale('en').territories[country]}" if country else None


def _wants_code(schema: Mapping[str, Any]) -> bool:
    description = str(schema["description"])
    return re.search(r", ?(?:CA|NY|TX|WA|IL|MA|FL|CO|GA)\b|abbr|short form|two-letter|\bST\b", description) is not None
