"""Makes the report of a homework: questions, answers, tables and plots of its notebooks on few but
readable pages, printed by Chromium."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import nbformat
from nbgrader import utils

from .export import html
from .form import ROOT
from .outputs import tags
from .pictures import PNG, add_pictures

SLOW = float(os.environ.get("LANES_SLOW", "1"))
STYLE = """<style>
@page { size: A4; margin: 11mm 12mm; }
body, .jp-Notebook { padding: 0 !important; margin: 0 !important; }
.jp-Notebook, .jp-RenderedHTMLCommon { font-size: TEXT !important; line-height: 1.22 !important; }
.jp-RenderedHTMLCommon h1 { font-size: 14pt !important; margin: 8pt 0 4pt 0 !important;
 break-after: avoid; }
.jp-RenderedHTMLCommon p { margin: 3pt 0 !important; }
.jp-Cell { padding: 1pt 0 !important; }
.jp-MarkdownCell { clear: both; }
.celltag_question { break-inside: avoid; break-after: avoid; }
p, li { orphans: 3; widows: 3; }
.jp-CodeCell { display: inline-block; vertical-align: top; max-width: WIDTH; break-inside: avoid; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { padding: 1.5pt 3pt !important; }
.jp-CodeCell:has(table) { max-width: 100%; }
.jp-OutputArea-output { overflow: visible !important; }
.jp-OutputArea-child { display: block !important; break-inside: avoid; }
.jp-CodeCell:has(table) .jp-OutputArea-child:has(img) { display: inline-block !important;
 max-width: WIDTH; vertical-align: top; }
.jp-OutputArea-output img { max-width: 100% !important; max-height: HEIGHT !important;
 width: auto !important; height: auto !important; }
.jp-RenderedHTMLCommon table { font-size: TABLE !important; margin: 2pt 0 !important; }
</style></head>"""
# The width and the height of a picture at most (two, three or four in a row), and the fonts.
SIZES = ({"WIDTH": "49%", "HEIGHT": "58mm", "TEXT": "8.6pt", "TABLE": "7.5pt"},
         {"WIDTH": "32.5%", "HEIGHT": "40mm", "TEXT": "8.6pt", "TABLE": "7.5pt"},
         {"WIDTH": "24.5%", "HEIGHT": "30mm", "TEXT": "8.3pt", "TABLE": "6.8pt"})


# The explanatory drawings of a lesson and its recorded runs are not the student's own results.
NOT_OWN = ("drawing:", "Recorded on ", "plot: Recorded on ")
NO_GPU = "no GPU here"


def is_prediction(words):
    """Whether this is the table of lanes::reveal, which no question asks for."""
    return words.lstrip().startswith("predicted ")


def shown(cell, recorded=True):
    """The outputs that are tables or pictures. A recorded table is one of them if this machine could
    not measure its values: the questions then ask for it."""
    outputs = [
        output for output in cell.get("outputs", [])
        if {PNG, "image/jpeg"} & set(output.get("data", {}))
        or "<table" in "".join(output.get("data", {}).get("text/html", ""))
    ]
    words = {id(output): "".join(output.data.get("text/plain", "")) for output in outputs}
    own = [output for output in outputs if not words[id(output)].startswith(NOT_OWN)
           and not is_prediction(words[id(output)])]
    needs_recorded = recorded and any(NO_GPU in words[id(output)] for output in own)
    kept = [
        output for output in outputs if output in own
        or needs_recorded and words[id(output)].startswith("Recorded on ")
    ]
    for output in kept:
        output.data = nbformat.from_dict({
            kind: value
            for kind, value in output.data.items()
            if kind.startswith("image/") or kind == "text/html"
        })
    return kept


def with_attachments(cell):
    """The text of a markdown cell with pasted pictures inside it. nbconvert refuses a page with
    a picture whose data was lost."""
    source = cell["source"]
    for name, bundle in (cell.get("attachments") or {}).items():
        for kind, data in bundle.items() if isinstance(bundle, dict) else ():
            if kind in (PNG, "image/jpeg", "image/gif") and isinstance(data, str):
                source = source.replace(f"attachment:{name}", f"data:{kind};base64,{data.strip()}")
    return source.replace("(attachment:", "(missing-attachment:")


def as_text(words):
    """Markdown that shows these words as they are."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&$-])", r"\\\1", " ".join(words.split()))


