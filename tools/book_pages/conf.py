"""Sphinx's settings for the book."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

project = "Lanes"
copyright = "the authors of Lanes, BSD 3-Clause"
html_title = "Lanes"
language = "en"
extensions = ["myst_nb", "sphinx_copybutton", "book_pages.formulas", "book_pages.terms",
              "book_pages.pictures"]
exclude_patterns = [".doctrees"]

nb_execution_mode = "off"
nb_output_stderr = "show"
nb_render_error_lexer = "none"
nb_render_markdown_format = "myst"
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_copy_source = False
smartquotes = False  # a search for it's finds it's
html_show_sphinx = False
# A summary of a search result would be fetched, which browsers forbid for files on the disk.
html_show_search_summary = False
html_math_renderer = "mathml"
pygments_dark_style = "monokai"
copybutton_selector = ".cell_input div.highlight pre, div.highlight-default pre, div.highlight-cpp pre"
# Code of the course has magics, which no lexer knows; sections may begin at any level.
suppress_warnings = ["misc.highlighting_failure", "myst.header", "mystnb.unknown_mime_type"]
