"""Which state or country a well-known city is in, for arguments that ask for both."""

import re
from collections.abc import Mapping
from typing import Any

_ASKS_FOR_STATE = re.compile(
    r"city,? (?:and )?(?:the )?(?:state|st\b|country|region)|city, ?ca\b|[a-z]+, (?:ca|ny|tx|wa|il|ma)\b", re.IGNORECASE
)
_US = """
Albuquerque NM|Anaheim CA|Anchorage AK|Arlington TX|Atlanta GA|Aurora CO|Austin TX|Bakersfield CA|Baltimore MD|
Baton Rouge LA|Berkeley CA|Beverly Hills CA|Boise ID|Boston MA|Boulder CO|Brooklyn NY|Buffalo NY|Cambridge MA|
Campbell CA|Charleston SC|Charlotte NC|Chicago IL|Cincinnati OH|Cleveland OH|Colorado Springs CO|Columbus OH|
Concord CA|Cupertino CA|Dallas TX|Davis CA|Denver CO|Des Moines IA|Detroit MI|Dublin CA|El Paso TX|Emeryville CA|
Fort Worth TX|Fremont CA|Fresno CA|Hayward CA|Honolulu HI|Houston TX|Indianapolis IN|Irvine CA|Jacksonville FL|
Jersey City NJ|Kansas City MO|Lafayette CA|Las Vegas NV|Livermore CA|Long Beach CA|Los Angeles CA|Los Gatos CA|
Louisville KY|Madison WI|Manhattan NY|Memphis TN|Menlo Park CA|Mesa AZ|Miami FL|Milpitas CA|Milwaukee WI|
Minneapolis MN|Mountain View CA|Napa CA|Nashville TN|New Orleans LA|New York NY|New York City NY|Newark NJ|
Novato CA|NYC NY|Oakland CA|Oklahoma City OK|Omaha NE|Orlando FL|Palo Alto CA|Petaluma CA|Philadelphia PA|
Phoenix AZ|Pinole CA|Pittsburg CA|Pittsburgh PA|Pleasanton CA|Portland OR|Providence RI|Raleigh NC|Redwood City CA|
Reno NV|Richmond VA|Riverside CA|Sacramento CA|Salt Lake City UT|San Antonio TX|San Diego CA|San Francisco CA|
San Jose CA|San Leandro CA|San Mateo CA|San Rafael CA|San Ramon CA|Santa Ana CA|Santa Barbara CA|Santa Clara CA|
Santa Cruz CA|Santa Fe NM|Santa Monica CA|Santa Rosa CA|Saratoga CA|Sausalito CA|Savannah GA|Scottsdale AZ|
Seattle WA|Sonoma CA|South San Francisco CA|Spokane WA|St. Louis MO|Stockton CA|Sunnyvale CA|Tacoma WA|Tampa FL|
Tucson AZ|Tulsa OK|Union City CA|Vacaville CA|Virginia Beach VA|Walnut Creek CA|Washington DC|Washington D.C. DC|
Wichita KS|Fairfield CA|Alameda CA|Antioch CA|Benicia CA|Cotati CA|Danville CA|Gilroy CA|Healdsburg CA|Los Altos CA|
Martinez CA|Mill Valley CA|Morgan Hill CA|Newark CA|Rohnert Park CA|Burlingame CA|Vallejo CA|Castro Valley CA|
Daly City CA|El Cerrito CA|Albany CA|Foster City CA|Half Moon Bay CA|Larkspur CA|Los Gatos CA|Monterey CA|Oakley CA|
Pacifica CA|Pittsburg CA|San Pablo CA|Tiburon CA|Windsor CA|San Bruno CA|San Carlos CA|Santa Maria CA|
Yosemite National Park CA
"""
_WORLD = """
Abu Dhabi=United Arab Emirates|Accra=Ghana|Addis Ababa=Ethiopia|Amsterdam=Netherlands|Ankara=Turkey|Athens=Greece|
Auckland=New Zealand|Baghdad=Iraq|Bangalore=India|Bangkok=Thailand|Barcelona=Spain|Beijing=China|Beirut=Lebanon|
Belgrade=Serbia|Bengaluru=India|Berlin=Germany|Birmingham=UK|Bogota=Colombia|Brisbane=Australia|Brussels=Belgium|
Bucharest=Romania|Budapest=Hungary|Buenos Aires=Argentina|Cairo=Egypt|Calgary=Canada|Cape Town=South Africa|
Caracas=Venezuela|Casablanca=Morocco|Chengdu=China|Chennai=India|Cologne=Germany|Copenhagen=Denmark|Damascus=Syria|
Delhi=India|Dhaka=Bangladesh|Doha=Qatar|Dubai=United Arab Emirates|Edinburgh=UK|Florence=Italy|Frankfurt=Germany|
Geneva=Switzerland|Glasgow=UK|Guangzhou=China|Guadalajara=Mexico|Hamburg=Germany|Hangzhou=China|Hanoi=Vietnam|
Havana=Cuba|Helsinki=Finland|Hong Kong=China|Hyderabad=India|Istanbul=Turkey|Jakarta=Indonesia|Jerusalem=Israel|
Johannesburg=South Africa|Karachi=Pakistan|Kathmandu=Nepal|Kolkata=India|Krakow=Poland|Kuala Lumpur=Malaysia|
Kyiv=Ukraine|Kyoto=Japan|Lagos=Nigeria|Lahore=Pakistan|Leeds=UK|Lima=Peru|Lisbon=Portugal|Liverpool=UK|London=UK|
Lyon=France|Madrid=Spain|Manchester=UK|Manila=Philippines|Marseille=France|Melbourne=Australia|Mexico City=Mexico|
Milan=Italy|Monterrey=Mexico|Montreal=Canada|Moscow=Russia|Mumbai=India|Munich=Germany|Nairobi=Kenya|Naples=Italy|
New Delhi=India|Nice=France|Osaka=Japan|Oslo=Norway|Ottawa=Canada|Paris=France|Perth=Australia|Porto=Portugal|
Prague=Czech Republic|Pune=India|Quito=Ecuador|Reykjavik=Iceland|Riga=Latvia|Rio de Janeiro=Brazil|
Riyadh=Saudi Arabia|Rome=Italy|Rotterdam=Netherlands|Saint Petersburg=Russia|Santiago=Chile|Sao Paulo=Brazil|
São Paulo=Brazil|Seoul=South Korea|Seville=Spain|Shanghai=China|Shenzhen=China|Singapore=Singapore|Sofia=Bulgaria|
Stockholm=Sweden|Stuttgart=Germany|Sydney=Australia|Taipei=Taiwan|Tallinn=Estonia|Tehran=Iran|Tel Aviv=Israel|
Tokyo=Japan|Toronto=Canada|Turin=Italy|Valencia=Spain|Vancouver=Canada|Venice=Italy|Vienna=Austria|
Vilnius=Lithuania|Warsaw=Poland|Wellington=New Zealand|Wuhan=China|Yokohama=Japan|Zagreb=Croatia|Zurich=Switzerland|
Divinópolis=Brazil|Tijuana=Mexico|Cancun=Mexico
"""
_STATES = """
Alabama AL|Alaska AK|Arizona AZ|Arkansas AR|California CA|Colorado CO|Connecticut CT|Delaware DE|Florida FL|
Georgia GA|Hawaii HI|Idaho ID|Illinois IL|Indiana IN|Iowa IA|Kansas KS|Kentucky KY|Louisiana LA|Maine ME|
Maryland MD|Massachusetts MA|Michigan MI|Minnesota MN|Mississippi MS|Missouri MO|Montana MT|Nebraska NE|Nevada NV|
New Hampshire NH|New Jersey NJ|New Mexico NM|New York NY|North Carolina NC|North Dakota ND|Ohio OH|Oklahoma OK|
Oregon OR|Pennsylvania PA|Rhode Island RI|South Carolina SC|South Dakota SD|Tennessee TN|Texas TX|Utah UT|
Vermont VT|Virginia VA|Washington WA|West Virginia WV|Wisconsin WI|Wyoming WY
"""