def is_answer(cell):
    """Whether it holds the answer to a question of the report."""
    return cell.cell_type == "markdown" and utils.is_grade(cell) and utils.is_solution(cell)


def report(notebooks, homework="", author="", recorded=True):
    """The report as a notebook, from {name: notebook} in the order of the lessons, with the
    author's name on top. Recorded tables take space: one that is limited goes without them."""
    cells = []
    if author:
        cells.append(nbformat.v4.new_markdown_cell(f"**{homework}**: {as_text(author)}"))
    for name in sorted(notebooks):
        if not any(is_answer(cell) for cell in notebooks[name].cells):
            continue  # a lesson without questions, such as 04a
        notebook = add_pictures(notebooks[name])
        title = next((line for cell in notebook.cells for line in cell.source.split("\n")
                      if cell.cell_type == "markdown" and line.startswith("# ")), f"# {name}")
        cells.append(nbformat.v4.new_markdown_cell(title))
        for before, cell in zip([None, *notebook.cells], notebook.cells):
            if is_answer(cell):
                if before is not None and before.cell_type == "markdown":
                    cells.append(nbformat.v4.new_markdown_cell(before.source,
                                                               metadata={"tags": ["question"]}))
                cells.append(nbformat.v4.new_markdown_cell(with_attachments(cell)))
            elif cell.cell_type == "code" and "play" not in tags(cell):
                if outputs := shown(cell, recorded):
                    cells.append(nbformat.v4.new_code_cell("", outputs=outputs))
    return nbformat.v4.new_notebook(cells=cells)


def browser():
    found = next((path for name in ("chromium", "chromium-browser", "google-chrome")
                  if (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit("The report is printed by Chromium, which is not installed. "
                         "As root: apt-get install chromium")
    return found


def pdf(notebook, title, most=None):
    """Pictures and fonts are large, so that they can be read in print, unless this takes more than
    `most` pages."""
    page = html(notebook,
                title,
                exclude_input=True,
                exclude_input_prompt=True,
                exclude_output_prompt=True)
    for sizes in SIZES:
        style = re.sub("|".join(sizes), lambda name: sizes[name[0]], STYLE)
        printed = print_to_pdf(page.replace("</head>", style, 1), title)
        if most is None or pages(printed) <= most:
            break
    return printed


def print_to_pdf(page, title):
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / f"{title}.html", pathlib.Path(
            folder) / f"{title}.pdf"
        source.write_text(page, encoding="utf-8")
        command = [
            browser(), "--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={folder}/profile", "--no-pdf-header-footer",
            "--run-all-compositor-stages-before-draw", "--virtual-time-budget=10000",
            f"--print-to-pdf={target}",
            source.as_uri()
        ]
        if os.geteuid() == 0 or (ROOT / ".finished").exists():
            # Chromium's sandbox runs neither as root nor in a container. The page is the student's own.
            command.insert(1, "--no-sandbox")
        done = subprocess.run(command,
                              capture_output=True,
                              text=True,
                              timeout=180 * SLOW,
                              env={
                                  **os.environ, "TMPDIR": folder
                              })
        if not target.exists():
            raise SystemExit(f"Chromium printed no report: {done.stderr.strip()[-300:]}")
        return target.read_bytes()


def pages(printed):
    """The number of pages: Chromium writes the object of a page as plain text."""
    return len(re.findall(rb"/Type\s*/Page\b", printed))
