"""What a student packs: the filled notebooks and a report; missing parts are named."""

import copy
import re
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import form, hand_in, homeworks, pictures, report  # noqa: E402


def filled(name):
    """A student's finished notebook: here with the solution's answers and outputs."""
    book, solution = form.read(CHECKOUT / f"notebooks/{name}.ipynb"), {
        cell.id: cell
        for cell in form.read(form.SOLUTIONS / f"{name}.ipynb").cells
    }
    for cell in book.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = solution[cell.id].source
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = copy.deepcopy(
                solution[cell.id].outputs), solution[cell.id].execution_count
            for output in cell.outputs:  # a session sends no PNG of a plot
                if pictures.VEGA_LITE in output.get("data", {}):
                    output.data.pop(pictures.PNG, None)
    return book


@pytest.mark.parametrize("homework", homeworks.HOMEWORKS)
def test_filled_notebooks_and_their_report_are_packed(tmp_path, homework):
    """The report of assignment 2 fits on seven pages with the answers of the solutions."""
    names = list(homeworks.lessons_of(homework).values())
    for name in names:
        nbformat.write(filled(name), tmp_path / f"{name}.ipynb")
    lines, packed = hand_in.pack(homework, tmp_path, tmp_path)
    notebooks = "1 notebook" if len(names) == 1 else f"{len(names)} notebooks"
    assert packed and len(lines) == 1 and lines[0].startswith(
        f"{homework}.zip: {notebooks} and a report of "), lines
    with zipfile.ZipFile(tmp_path / f"{homework}.zip") as archive:
        assert sorted(archive.namelist()) == sorted([f"{name}.ipynb" for name in names] +
                                                    [f"{homework}.pdf"])
        printed = archive.read(f"{homework}.pdf")
    assert printed.startswith(b"%PDF") and f"report of {report.pages(printed)} pages" in lines[
        0] and report.pages(printed) > 1
    assert printed.count(b"/Subtype /Image") >= (5 if len(names) > 1 else 2)


def test_pictures_are_small_only_if_the_pages_are_limited(monkeypatch):
    large = report.SIZES[0]

    def print_to_pdf(page, title):
        return b"/Type /Page " * (9 if f"max-height: {large['HEIGHT']}" in page else 7)

    monkeypatch.setattr(report, "print_to_pdf", print_to_pdf)
    nothing = nbformat.v4.new_notebook()
    assert report.pages(report.pdf(nothing, "hw1")) == 9
    assert report.pages(report.pdf(nothing, "hw2", most=9)) == 9
    assert report.pages(report.pdf(nothing, "hw2", most=7)) == 7


def test_what_is_missing_is_named(tmp_path):
    book = filled("02_elementwise_max")
    handed_out = {
        cell.id: cell
        for cell in form.read(CHECKOUT / "notebooks/02_elementwise_max.ipynb").cells
    }
    for cell in book.cells:
        if cell.id in ("max-kernel", "max-gpu", "max-report-2"):
            cell.source = handed_out[cell.id].source
        if cell.id == "max-gpu-check":
            cell.outputs = [
                nbformat.v4.new_output("error",
                                       ename="lanes::CheckFailed",
                                       evalue="max_gpu: Fill in",
                                       traceback=[])
            ]
        if cell.id in ("max-fast-check", "max-parts"):
            cell.outputs, cell.execution_count = [], None
    book.cells = [cell for cell in book.cells if cell.id != "max-fast"]
    nbformat.write(book, tmp_path / "02_elementwise_max.ipynb")
    lines, packed = hand_in.pack("hw1", tmp_path, tmp_path)
    assert packed
    assert lines[:-1] == [
        f"  missing: the notebook {name}"
        for name in ("00_start", "01_mlp", "01a_training", "03_matmul_transpose")
    ] + [
        f"  missing in 02_elementwise_max: {what}"
        for what in ("the cell 'max_fast' is gone", "the check 'max_fast_check' was not run (or not saved)",
                     "Fill in max_kernel: two lines.", "Fill in max_gpu: six lines.",
                     "the check 'max_gpu_check' has not passed",
                     "the report cell 'max_report_2' is empty",
                     "1 given cell was not run (or not saved), its tables and plots are not in the "
                     "report")
    ]


def test_a_report_that_is_too_long_is_counted_and_not_packed(tmp_path, monkeypatch):
    book = filled("02_elementwise_max")
    next(cell for cell in book.cells
         if cell.id == "max-report-1").source = "\n\n".join(f"Paragraph {i}. " + 40 * "And so on. "
                                                            for i in range(120))
    nbformat.write(book, tmp_path / "02_elementwise_max.ipynb")
    monkeypatch.setitem(homeworks.MOST_PAGES, "hw1", 7)
    lines, packed = hand_in.pack("hw1", tmp_path, tmp_path)
    assert not packed and "pages, 7 are allowed" in lines[-1] and not (tmp_path /
                                                                       "hw1.zip").exists()


