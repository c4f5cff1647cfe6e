"""Fields of a form that the page draws itself, in a real browser."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.comboboxes import choose
from tests.docs.code_blocks import code_block

from .conftest import HeldBack, OpenPage, Troubles, let_python_come
from .product import Demo, connect

RENDERERS = """
window.seen = [];
window.textField = (field) => {
  const node = document.createElement("input");
  node.setAttribute("aria-label", `Own ${field.title}`);
  node.oninput = () => field.set(node.value || null);
  const update = (now) => {
    seen.push([now.name, now.value, now.error]);
    if (node.value !== (now.value ?? "")) node.value = now.value ?? "";
  };
  update(field);
  return { node, update, destroy: () => seen.push([field.name, "destroyed"]) };
};
window.projectField = async (field) => {
  const { choices } = await field.choices({ search: "off" });
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = `Take ${choices[0].label}`;
  node.onclick = () => field.set(choices[0].value);
  return node;
};
window.show = (renderers) => {
  window.sdk = new ServiceJS({ ...options, locale: "en", theme: "dark" });
  window.failed = [];
  sdk.eventEmitter.on("field-failed", (told) => failed.push([told.function, told.field, told.error.code]));
  window.outcome = sdk.showFunctionUI("sandbox-create-ticket", {}, undefined, { renderers });
};
"""


@pytest.fixture(autouse=True)
def connected(profile: BrowserContext, demo: Demo) -> None:
    """The demo's user has an account of the sandbox app; `profile` took away the former one."""
    connect(demo)


def open_with(open_page: OpenPage, renderers: str) -> Page:
    """Open a page that shows the form with these renderers."""
    page = open_page()
    page.evaluate(f"() => {{ {RENDERERS}; show({renderers}); outcome.catch(() => {{}}); }}")
    return page


def test_the_page_draws_a_field_before_python_and_with_it(
    open_page: OpenPage, python: HeldBack, troubles: Troubles
) -> None:
    """What is typed there is kept, checked, said to be wrong below it, and sent; the choices are the app's."""
    troubles.expect("does not conform")  # what our own date field says of "soon", out of sight
    page = open_with(open_page, "{ title: textField, due_date: textField, project_id: projectField }")
    form = page.get_by_role("dialog")
    title, due = page.get_by_label("Own Title"), page.get_by_label("Own Due date")
    expect(title).to_be_visible()
    form.get_by_text("Title (required)", exact=True).click()
    expect(title).to_be_focused()
    page.keyboard.type("Typed early")

    let_python_come(page, python)

    page.keyboard.type(" and late")
    expect(title).to_have_value("Typed early and late")
    due.fill("soon")
    due.press("Tab")
    expect(form.locator(".field-problem")).to_contain_text("Enter a date as year-month-day")
    expect(due).to_have_value("soon")
    page.get_by_role("button", name="Take Office").click()
    expect(form.get_by_text("There are no fields to fill in.")).to_be_visible()
    page.wait_for_function("sessionStorage.length && Object.values({ ...sessionStorage })[0].includes('soon')")
    form.get_by_role("button", name="Create a ticket").click()
    expect(due).to_be_focused()
    due.fill("2026-12-01")
    due.press("Tab")
    expect(form.locator(".field-problem")).to_have_count(0)
    form.get_by_role("button", name="Create a ticket").click()

    filled = {"title": "Typed early and late", "project_id": "office", "due_date": "2026-12-01"}
    assert filled == page.evaluate("outcome")
    seen = page.evaluate("seen")
    assert any(name == "due_date" and value == "soon" and "date" in error for name, value, error in seen if error)
    assert [["title", "destroyed"], ["due_date", "destroyed"]] == seen[-2:]
    assert [] == page.evaluate("failed")
    expect(page.locator("[data-servicejs]")).to_have_count(0)


def test_what_was_entered_survives_a_reload(open_page: OpenPage, demo: Demo) -> None:
    """A draft has what was typed, and what the page's fields told, until the form is cancelled."""
    page = open_with(open_page, "{ title: textField }")
    form = page.get_by_role("dialog")
    choose(form, "Project (required)", "Office")
    page.get_by_label("Own Title").fill("Kept")
    page.wait_for_function("Object.values({ ...sessionStorage }).some((draft) => draft.includes('Kept'))")
    page.reload()
    page.evaluate("values => { window.options = values }", demo.credentials())
    page.evaluate(f"() => {{ {RENDERERS}; show({{ title: textField }}); outcome.catch(() => {{}}); }}")

    expect(page.get_by_label("Own Title")).to_have_value("Kept")
    expect(form.get_by_role("combobox", name="Project (required)")).to_have_value("Office")
    expect(form.get_by_role("status").filter(has_text="What you filled in before")).to_be_visible()
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_have_count(0)
    assert 0 == page.evaluate("sessionStorage.length")


def test_a_renderer_that_fails_gives_way_to_the_forms_own_field(open_page: OpenPage, troubles: Troubles) -> None:
    """Throwing, answering nothing of use or never, failing later: each leaves our field with what was entered."""
    troubles.expect("No title", "No priority", "A renderer has to return", "has not answered")
    failing = """{
      title: () => { throw new Error("No title"); },
      due_date: () => new Promise(() => {}),
      description: () => "no node",
      priority: (field) => {
        const node = Object.assign(document.createElement("button"), { type: "button", textContent: "Own priority" });
        node.onclick = () => field.set("high");
        return { node, update: () => { throw new Error("No priority"); } };
      },
    }"""
    page = open_with(open_page, failing)
    form = page.get_by_role("dialog")
    page.get_by_role("button", name="Own priority").click()
    expect(form.get_by_label("Priority")).to_have_value("high")
    expect(form.get_by_label("Due date")).to_be_visible()
    form.get_by_label("Title (required)").fill("All the same")
    form.get_by_label("Description").fill("Ours")
    choose(form, "Project (required)", "Office")
    page.wait_for_function("failed.length === 4")
    form.get_by_role("button", name="Create a ticket").click()

    filled = {"title": "All the same", "project_id": "office", "description": "Ours", "priority": "high"}
    assert filled == page.evaluate("outcome")
    failed = page.evaluate("failed")
    assert {"title", "due_date", "description", "priority"} == {field for _, field, _ in failed}
    assert {("sandbox-create-ticket", "renderer_failed")} == {(of, code) for of, _, code in failed}


def test_the_documented_renderer(open_page: OpenPage) -> None:
    """The code of the page on embedding draws the field and fills it in."""
    code = code_block("docs/embedding.md", "js", "priorityButtons").text
    page = open_page()
    page.evaluate(f"""() => {{
      const sdk = new ServiceJS(options);
      window.outcome = (async () => {{ {code} return filled; }})();
    }}""")
    form = page.get_by_role("dialog")
    high = page.get_by_role("group", name="Priority").get_by_role("button", name="high")
    high.click()
    expect(high).to_have_attribute("aria-pressed", "true")
    form.get_by_label("Title (required)").fill("Documented")
    choose(form, "Project (required)", "Office")
    form.get_by_role("button", name="Create a ticket").click()

    assert {"title": "Documented", "project_id": "office", "priority": "high"} == page.evaluate("outcome")
