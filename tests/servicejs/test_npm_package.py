"""The npm package: whole, harmless to import, with types that say what there is and nothing else."""

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from service_client import __version__
from servicejs.bundle import contents, npm_package, scripts
from servicejs.method_options import METHOD_OPTIONS
from servicejs.options import OPTIONS, Options
from tests.real_apps.running import ROOT

TYPES = Path(__file__).parent / "types"
COMPILER = contents.NODE_MODULES / ".bin" / "tsc"
NAME = json.loads((npm_package.SOURCES / "package.json").read_text())["name"]
STRICT = {"strict": True, "noEmit": True, "target": "es2022", "module": "esnext", "moduleResolution": "bundler"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not COMPILER.exists(), reason="It needs Node and npm's packages: ./dev setup."
    ),
]


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An application's folder in which the package is installed from its archive, as npm does it."""
    folder = tmp_path_factory.mktemp("application")
    (folder / npm_package.ARCHIVE).write_bytes(npm_package.npm_archive())
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    options = ["--offline", "--no-audit", "--no-fund", "--loglevel=error", "--cache", folder / "cache"]
    subprocess.run(["npm", "install", *options, f"./{npm_package.ARCHIVE}"], cwd=folder, check=True)
    return folder


def in_node(application: Path, script: str) -> Any:
    """Run a module in the application's folder; what it prints, as JSON."""
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=application, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def compiled(folder: Path, *files: str) -> str:
    """Check files by the compiler in its strictest mode; what it has to say."""
    settings = {"compilerOptions": {**STRICT, "types": [], "lib": ["es2022", "dom"]}, "files": files}
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    done = subprocess.run([COMPILER, "--project", folder], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def declared(interface: str) -> set[str]:
    """The names that the types declare in an interface or class, without constructors."""
    text = (scripts.SCRIPTS / "servicejs.d.ts").read_text()
    found = re.search(rf"export (?:interface|declare class) {interface}\b.*?\{{\n(.*?)\n\}}", text, re.DOTALL)
    names = re.findall(r"^  (?:static )?(?:readonly )?\"?([\w-]+)\"?\??[:<(]", found[1], re.MULTILINE)
    return set(names) - {"constructor"}


def test_the_package_says_what_it_is(application: Path) -> None:
    """It carries the project's version, and every file that it names is there."""
    folder = application / "node_modules" / NAME
    about = json.loads((folder / "package.json").read_text())

    assert __version__ == about["version"]
    exported = {file for paths in about["exports"].values() if isinstance(paths, dict) for file in paths.values()}
    named = {about["main"], about["module"], about["types"], *exported, *about["files"]}
    for name in named:
        assert (folder / name).is_file()
    with tarfile.open(application / npm_package.ARCHIVE) as archive:
        assert {"package"} == {name.partition("/")[0] for name in archive.getnames()}  # the folder that npm unpacks


def test_a_server_may_import_it(application: Path) -> None:
    """On a server importing does nothing, and what can't work there says so instead of throwing at once."""
    found = in_node(
        application,
        f"""
        import ByDefault, {{ MarketplaceRenderModes, ServiceError, ServiceJS }} from {NAME!r};
        const sdk = new ServiceJS({{ baseUrl: "https://functions.example.com", appKey: "k", userId: "u", hash: "0" }});
        const told = [];
        await sdk.eventEmitter.on("error", (error) => told.push(error.code));
        const refused = await sdk.getApps().catch((error) => error);
        await sdk.destroy();
        const gone = await sdk.getApps().catch((error) => error);
        console.log(JSON.stringify({{
          same: ByDefault === ServiceJS,
          modes: [MarketplaceRenderModes, ServiceJS.MarketplaceRenderModes],
          refused: [refused.code, refused instanceof ServiceError, refused instanceof ServiceJS.ServiceError],
          told: [...new Set(told)],
          gone: gone.code,
          global: "ServiceJS" in globalThis,
        }}));
        """,
    )

    assert found == {
        "same": True,
        "modes": [{"MODAL": "modal", "INLINE": "inline"}] * 2,
        "refused": ["unsupported", True, True],
        "told": ["unsupported"],
        "gone": "destroyed",
        "global": False,
    }


def test_the_address_of_the_service_is_required(application: Path) -> None:
    """Without a whole address the constructor says what is missing."""
    given = ["{ appKey: 'k' }", "{ baseUrl: '/relative' }", "{ baseUrl: 'app:x' }", "'k', '0', 'u'", "null", ""]
    found = in_node(
        application,
        f"""
        import {{ ServiceJS }} from {NAME!r};
        const told = [];
        for (const make of [{", ".join(f"() => new ServiceJS({each})" for each in given)}])
          try {{ make(); }}
          catch ({{ name, code, message }}) {{ told.push([name, code, message.includes("baseUrl")]); }}
        console.log(JSON.stringify(told));
        """,
    )

    assert [["ServiceError", "invalid_argument", True]] * len(given) == found


def test_the_types_say_what_there_is(application: Path) -> None:
    """Every method is declared and every declared one is there; so are the exports."""
    found = in_node(
        application,
        f"""
        import * as exported from {NAME!r};
        const sdk = new exported.ServiceJS({{ baseUrl: "https://functions.example.com" }});
        console.log(JSON.stringify({{
          methods: Object.getOwnPropertyNames(exported.ServiceJS.prototype),
          statics: Object.getOwnPropertyNames(exported.ServiceJS),
          values: Object.keys(sdk),
          events: Object.keys(sdk.eventEmitter),
          error: Object.keys(new exported.ServiceError({{}})).filter((name) => name !== "name"),
          exported: Object.keys(exported),
        }}));
        """,
    )

    assert declared("ServiceJS") == {*found["methods"], *found["statics"], *found["values"]} - {
        "constructor",
        "prototype",
        "length",
        "name",
    }
    assert declared("EventEmitter") == set(found["events"])
    assert declared("ServiceError") == set(found["error"])
    assert {"MarketplaceRenderModes", "ServiceError", "ServiceJS", "default"} == set(found["exported"])


def test_the_types_name_every_option() -> None:
    """The options that Python reads or the shell does are the declared ones."""
    camel = {re.sub(r"_(\w)", lambda found: found[1].upper(), name) for name in Options.__annotations__}
    of_the_shell = {"theme", "locale"}
    by_the_shell_for_python = {"asksToken", "isAccepted", "location", "redeemed"}

    assert declared("Options") == camel - by_the_shell_for_python | of_the_shell == set(OPTIONS)


def test_the_types_name_the_options_of_methods() -> None:
    """What a method takes by name is what is declared; the overloads of `predict` are put together."""
    text = (scripts.SCRIPTS / "servicejs.d.ts").read_text().partition("declare class ServiceJS {")[2]
    methods = re.findall(r"^  ((?!constructor)\w+)\(\s*(.*?)\): Promise<", text, re.MULTILINE | re.DOTALL)
    found: dict[str, set[str]] = {}
    for name, parameters in methods:
        if given := re.search(r"options\??: \{(.*)\}", parameters, re.DOTALL):
            inner = re.sub(r"Pick<.*?>|Record<.*?>", "", given[1])
            found.setdefault(name, set()).update(re.findall(r"(\w+)\??:", inner))

    assert {name: set(options) for name, options in METHOD_OPTIONS.items()} == found


def test_applications_compile_against_the_types(application: Path) -> None:
    """Typed usage of everything compiles in strict mode, and what is wrong does not."""
    shutil.copy(TYPES / "package_usage.ts", application)

    assert compiled(application, "package_usage.ts") == ""


def test_pages_with_the_script_tag_compile_against_the_types(tmp_path: Path) -> None:
    """The files that the service serves beside its script are enough for a typed page."""
    for file in [*scripts.SCRIPTS.glob("servicejs*.d.ts"), TYPES / "script_tag_usage.ts"]:
        shutil.copy(file, tmp_path)

    assert compiled(tmp_path, "script_tag_usage.ts", "servicejs.global.d.ts") == ""


@pytest.fixture(scope="module")
def framework_application(application: Path) -> Path:
    """The application's folder, with the frameworks too."""
    for name in ("react", "react-dom", "scheduler", "@types", "csstype", "vue", "@vue"):
        link = application / "node_modules" / name
        if not link.exists():
            link.symlink_to(contents.NODE_MODULES / name)
    return application


@pytest.mark.parametrize("framework", ["react", "vue"])
def test_the_examples_compile(framework: str, framework_application: Path) -> None:
    """They are typed, against the framework's own types and the package's; so are the components."""
    example = framework_application / framework
    shutil.copytree(ROOT / "examples" / framework, example, dirs_exist_ok=True)

    done = subprocess.run([COMPILER, "--project", example], capture_output=True, text=True, check=False)

    assert done.stdout + done.stderr == ""


RENDERED = {
    "react": """
      import { createElement as h } from "react";
      import { renderToString } from "react-dom/server";
      function Page() {
        sdk = useServiceJS(options);
        useServiceJSEvent(sdk, "ready", () => {});
        return [h(Marketplace, { sdk, key: 1 }), h(FunctionForm, { sdk, functionName: "a-b", key: 2 })];
      }
      const html = renderToString(h(Page));
    """,
    "vue": """
      import { createSSRApp, h } from "vue";
      import { renderToString } from "vue/server-renderer";
      function setup() {
        const made = useServiceJS(options);
        useServiceJSEvent(made, "ready", () => {});
        sdk = made.value;
        return () => [h(Marketplace, { sdk }), h(FunctionForm, { sdk, functionName: "a-b" })];
      }
      const html = await renderToString(createSSRApp({ setup }));
    """,
}


@pytest.mark.parametrize("framework", ["react", "vue"])
def test_components_are_rendered_on_a_server(framework: str, framework_application: Path) -> None:
    """They are places for later, and nothing is started or asked for: a server has neither window nor document."""
    found = in_node(
        framework_application,
        f"""
        import {{ FunctionForm, Marketplace, useServiceJS, useServiceJSEvent }} from {f"{NAME}/{framework}"!r};
        const options = {{ baseUrl: "https://functions.example.com", appKey: "k", userId: "u", hash: "0" }};
        globalThis.fetch = () => {{ throw new Error("Something was asked for."); }};
        let sdk;
        {RENDERED[framework]}
        console.log(JSON.stringify({{ html, sdk }}));
        """,
    )

    assert found["sdk"] is None
    assert re.fullmatch(r'(<!--.*?-->)*<div id="[^"]+"></div>(<!--.*?-->)*', found["html"])


def test_hooks_know_when_options_changed(application: Path) -> None:
    """Options made again by each rendering are the same while all of them are; a function for tokens is the latest."""
    found = in_node(
        application,
        f"""
        import {{ optionsAs, optionsKey }} from "./node_modules/{NAME}/options.js";
        let options = {{ appKey: "k", userId: "u", token: () => "first" }};
        const taken = optionsAs(() => options);
        options = {{ userId: "u", token: () => "second", appKey: "k", theme: undefined }};
        const same = optionsKey(options) === optionsKey({{ appKey: "k", userId: "u", token: () => "first" }});
        const changed = ["theme", "locale", "redirectUrl", "hash", "anything"]
          .map((name) => optionsKey({{ ...options, [name]: "x" }}));
        const keys = new Set([...changed, optionsKey(options), optionsKey(null)]);
        console.log(JSON.stringify([same, keys.size, optionsKey(null), taken.token(), taken.appKey]));
        """,
    )

    assert [True, 7, None, "second", "k"] == found
