"""How Sphinx makes the site of these pages: `./dev docs`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from service_client import __version__  # noqa: E402  it lies in the folder above

project = "Integration Functions Service"
author = "its maintainers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "docs.site"]
exclude_patterns = ["site"]

html_theme = "furo"
html_title = f"{project} {version}"
html_show_sphinx = False
html_show_copyright = False  # the licence says whose it is
html_copy_source = False
html_static_path = ["site/static"]
html_css_files = ["site.css"]

# As in GitHub's pages, a heading is linked to by its words.
myst_heading_anchors = 4
# A code block of these is highlighted where Pygments can, and plain text where it can't (templates inside YAML).
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings name code between single backquotes, as the pages do.
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
