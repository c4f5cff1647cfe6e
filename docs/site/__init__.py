"""What this project adds to Sphinx: parts of pages that are made of the code, so that they can't fall behind it."""

import builtins
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from docs.site.rest import rest_reference
from docs.site.settings import settings_reference

_PARTS: dict[str, Callable[[], str]] = {"rest": cache(rest_reference), "settings": cache(settings_reference)}
_PLACE = re.compile(r"^<!-- made of the code: (\w+) -->$", re.MULTILINE)
# What pages link to for whoever reads them in the repository, and the page of the site that shows it.
_SHOWN_AS = {
    "../SECURITY.md": "security.md",
    "../benchmarks/README.md": "benchmarks.md",
    "../deploy/README.md": "files-for-operators.md",
    "../deploy/kubernetes": "files-for-operators.md",
    "../examples/README.md": "examples.md",
    "../examples/agents": "examples.md",
    "../examples/backends": "examples.md",
    "../examples/browser": "examples.md",
    "../examples/react": "examples.md",
    "../examples/vue": "examples.md",
    "../service_server/connectors/README.md": "apps.md",
    "../service_server/predict/weights/README.md": "model.md",
}
_LINK = re.compile(r"(?<=\]\()(" + "|".join(map(re.escape, _SHOWN_AS)) + r")(?=[#)])")


def setup(app: Sphinx) -> dict[str, Any]:
    """Have the parts put into the pages that name them, links lead to pages, and docstrings read as they are meant."""
    app.connect("source-read", _put_in)
    app.connect("include-read", lambda _, __, ___, content: _lead_to_pages(content))
    app.connect("autodoc-process-docstring", _mark_code)
    app.connect("doctree-read", _leave_built_in_types)
    app.connect("doctree-read", _mark_references)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _put_in(_: Sphinx, __: str, source: list[str]) -> None:
    source[0] = _PLACE.sub(lambda found: _PARTS[found[1]](), source[0])
    _lead_to_pages(source)


def _lead_to_pages(source: list[str]) -> None:
    source[0] = _LINK.sub(lambda found: _SHOWN_AS[found[1]], source[0])


def _mark_code(_: Sphinx, __: str, ___: str, ____: Any, _____: Any, lines: list[str]) -> None:
    """Have text that stands further in, as our docstrings show code, shown as it is."""
    marked: list[str] = []
    inside = False
    for at, line in enumerate(lines):
        further_in = line.startswith("    ")
        if further_in and not inside and (at == 0 or not lines[at - 1].strip()):
            marked += ["::", ""]
        inside = further_in or (inside and not line.strip())
        marked.append(line)
    lines[:] = marked


def _leave_built_in_types(_: Sphinx, tree: nodes.document) -> None:
    """Take the links off Python's own types: `list` is none of the resources' methods of that name."""
    for reference in list(tree.findall(pending_xref)):
        if reference.get("refdomain") == "py" and hasattr(builtins, reference["reftarget"]):
            reference.replace_self(reference.children)


def _mark_references(_: Sphinx, tree: nodes.document) -> None:
    """Tell the style sheet which tables say something of a name each; on a phone they are set as lists."""
    for table in tree.findall(nodes.table):
        (rows,) = table.findall(nodes.tbody)
        names = [row.children[0] for row in rows.children if isinstance(row, nodes.row)]
        if all(any(name.findall(nodes.literal)) for name in names) and not any(rows.findall(_is_figure)):
            table["classes"].append("of-names")


def _is_figure(node: nodes.Node) -> bool:
    return isinstance(node, nodes.entry) and "text-right" in node["classes"]
