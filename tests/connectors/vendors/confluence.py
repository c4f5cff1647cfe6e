"""Confluence Cloud's API, both of its versions, by the client confluence.js."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, behind, value
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware
from tests.connectors.descriptions.zod_tools import ZOD

# Bodies that the client leaves as objects of any keys; the types of the head are as the vendor documents them.
_DOCUMENTED = {
    ("POST", "/wiki/api/v2/blogposts"): "NewPost",
    ("POST", "/wiki/api/v2/pages"): "NewPage",
    ("PUT", "/wiki/api/v2/pages/{}"): "ChangedPage",
    ("PUT", "/wiki/api/v2/pages/{}/title"): "Title",
}
_CALLS = ConfiguredCalls(
    r"^export async function (?P<name>\w+)\(client, parameters\) \{$",
    lambda file, _, match: (
        f'parameters: NonNullable<Parameters<typeof import("./{file.removesuffix(".js")}").{match["name"]}>[1]>'
    ),
    query=value("searchParams"),
    body=behind(r"(?<=^        )body: "),
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    for call in _CALLS(sources):
        documented = _DOCUMENTED.get((call.method, call.path))
        yield call if documented is None else evolve(call, body=f"null as unknown as {documented}")


CHECK = compiled_client(
    npm("confluence.js@3.2.0"),
    base_url="https://*.atlassian.net",
    sources=(
        *(f"dist/v1/api/{module}.js" for module in ("contentLabels", "search", "users")),
        *(
            f"dist/v2/api/{module}.js"
            for module in ("blogPost", "children", "comment", "label", "page", "space", "version")
        ),
    ),
    reader=_read,
    head="""
        interface Content { representation?: "storage" | "wiki" | "atlas_doc_format"; value?: string }
        type Status = "current" | "draft";
        interface NewPost { spaceId: string; status?: Status; title?: string; body?: Content }
        interface NewPage extends NewPost { parentId?: string; subtype?: "live" }
        interface Title { status: Status; title: string }
        interface ChangedPage extends Title {
          id: string; spaceId?: string; parentId?: string; ownerId?: string; body: Content;
          version: { number?: number; message?: string };
        }
    """,
    types=("dist/*.d.ts",),
    beside=(ZOD,),
    left_out="bodies of pages and posts, which are as the vendor documents them",
)

RUN = RunningSoftware("an emulator of ours", ("tests/emulators/test_emulated_confluence.py",))
