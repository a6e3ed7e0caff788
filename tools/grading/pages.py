"""The page that a student gets back: points, messages, the student's own tables and plots, and the
teacher's comments. Nothing in it can act: text is escaped, HTML of the student is reduced to what
formats text (nh3), the browser is told to run no scripts and to fetch nothing."""

import base64
import html
import re

import nh3
from nbgrader import utils

from lessons.formulas import Renderer
from lessons.pictures import PNG, add_pictures
from lessons.report import with_attachments
from nbconvert.filters.markdown_mistune import MarkdownWithMath

CSP = ("default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
       "form-action 'none'; base-uri 'none'; frame-ancestors 'none'")
STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; max-width: 56rem; margin: 1.5rem auto;
 padding: 0 1rem; color: #1c1c1c; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; } h3 { font-size: 1.05rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.4 ui-monospace, monospace;
 background: #f5f5f5; padding: .5rem .7rem; border-radius: 4px; margin: .3rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
td, th { padding: .15rem .8rem; text-align: left; border-bottom: 1px solid #ddd; }
img { max-width: 100%; }
.number { color: #666; font-size: .8rem; }
.passed { border-left: 5px solid #009E73; padding-left: .7rem; }
.failed { border-left: 5px solid #D55E00; padding-left: .7rem; }
.failed pre { background: #fdf1e8; }
.waiting { border-left: 5px solid #E69F00; padding-left: .7rem; }
.comment { background: #eef5fb; padding: .4rem .7rem; border-radius: 4px; }
.points { font-weight: bold; }
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", math; }
"""
MATH = {
    "math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub",
    "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose", "mfenced", "mmultiscripts", "mprescripts", "none"
}
TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "b", "i", "em", "strong", "s", "del",
    "ins", "sub", "sup", "small", "code", "pre", "kbd", "blockquote", "ul", "ol", "li", "dl", "dt",
    "dd", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "a", "img", "details",
    "summary"
} | MATH
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "details": {"open"},
    "math": {"display"},
    "mo": {"stretchy", "fence", "separator", "form"},
    "mtable": {"columnalign", "rowspacing"},
    "mi": {"mathvariant"},
    "mspace": {"width"},
}
MOST_FORMULAS, MOST_TEXT, MOST_OUTPUT, MOST_PICTURE = 500, 200_000, 60_000, 8_000_000
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PICTURES = {PNG: "png", "image/jpeg": "jpeg"}


def clean(text):
    """HTML in which only formatting is left. Links lead to http, https and mailto; pictures are
    inside the page."""
    def keep(tag, attribute, value):
        if tag == "img" and attribute == "src":
            return value if value.startswith("data:image/") and "svg" not in value[:30] else None
        if attribute == "href" and value.lower().lstrip().startswith("data:"):
            return None
        return value

    return nh3.clean(text,
                     tags=TAGS,
                     attributes=ATTRIBUTES,
                     attribute_filter=keep,
                     url_schemes={"http", "https", "mailto", "data"})


class Formulas(Renderer):
    """Formulas take time: after the first few hundred they stay as they were typed."""
    left = MOST_FORMULAS

    def limited(self, body, mark, make):
        self.left -= 1 + len(body) // 1000
        return make() if self.left >= 0 else f"<code>{html.escape(mark + body + mark)}</code>"

    def block_math(self, body):
        return self.limited(body, "$$", lambda: super(Formulas, self).block_math(body))

    def inline_math(self, body):
        return self.limited(body, "$", lambda: super(Formulas, self).inline_math(body))

    def latex_environment(self, name, body):
        return self.limited(body, "$$", lambda: super(Formulas, self).latex_environment(name, body))


def cut(text, most):
    return text if len(text) <= most else text[:most] + f"\n[{len(text) - most} more characters]"


def plain(text):
    """Any text as HTML."""
    text = cut("".join(text) if isinstance(text, list) else str(text), MOST_OUTPUT)
    text = ANSI.sub("", text)
    text = "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)
    return html.escape(text)


def markdown(cell, renderer):
    if renderer is None:
        return f"<pre>{plain(cell.source)}</pre>"
    text = cut(cell.source, MOST_TEXT)
    source = with_attachments({"source": text, "attachments": cell.get("attachments")})
    try:
        return clean(MarkdownWithMath(renderer=renderer).render(source))
    except Exception:  # mistune and nbconvert raise many types
        return f"<pre>{plain(cell.source)}</pre>"


def picture(kind, data):
    text = "".join(data) if isinstance(data, list) else data
    try:
        raw = base64.b64decode(re.sub(r"\s", "", text), validate=True)
    except (ValueError, TypeError):
        return ""
    if len(raw) > MOST_PICTURE:
        return "<p>[a picture that is too large]</p>"
    return f'<img alt="" src="data:{kind};base64,{base64.b64encode(raw).decode()}">'


def output(one, is_rich):
    if one.output_type == "stream":
        return f"<pre>{plain(one.text)}</pre>"
    if one.output_type == "error":
        return f"<pre>{plain(f'{one.ename}: {one.evalue}')}</pre>"
    data = one.get("data", {})
    for kind in PICTURES:
        if kind in data:
            return picture(kind, data[kind])
    if is_rich and "<table" in "".join(data.get("text/html", "")):
        return clean(cut("".join(data["text/html"]), MOST_TEXT))
    return f"<pre>{plain(data.get('text/plain', ''))}</pre>"


def points(value):
    return f"{value:g}"


class Row:
    """A graded cell: its name, points, and whether it passed, failed or waits for the teacher."""
    def __init__(self, name, score, possible, state, comment=None):
        self.name, self.score, self.possible = name, score, possible
        self.state, self.comment = state, comment

    def words(self):
        given = "not graded yet" if self.state == "waiting" else points(self.score)
        return f"{given} of {points(self.possible)} points" if self.state != "waiting" else (
            f"not graded yet, {points(self.possible)} points possible")


def section(cell, number, row, renderer):
    """The HTML of one cell; without a renderer, texts stay as they were typed."""
    parts = []
    if row:
        parts.append(f'<h3 id="{html.escape(row.name)}">{html.escape(row.name)}: '
                     f'<span class="points">{row.words()}</span></h3>')
    if cell.cell_type == "markdown":
        parts.append(markdown(cell, renderer))
    elif cell.cell_type == "code":
        parts.append(f'<div class="number">In [{number}]</div><pre>{plain(cell.source)}</pre>')
        parts += [output(one, renderer is not None) for one in cell.get("outputs", [])]
    if row and row.comment:
        parts.append(f'<p class="comment">Comment: {html.escape(row.comment)}</p>')
    return f'<section class="{row.state if row else ""}">' + "\n".join(parts) + "</section>"


def frame(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{CSP}">\n'
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>\n"
            f"<body>\n{body}\n</body></html>\n")


def page(student, lesson, notebook, rows, remarks, seed, picture_seconds=None):
    """rows: {grade_id: Row}. Cells are numbered as errors name them: code cells from 1. Plots and
    drawings get so many seconds; with None, nothing of the student's is rendered: this is for
    outside of a jail (drawing.py)."""
    total, possible = sum(row.score for row in rows.values()), sum(row.possible
                                                                   for row in rows.values())
    waiting = sum(row.state == "waiting" for row in rows.values())
    body = [
        f"<h1>{html.escape(student)}: {html.escape(lesson)}</h1>",
        f'<p class="points">{points(total)} of {points(possible)} points' +
        (f"; {waiting} cells are not graded yet" if waiting else "") + "</p>",
        "<table><tr><th>exercise</th><th>points</th></tr>"
    ]
    body += [
        f'<tr><td><a href="#{html.escape(row.name)}">{html.escape(row.name)}</a></td>'
        f'<td class="{row.state}">{row.words()}</td></tr>' for row in rows.values()
    ]
    body.append(f"</table><p>Answers were called with random arguments, seed {seed}.</p>")
    if remarks:
        body.append("<h2>About what you handed in</h2><ul>" +
                    "".join(f"<li>{plain(remark)}</li>" for remark in remarks) + "</ul>")
    renderer, number = None, 0
    if picture_seconds is not None:
        renderer = Formulas(escape=False, embed_images=False, exclude_anchor_links=True)
        add_pictures(notebook, picture_seconds)
    for cell in notebook.cells:
        number += cell.cell_type == "code"
        grade = cell.metadata.get("nbgrader", {})
        row = rows.get(grade.get("grade_id")) if utils.is_grade(cell) else None
        body.append(section(cell, number, row, renderer))
    return frame(f"{student}: {lesson}", "\n".join(body))
