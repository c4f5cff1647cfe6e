"""Files in a form: chosen, uploaded, taken out, or given by their address."""

import asyncio
from datetime import UTC, datetime

import pytest

from examples.gallery.form_driver import Driver
from examples.gallery.form_states import FILES, chosen
from examples.gallery.functions import function
from service_client.errors import ServiceUnreachableError
from service_client.models import File
from servicejs.forms.drafts import Draft

ONE = function({"document": {"type": "string", "format": "file"}}, required=("document",))
DESTROYING = function({"document": {"type": "string", "format": "file"}}, destructive=True)


def kept(id: str = "file_7") -> File:
    """What the service says of an uploaded file."""
    return File(id=id, name="a.pdf", size=3, media_type="application/pdf", expires_at=datetime(2026, 1, 1, tzinfo=UTC))


async def choose(driver: Driver, field: str = "document", name: str = "a.pdf", size: int = 3) -> asyncio.Future[File]:
    """Choose a file, and return what decides about its upload."""
    await driver.gesture("choose-file", field, chosen("file-1", name, size), "change")
    await asyncio.sleep(0)
    return driver.uploads[name]


async def after() -> None:
    """Let a decided upload have its effect."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_a_chosen_file_is_uploaded_and_its_id_handed_over() -> None:
    """As soon as it is chosen; the draft holds its id; what is pressed before the service has it is done then."""
    drafts: list[str | None] = []
    driver = await Driver(FILES, draft=Draft(keep=drafts.append)).started()
    await driver.do("submit")
    assert "Choose Contract." in driver.screen.render()
    (await choose(driver, "invoice", "b.pdf")).set_result(kept("file_8"))
    await after()
    shown = driver.screen.render()
    assert "b.pdf" in shown
    assert "Uploading…" not in shown
    assert "file_8" in (drafts[-1] or "")

    upload = await choose(driver, "contract")
    assert "Uploading…" in driver.screen.render()
    await driver.do("submit")
    assert "This will happen as soon as everything has loaded." in driver.screen.render()
    assert not driver.finished
    upload.set_result(kept())
    await after()
    assert {"contract": "file_7", "invoice": "file_8"} == driver.finished[0][0]


async def test_an_upload_that_fails_says_why_and_leaves_the_choice_open() -> None:
    """The field says which file did not get through and why; nothing is sent, and another one can be chosen."""
    driver = await Driver(ONE).started()
    upload = await choose(driver)
    await driver.do("submit")
    upload.set_exception(ServiceUnreachableError("The service can't be reached."))
    await after()
    shown = driver.screen.render()
    assert not driver.finished
    assert "“a.pdf” could not be uploaded." in shown
    assert 'type="file"' in shown
    (await choose(driver, name="b.pdf")).set_result(kept("file_8"))
    await after()
    await driver.do("submit")
    assert {"document": "file_8"} == driver.finished[0][0]


async def test_a_file_on_its_way_can_be_taken_out() -> None:
    """An upload that was taken out has no effect any more, and one that is there can be taken out, too."""
    driver = await Driver(FILES).started()
    upload = await choose(driver, "cover")
    await driver.do("take-out-file", "cover")
    assert upload.cancelled()
    (await choose(driver, "cover", "b.png")).set_result(kept("file_9"))
    await after()
    await driver.do("take-out-file", "cover")
    assert {} == driver.screen.form.preview()


async def test_a_file_may_be_given_by_its_address() -> None:
    """An https address takes the place of a file; one that the page has given is shown as such."""
    driver = await Driver(ONE).started()
    await driver.do("give-address", "document")
    assert 'type="url"' in driver.screen.render()
    await driver.set("document", "https://example.com/a.pdf")
    await driver.do("submit")
    assert {"document": "https://example.com/a.pdf"} == driver.finished[0][0]

    given = await Driver(ONE, {"document": "https://example.com/b.pdf"}).started()
    assert 'value="https://example.com/b.pdf"' in given.screen.render()
    await given.do("take-out-file", "document")
    assert 'type="file"' in given.screen.render()


async def test_a_file_whose_name_is_not_known_is_named_as_such() -> None:
    """Of a file that the page has given, or of a draft's, the form knows the id alone, which says nothing to people."""
    driver = await Driver(ONE, {"document": "file_abc"}).started()
    assert "An uploaded file" in driver.screen.render()
    await driver.do("submit")
    assert {"document": "file_abc"} == driver.finished[0][0]


async def test_files_of_a_list_keep_their_entries() -> None:
    """An upload finds its entry although another one before it was removed; an entry without a file isn't sent."""
    driver = await Driver(FILES).started()
    for _ in range(3):
        await driver.do("add-item", "attachments")
    upload = await choose(driver, "attachments[1]")
    await driver.do("remove-item", "attachments[0]")
    upload.set_result(kept())
    await after()
    assert {"attachments": ["file_7"]} == driver.screen.form.preview()


async def test_the_question_names_the_file() -> None:
    """Before something that can't be undone, people read the file's name, not its id."""
    driver = await Driver(DESTROYING).started()
    (await choose(driver)).set_result(kept())
    await after()
    await driver.do("submit")
    assert "a.pdf" in driver.screen.render()
    assert "file_7" not in driver.screen.render()


@pytest.mark.parametrize("said", ["", "{", "[]", "7", '{"key": "file-1"}', '{"key":"k","name":"n","size":"x"}'])
async def test_what_is_no_file_is_ignored(said: str) -> None:
    """A gesture that doesn't describe a file, as when the user closes the picker, changes nothing."""
    driver = await Driver(ONE).started()
    await driver.gesture("choose-file", "document", said, "change")
    assert {} == driver.uploads
    assert 'type="file"' in driver.screen.render()


async def test_sizes_are_told_in_usual_units() -> None:
    """The size stands beside the name."""
    driver = await Driver(ONE).started()
    sizes = {1: "1 bytes", 999: "999 bytes", 1500: "2 KB", 999_499: "999 KB", 1_234_567: "1.2 MB"}
    for size, words in sizes.items():
        await choose(driver, name=f"{size}.pdf", size=size)
        assert words in driver.screen.render()
    await driver.close()
