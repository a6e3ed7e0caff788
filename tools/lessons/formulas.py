"""Pages with formulas, without scripts and without a network: LaTeX becomes MathML, which browsers
display and print by themselves."""

import html

from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

# Fonts with large roots and brackets. On paper, a line of 88 characters and a table of nine columns
# fit, and a heading stays with its text.
STYLE = """<style>math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math",
 "DejaVu Math TeX Gyre", math; }
details.collapsed-code > summary { color: gray; font-size: 80%; margin-left: 6em; }
@media print {
 .jp-Notebook pre { font-size: 76% !important; white-space: pre-wrap !important; }
 .jp-OutputArea table { font-size: 74% !important; }
 h1, h2, h3 { break-after: avoid; }
}</style>"""
# Without these blocks, the page would fetch MathJax, RequireJS and Mermaid, which it does not need.
# Code that is collapsed in JupyterLab is collapsed here, too.
WITHOUT_SCRIPTS = """{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js_requirejs -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block html_head_css -%}""" + STYLE + """{%- endblock -%}
{%- block input_group -%}
{%- if cell.metadata.get("jupyter", {}).get("source_hidden") -%}
<details class="collapsed-code"><summary>code</summary>{{ super() }}</details>
{%- else -%}{{ super() }}{%- endif -%}
{%- endblock -%}"""


def mathml(formula, display):
    """A formula as MathML; one with a mistake stays as typed."""
    try:
        return convert(formula.strip(), display=display)
    except Exception:  # latex2mathml 3.81 raises some twenty types
        mark = "$$" if display == "block" else "$"
        return f"<code>{html.escape(mark + formula + mark)}</code>"


class Renderer(IPythonRenderer):
    def block_html(self, html):
        """nbconvert would close each block's tags, and a <details> would end before its text."""
        return super().block_html(html) if "<img" in html else html + "\n"

    def block_math(self, body):
        return mathml(body, "block")

    def inline_math(self, body):
        return mathml(body, "inline")

    def latex_environment(self, name, body):
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")


class Page(HTMLExporter):
    """nbconvert's page, with formulas in it."""
    def default_filters(self):
        yield from super().default_filters()
        yield "markdown2html", self.with_formulas

    def with_formulas(self, source):
        renderer = Renderer(escape=False,
                            embed_images=self.embed_images,
                            anchor_link_text=self.anchor_link_text,
                            exclude_anchor_links=self.exclude_anchor_links)
        return MarkdownWithMath(renderer=renderer).render(source)