def test_a_homework_that_is_not_there_yet_is_told(tmp_path):
    lines, packed = hand_in.pack("hw2", tmp_path, tmp_path)
    assert packed is None and lines == [
        f"hw2: nothing to pack, none of the notebooks 04a, 04b, 05, 06, 07 is in {tmp_path}"
    ]
    assert homeworks.MOST_PAGES == {"hw2": 7}


def test_a_pasted_picture_and_one_that_was_lost_are_packed(tmp_path):
    book = filled("02_elementwise_max")
    cell = next(cell for cell in book.cells if cell.id == "max-report-1")
    cell.source = "![x](attachment:a.png) ![y](attachment:b.png)"
    cell.attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
    assert report.with_attachments(cell) == (
        "![x](data:image/png;base64,iVBORw0KGgo=) ![y](missing-attachment:b.png)")
    assert "missing-attachment:b.png" in report.html(report.report({"02": book}), "hw1")


def test_the_words_of_the_grader_are_said_before(tmp_path):
    book = filled("02_elementwise_max")
    next(cell for cell in book.cells if cell.id == "max-plain").source += "\n#define check(x) name()"
    assert hand_in.advice_on("02_elementwise_max", book) == [
        "A note on the cell max_plain, which costs no points: it redefines 'check' by #define, a "
        "name that the teacher's cells use. Choose another name."]
    assert hand_in.advice_on("02_elementwise_max", filled("02_elementwise_max")) == []


def table(words):
    return nbformat.v4.new_output("display_data", {"text/plain": words,
                                                   "text/html": f"<table><td>{words}</td></table>"})


def shown(*outputs):
    cell = nbformat.v4.new_code_cell("", outputs=[table(words) for words in outputs])
    return [output.data["text/html"] for output in report.shown(cell)]


def test_recorded_tables_are_in_the_report_only_if_there_is_no_gpu():
    recorded, without, measured = "Recorded on an NVIDIA H200", "kernel  no GPU here", "kernel  2 ms"
    assert shown(without, recorded) == [table(words).data["text/html"] for words in (without, recorded)]
    assert shown(measured, recorded) == [table(measured).data["text/html"]]
    assert shown(without, "drawing: a tile") == [table(without).data["text/html"]]
    assert shown("          predicted    measured\n-----\nspeed-up  2 x  3 x") == []
    book = filled("02_elementwise_max")
    assert "Recorded on an NVIDIA H200" in report.html(report.report({"02": book}), "hw1")


def test_the_report_bears_the_name_of_the_student(tmp_path, monkeypatch, capsys):
    given = []

    def pdf(notebook, title, most=None):
        given.append(notebook.cells[0].source)
        return b"/Type /Page "

    monkeypatch.setattr(hand_in, "pdf", pdf)
    nbformat.write(filled("02_elementwise_max"), tmp_path / "02_elementwise_max.ipynb")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["hand-in", "hw1", "--from", str(tmp_path), "--to",
                                          str(tmp_path), *arguments])
        assert hand_in.main() == 0
        return capsys.readouterr().out

    assert "no name on them" in run()
    assert "no name on them" not in run("--name", "Ada *King* Lovelace")
    run()  # the name is remembered
    assert given == ["# 02 Element-wise maximum", *2 * [r"**hw1**: Ada \*King\* Lovelace"]]


def pages_of_links(printed):
    """{address: number of its page}. Chromium writes pages and links as plain text."""
    objects = dict(re.findall(rb"(?ms)^(\d+) 0 obj\n(.*?)^endobj", printed))
    ordered = [text for _, text in sorted(objects.items(), key=lambda item: int(item[0]))
               if re.search(rb"/Type\s*/Page\b", text)]
    found = {}
    for number, text in enumerate(ordered):
        for one in re.findall(rb"(\d+) 0 R", re.search(rb"/Annots \[([^\]]*)\]", text)[1]
                              if b"/Annots" in text else b""):
            address = re.search(rb"/URI \(([^)]*)\)", objects[one])
            found.setdefault(address[1].decode(), number)
    return found


def test_a_question_stands_on_the_page_of_its_answer():
    role = {"nbgrader": {"grade": True, "solution": True, "locked": False, "task": False, "points": 3,
                         "grade_id": "x", "schema_version": 3}}
    cells = [nbformat.v4.new_markdown_cell("# A lesson")]
    for number in range(40):
        lines = 1 + 7 * number % 11
        cells += [nbformat.v4.new_markdown_cell(
                      f"**Question {number}.** [Why](https://question/{number})\n" + 60 * "Say it all. "),
                  nbformat.v4.new_markdown_cell(
                      f"[Because](https://answer/{number})\n" + lines * 20 * "So it is. ",
                      metadata=role)]
    notebook = report.report({"01": nbformat.v4.new_notebook(cells=cells)})
    links = pages_of_links(report.pdf(notebook, "hw1"))
    assert len(links) == 80 and max(links.values()) >= 3
    torn = [number for number in range(40)
            if links[f"https://question/{number}"] != links[f"https://answer/{number}"]]
    assert not torn
