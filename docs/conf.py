"""What Sphinx is told. `make docs` builds the site; tools/website gathers its pages first."""

import re
from pathlib import Path

project = "Southwell"
author = "The authors of Southwell"
copyright = author
found = re.search(
    r"project\(southwell VERSION ([0-9.]+)",
    (Path(__file__).resolve().parent.parent / "CMakeLists.txt").read_text(),
)
assert found
version = release = found[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
myst_heading_anchors = 4
autodoc_typehints = "none"  # the docstrings say the types
numpydoc_show_class_members = False  # the pages list them
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = f"Southwell {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