def _pairs(table: str, sign: str) -> dict[str, tuple[str, str]]:
    entries = (entry.strip().rpartition(sign) for entry in table.replace("\n", "").split("|"))
    return {name.casefold(): (name, region) for name, _, region in entries}


_STATE_OF = _pairs(_US, " ")
_COUNTRY_OF = _pairs(_WORLD, "=")
CODE_OF_STATE = {name.casefold(): code for name, code in _pairs(_STATES, " ").values()}


_STATE_BEHIND = re.compile(rf",? (?:in )?({'|'.join(sorted(CODE_OF_STATE, key=len, reverse=True))})\b", re.IGNORECASE)
# Names that people write short, where only a place can be meant.
_SHORT = {
    "la": "Los Angeles", "l.a.": "Los Angeles", "sf": "San Francisco", "san fran": "San Francisco",
    "frisco": "San Francisco",
    "nyc": "New York", "ny": "New York", "the big apple": "New York", "big apple": "New York", "sd": "San Diego",
    "philly": "Philadelphia",
    "vegas": "Las Vegas", "dc": "Washington", "d.c.": "Washington", "chi-town": "Chicago", "nola": "New Orleans",
    "atl": "Atlanta",
    "slc": "Salt Lake City", "indy": "Indianapolis",
}  # fmt: skip


def place_in(text: str, schema: Mapping[str, Any], after: str = "") -> str | None:
    """
    Return a city with its state or country where the argument's description asks for both and the text has one.

    `after` is what follows the text in the prompt: "Lafayette in Louisiana".
    """
    if not _ASKS_FOR_STATE.search(str(schema.get("description", ""))):
        return None
    city, comma, region = (part.strip() for part in text.strip(" .").partition(","))
    if comma:
        code = CODE_OF_STATE.get(region.casefold())
        return f"{city}, {code}" if code and _wants_code(schema) else None
    if (following := _STATE_BEHIND.match(after)) is not None:
        return f"{text.strip()}, {CODE_OF_STATE[following[1].casefold()]}"
    text = _SHORT.get(text.strip().casefold(), text)
    words = text.split()
    for split in range(len(words) - 1, 0, -1):  # "San Jose California"
        code = CODE_OF_STATE.get(" ".join(words[split:]).casefold())
        code = code or (words[split] if words[split:] == [words[split].upper()] and len(words[split]) == 2 else None)
        if code and code in CODE_OF_STATE.values() and text.casefold() not in _STATE_OF:
            return f"{' '.join(words[:split])}, {code}"
    if (entry := _STATE_OF.get(text.strip().casefold())) is not None:
        name = "New York" if entry[0] in ("NYC", "New York City") else entry[0]
        return (
            f"{name}, {entry[1]}" if _wants_code(schema) or "state" in str(schema["description"]).casefold() else None
        )
    entry = _COUNTRY_OF.get(text.strip().casefold())
    return f"{entry[0]}, {entry[1]}" if entry is not None else None


def _wants_code(schema: Mapping[str, Any]) -> bool:
    description = str(schema["description"])
    return re.search(r", ?(?:CA|NY|TX|WA|IL|MA|FL|CO|GA)\b|abbr|short form|two-letter|\bST\b", description) is not None
