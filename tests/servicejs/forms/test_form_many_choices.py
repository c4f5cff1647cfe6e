"""Dropdowns with thousands of options, in fields that an app named, and in the entries of a list."""

import re
from typing import Any

from examples.gallery.form_driver import Answer, Driver, ok
from examples.gallery.functions import function
from service_client.models import DynamicFields, FieldMeta, Source
from servicejs.forms.choices import MOST_SHOWN

MANY = 5_000
CITY = function(
    {"city": {"type": "string", "description": ""}},
    required=("city",),
    fields={
        "city": FieldMeta(title="City", widget="select", source=Source(function="cities", value="id", label="name"))
    },
)
LINES = function(
    {
        "lines": {
            "type": "array",
            "description": "",
            "items": {
                "type": "object",
                "properties": {
                    "country": {"type": "string"},
                    "city": {"type": "string"},
                    "more": {"type": "object", "properties": {}},
                },
                "required": ["country", "city"],
            },
        }
    },
    required=("lines",),
    fields={
        "lines[].country": FieldMeta(
            title="Country", widget="select", source=Source(function="countries", value="id", label="name")
        ),
        "lines[].city": FieldMeta(
            title="City",
            widget="select",
            source=Source(
                function="cities",
                arguments={"country": "${country}"},
                value="id",
                label="name",
                depends_on=("lines[].country",),
            ),
        ),
        "lines[].more": FieldMeta(
            title="More",
            widget="object",
            dynamic_fields=DynamicFields(
                function="fields",
                arguments={"city": "${city}"},
                key="key",
                title="key",
                type="type",
                options="options",
                depends_on=("lines[].city",),
            ),
        ),
    },
)
CITIES = {"de": ["Berlin", "Bonn"], "fr": ["Paris", "Lyon"]}


def atlas(name: str, arguments: dict[str, Any]) -> Answer:
    """Answer the source functions of the lines."""
    match name:
        case "countries":
            return ok([{"id": code, "name": code.upper()} for code in CITIES])
        case "cities":
            return ok([{"id": city, "name": city} for city in CITIES[arguments["country"]]])
    return ok([{"key": "district", "type": "enum", "options": [f"{arguments['city']} North", "South"]}])


def options(driver: Driver, element_id: str) -> list[str]:
    """Return the labels of a dropdown's options, the empty one left out."""
    shown = re.search(
        rf'<select[^>]*id="{re.escape(element_id)}"[^>]*>(.*?)</select>', driver.screen.render(), re.DOTALL
    )
    assert shown is not None, element_id
    return [label for value, label in re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)', shown[1]) if value]


async def test_thousands_of_options_can_be_searched() -> None:
    """Some hundred are shown; the filter finds every other one, which stays chosen when the filter goes."""
    cities = [{"id": str(number), "name": f"City {number:04}"} for number in range(MANY)]
    driver = await Driver(CITY, answer=lambda name, arguments: ok(cities)).started()
    assert MOST_SHOWN == len(options(driver, "field-city"))
    assert f"Showing {MOST_SHOWN} of {MANY}" in driver.screen.render()

    await driver.do("search", "city", "city 4999", "input")
    assert ["City 4999"] == options(driver, "field-city")
    await driver.set("city", "4999")
    await driver.do("search", "city", "", "input")
    assert "City 4999" == options(driver, "field-city")[0]

    await driver.do("submit", kind="submit")
    assert [({"city": "4999"}, None)] == driver.finished
    assert 1 == len(driver.calls)


async def test_choices_in_entries_follow_their_own_entry() -> None:
    """In each entry of a list the choices, and the fields that the app names, depend on that entry alone."""
    given = {"lines": [{"country": "de", "city": "Bonn"}, {"country": "fr", "city": "Lyon"}]}
    driver = await Driver(LINES, given, atlas).started()
    assert ["Berlin", "Bonn"] == options(driver, "field-lines-row1-city")
    assert ["Paris", "Lyon"] == options(driver, "field-lines-row2-city")
    assert ["Lyon North", "South"] == options(driver, "field-lines-row2-more-district")

    await driver.set("lines[1].more.district", "Lyon North")
    await driver.set("lines[0].country", "fr")

    assert ["Paris", "Lyon"] == options(driver, "field-lines-row1-city")
    assert "“Bonn” isn’t available any more" in driver.screen.render()
    await driver.set("lines[0].city", "Paris")
    await driver.do("submit", kind="submit")
    second = {"country": "fr", "city": "Lyon", "more": {"district": "Lyon North"}}
    assert [({"lines": [{"country": "fr", "city": "Paris"}, second]}, None)] == driver.finished
