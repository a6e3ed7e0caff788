"""A class of eleven, made from the course's own notebook: what each of them hands in. The notebook
ends after its fourth check, and the reports follow: enough to try the loop over a class.

    python mock_class.py SUBMISSIONS --out FOLDER ...      make grade, for this shorter lesson

LAST_CHECK=max-plain-check makes it end after another check."""

import copy
import os
import zipfile

import nbformat
from conftest import ROOT
from grading import grade, guard, restore, run

NAME = "02_elementwise_max"
LAST_CHECK = os.environ.get("LAST_CHECK", "max-gpu-check")
# One pixel, not a picture of the solution.
PLOT = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg==")
HEAD = "Ints {}(const Ints& a, const Ints& b) {{\n"
WRONG = HEAD.format(
    "max_fast"
) + ("    Ints c = a;\n    for (std::size_t i = 0; i < a.size(); ++i) "
     "c.flat(i) = std::min(a.flat(i), b.flat(i));\n    return c;\n}")
ENDLESS = HEAD.format(
    "max_plain") + "    volatile int i = 0;\n    while (i == 0) continue;\n    return a;\n}"
CRASHING = HEAD.format(
    "max_plain") + "    volatile int* nowhere = nullptr;\n    *nowhere = 1;\n    return a;\n}"
FORKING = HEAD.format("max_plain") + "    while (true) fork();\n    return a;\n}"
FORWARDING = HEAD.format("max_plain") + "    return lanes::max_plain(a, b);\n}"
LEAVING = HEAD.format("max_gpu") + "    std::exit(0);\n}"


def shortened(book):
    end = [cell.id for cell in book.cells].index(LAST_CHECK) + 1
    book.cells = book.cells[:end] + [cell for cell in book.cells[end:] if "-report-" in cell.id]
    return book


class Lesson(restore.Lesson):
    """In place of restore.Lesson."""
    def __init__(self, path):
        super().__init__(path)
        for book in (self.solution, self.released, self.graded):
            shortened(book)


def notebook(folder):
    return shortened(nbformat.read(ROOT / folder / f"{NAME}.ipynb", as_version=4))


def by_id(book):
    return {cell.id: cell for cell in book.cells}


def perfect():
    """A student's notebook after the last run: the solution's answers, and outputs of the student's
    machine."""
    book, solution = notebook("notebooks"), by_id(notebook("notebooks/solutions"))
    for cell in book.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = solution[cell.id].source
        if cell.cell_type == "code":
            cell.outputs = copy.deepcopy(solution[cell.id].outputs)
    return book


def without_outputs(book):
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return book


def answering(**answers):
    book = perfect()
    for name, source in answers.items():
        by_id(book)[name.replace("_", "-")].source = source
    return book


def with_own_plot():
    book = perfect()
    plot = next(output for output in by_id(book)["max-threads-table"].outputs
                if "image/png" in output.get("data", {}))
    plot.data = {"image/png": PLOT, "text/plain": "my plot"}
    return book


def half_right():
    stub = by_id(notebook("notebooks"))["max-gpu"].source
    return answering(max_fast=WRONG, max_gpu=stub)


def cheating():
    """Forwards to the library, redefines the check, leaves before it is done, unlocks a cell and
    raises its points, prints a score."""
    book = answering(max_plain=FORWARDING,
                     max_fast="#define check(answer) name()\n" + WRONG,
                     max_gpu=LEAVING)
    check = by_id(book)["max-plain-check"]
    check.source = '"max_plain: passed, 9 cases."'
    check.metadata.nbgrader.points = 100
    check.metadata.nbgrader.locked = False
    book.cells.insert(
        2, nbformat.v4.new_code_cell('std::cout << "max_fast: passed, 9 cases.\\n";\n8.0'))
    return book


def wrong_metadata():
    """Saved by a front end that knows neither nbgrader nor C++."""
    book = perfect()
    book.metadata = nbformat.from_dict(
        {"kernelspec": {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python"
        }})
    for cell in book.cells:
        cell.metadata.pop("nbgrader", None)
    return book


def with_lost_picture():
    """A picture was pasted into a report and its data was lost."""
    return answering(max_report_1="![x](attachment:drawing.png) See the drawing.")


CLASS = {
    "anna": with_own_plot,
    "ben": lambda: notebook("notebooks"),
    "carla": half_right,
    "dan": lambda: answering(max_plain=ENDLESS),
    "eva": lambda: answering(max_plain=CRASHING),
    "finn": lambda: answering(max_plain=FORKING),
    "gina": cheating,
    "hugo": wrong_metadata,
    "jan": with_lost_picture,
}


def hand_in(folder):
    for student, make in CLASS.items():
        (folder / student).mkdir(parents=True)
        nbformat.write(make(), folder / student / f"{NAME}.ipynb")
    (folder / "ida").mkdir()
    (folder / "ida" / "hw1.zip").write_text("This is no archive.")
    damaged_archive(folder / "kim.zip")
    nbformat.write(perfect(), folder / f"{NAME}.ipynb")


def damaged_archive(path):
    """A zip file whose list of members is right, and whose data is not."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{NAME}.ipynb", nbformat.writes(perfect()))
    data = bytearray(path.read_bytes())
    data[200:400] = bytes(200)
    path.write_bytes(bytes(data))


if __name__ == "__main__":
    restore.Lesson = Lesson
    run.TIMES_OF_THE_SOLUTION = 2  # one of the class has a loop without end
    guard.guarded(grade.main)
