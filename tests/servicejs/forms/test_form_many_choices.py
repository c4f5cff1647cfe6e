"""Dropdowns with thousands of options, in fields that an app named, and in the entries of a list."""

from typing import Any

from examples.gallery.form_driver import Answer, Driver, ok
from examples.gallery.functions import function
from service_client.models import DynamicFields, FieldMeta, Source
from servicejs.forms.choices import PAGE

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


async def test_thousands_of_options_can_be_searched() -> None:
    """A page of them is shown, scrolling brings the next, and what is typed finds every other one."""
    cities = [{"id": str(number), "name": f"City {number:04}"} for number in range(MANY)]
    driver = await Driver(CITY, answer=lambda name, arguments: ok(cities)).started()
    assert PAGE == len(await driver.choices("city"))
    await driver.do("load-more", "city")
    assert 2 * PAGE == driver.screen.render().count('role="option"')

    found = {"4999": "City 4999", "city 4999": "Use “city 4999” as it is"}
    assert found == await driver.choices("city", "city 4999")
    await driver.set("city", "4999")
    assert PAGE == len(await driver.choices("city"))
    assert 'value="City 4999"' in driver.screen.render()

    await driver.do("submit", kind="submit")
    assert [({"city": "4999"}, None)] == driver.finished
    assert 1 == len(driver.calls)


async def test_choices_in_entries_follow_their_own_entry() -> None:
    """In each entry of a list the choices, and the fields that the app names, depend on that entry alone."""
    given = {"lines": [{"country": "de", "city": "Bonn"}, {"country": "fr", "city": "Lyon"}]}
    driver = await Driver(LINES, given, atlas).started()
    assert ["Berlin", "Bonn"] == list(await driver.choices("lines[0].city"))
    assert ["Paris", "Lyon"] == list(await driver.choices("lines[1].city"))
    assert '<option value="Lyon North">' in driver.screen.render()

    await driver.set("lines[1].more.district", "Lyon North")
    await driver.set("lines[0].country", "fr")

    assert ["Paris", "Lyon"] == list(await driver.choices("lines[0].city"))
    assert "“Bonn” is no longer available" in driver.screen.render()
    await driver.set("lines[0].city", "Paris")
    await driver.do("submit", kind="submit")
    second = {"country": "fr", "city": "Lyon", "more": {"district": "Lyon North"}}
    assert [({"lines": [{"country": "fr", "city": "Paris"}, second]}, None)] == driver.finished
