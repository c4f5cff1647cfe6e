"""The SDK as a module: imported from the service, and from the npm package in applications of React and Vue."""

import os
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from servicejs.bundle import contents, npm_package, scripts
from servicejs.bundle.build import DIST
from tests.comboboxes import choose
from tests.real_apps.running import ROOT
from tests.servicejs.test_npm_package import declared

from .conftest import Troubles, policy_of
from .product import Demo, allow_access, connect


def open_application(profile: BrowserContext, demo: Demo, files: dict[str, str], policy: str) -> Page:
    """Open a page of the host's origin, `/application`, that may load these files beside it."""
    types = {".html": "text/html", ".js": "text/javascript"}
    for name, body in files.items():
        headers = {"Content-Type": types[Path(name).suffix], "Content-Security-Policy": policy}
        url = f"{demo.host_url}/application/{name}"
        profile.route(url, lambda route, _, body=body, headers=headers: route.fulfill(body=body, headers=headers))
    page = profile.new_page()
    page.goto(f"{demo.host_url}/application/page.html")
    return page


@pytest.fixture(scope="module", params=["react/main.tsx", "vue/main.ts"], ids=["react", "vue"])
def framework_application(request: pytest.FixtureRequest, demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example of a framework."""
    return bundled(ROOT / "examples" / request.param, tmp_path_factory.mktemp("framework"))


def bundled(script: Path, folder: Path) -> str:
    """Return an application with the npm package of the built bundle, bundled as its users do it."""
    package = folder / "node_modules" / "integration-functions-servicejs"
    package.mkdir(parents=True)
    with tarfile.open(DIST / npm_package.ARCHIVE) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            (package / Path(member.name).name).write_bytes(content.read())
    defined = ["--define:__VUE_OPTIONS_API__=false", "--define:__VUE_PROD_DEVTOOLS__=false"]
    defined += ["--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false"]
    done = subprocess.run(
        [scripts.ESBUILD, script, "--bundle", "--format=esm", "--jsx=automatic", *defined],
        env={**os.environ, "NODE_PATH": os.pathsep.join(map(str, (folder / "node_modules", contents.NODE_MODULES)))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_module_of_the_service_works_under_the_strictest_policy(profile: BrowserContext, demo: Demo) -> None:
    """Trusted Types too, though the page moves and replaces the container; answers are what the types declare."""
    script = f"""
      import ByDefault, {{ MarketplaceRenderModes, ServiceError, ServiceJS }} from
        "{demo.base_url}/servicejs/v1/servicejs.mjs";
      Object.assign(window, {{ ByDefault, MarketplaceRenderModes, ServiceError, Imported: ServiceJS }});
      window.start = (options) => (window.sdk = new ServiceJS(options));
    """
    html = '<!doctype html><html lang="en"><title>Module</title><script type="module" src="main.js"></script>'
    files = {"page.html": f'{html}<main><div id="apps"></div></main>', "main.js": script}
    policy = policy_of(demo, script_src=f"'self' {demo.base_url} 'wasm-unsafe-eval'")
    page = open_application(profile, demo, files, policy)
    page.evaluate("(options) => void start(options)", demo.credentials())

    page.evaluate("sdk.showApps([], MarketplaceRenderModes.INLINE, 'apps')")
    page.evaluate("() => { window.apps = document.querySelector('#apps'); apps.remove(); }")
    page.evaluate("() => document.querySelector('main').append(apps)")
    search = page.locator("#search")
    search.fill("nothing like it")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_have_count(0)
    page.evaluate("() => { const fresh = apps.cloneNode(false); apps.replaceWith(fresh); }")
    page.evaluate("sdk.showApps(['sandbox'], MarketplaceRenderModes.INLINE, 'apps')")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_have_count(1)
    icon = page.locator(".app-icon img")
    expect(icon).to_have_js_property("complete", True)
    assert icon.evaluate("image => image.naturalWidth") > 0

    found: dict[str, Any] = page.evaluate("""async () => ({
      same: ByDefault === Imported && Imported.ServiceError === ServiceError,
      global: "ServiceJS" in window,
      app: Object.keys((await sdk.getApps())[0]),
      signature: Object.keys(await sdk.getFunction("sandbox-create-ticket")),
    })""")
    assert (True, False) == (found["same"], found["global"])
    assert declared("App") == set(found["app"])
    assert declared("FunctionSignature") | declared("DescribedFunction") == set(found["signature"])


def test_the_components_work(
    profile: BrowserContext, demo: Demo, framework_application: str, troubles: Troubles
) -> None:
    """There is one marketplace, under StrictMode too; users connect, fill in and call; leaving takes all of it away."""
    troubles.expect("Download the React DevTools")
    data = {"base-url": demo.base_url, "app-key": demo.app_key, "user-id": demo.user_id}
    data["hash"] = demo.credentials()["hash"]
    attributes = " ".join(f'data-{name}="{value}"' for name, value in data.items())
    html = f"""<!doctype html><html lang="en"><title>Framework</title>
      <div id="root" {attributes}></div><script type="module" src="main.js"></script>"""
    policy = policy_of(
        demo,
        script_src=f"'self' {demo.base_url} 'wasm-unsafe-eval'",
        trusted_types="servicejs vue",  # Vue has a policy of its own
    )
    page = open_application(profile, demo, {"page.html": html, "main.js": framework_application}, policy)
    said = page.get_by_role("status").first
    expect(said).to_have_text("Ready")
    expect(page.locator("[data-servicejs]")).to_have_count(1)

    with profile.expect_page() as opened:
        page.get_by_role("button", name="Connect Tickets", exact=True).click()
    allow_access(opened.value)
    expect(said).to_contain_text("Connected")
    expect(page.get_by_role("listitem").first).to_contain_text("Alice")
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Title (required)").press("Escape")
    expect(said).to_have_text("Nothing was done.")
    page.get_by_role("button", name="Create ticket").click()
    form.get_by_label("Title (required)").fill("From a component")
    choose(form, "Project (required)", "Documentation")
    expect(form.get_by_text("There are no fields to fill in.")).to_be_visible()
    high = page.get_by_role("group", name="Priority").get_by_role("button", name="high")
    high.click()
    expect(high).to_have_attribute("aria-pressed", "true")
    with page.expect_request(re.compile("functions/sandbox-create-ticket")) as called:
        form.get_by_role("button", name="Create a ticket").click()
    assert '"priority":"high"' in (called.value.post_data or "").replace(" ", "")
    expect(said).to_have_text(re.compile("Answered with 20"))

    page.get_by_role("button", name="Hide integrations").click()
    expect(page.locator("[data-servicejs]")).to_have_count(0)
    page.get_by_role("button", name="Show integrations").click()
    expect(page.locator("[data-servicejs]")).to_have_count(1)
    expect(said).to_have_text("Ready")


@pytest.mark.parametrize("framework", ["react", "vue"])
def test_a_component_that_fails_gives_way_to_the_forms_own_field(
    framework: str, profile: BrowserContext, demo: Demo, troubles: Troubles, tmp_path: Path
) -> None:
    """Drawing a field or changing it, a component may throw: our field is there with what was entered."""
    troubles.expect("Download the React DevTools", "No title", "No priority", "error occurred in the <")
    connect(demo)
    script = bundled(ROOT / "tests" / "browser" / "pages" / f"failing_field_{framework}.js", tmp_path)
    html = '<!doctype html><html lang="en"><title>Host</title><div id="root"></div><script type="module" src="main.js">'
    page = open_application(profile, demo, {"page.html": f"{html}</script>", "main.js": script}, "")
    page.evaluate("options => show(options)", demo.credentials() | {"baseUrl": demo.base_url})

    form = page.get_by_role("dialog")
    page.get_by_role("button", name="Own priority").click()
    expect(form.get_by_label("Priority")).to_have_value("high")
    form.get_by_label("Title (required)").fill("All the same")
    choose(form, "Project (required)", "Office")
    expect(form.get_by_text("There are no fields to fill in.")).to_be_visible()
    form.get_by_role("button", name="Create a ticket").click()
    expect(page).to_have_title('{"title":"All the same","project_id":"office","priority":"high"}')
