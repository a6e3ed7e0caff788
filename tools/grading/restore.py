"""Makes the notebook that is graded: the teacher's notebook, made again from the solution, with the
student's answers and nothing else of the student's that could count."""

import copy
import re

import nbformat
from nbgrader import utils

from lessons.assignments import student_version
from lessons.form import normalize
from lessons.outputs import errors

OWN = "own"  # tag of a cell that the student added
MOST_BYTES = 30_000_000


class Unreadable(Exception):
    pass


class Lesson:
    """The teacher's versions of a notebook: `solution`, `released` (as it was handed out), `graded`
    (the same with the hidden tests)."""
    def __init__(self, path):
        self.name = path.stem
        self.solution = normalize(nbformat.read(path, as_version=4))
        self.released = student_version(copy.deepcopy(self.solution))
        self.graded = copy.deepcopy(self.released)
        sources = {cell.id: cell.source for cell in self.solution.cells}
        for cell in self.graded.cells:
            if utils.is_locked(cell) and not utils.is_solution(cell):
                cell.source = sources[cell.id]

    def checks(self):
        """Ids of the cells that are graded by running them."""
        return [cell.id for cell in self.graded.cells if is_check(cell)]

    def manual(self):
        return [
            cell.metadata.nbgrader.grade_id for cell in self.graded.cells
            if utils.is_grade(cell) and utils.is_solution(cell)
        ]


def is_check(cell):
    return cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)


def points_of(check):
    """A check without an error has all its points. If some parts of the answer are right
    (probes.py), it has their share, in half points and never more than that: what is wrong costs
    something."""
    most = check.metadata.nbgrader.points
    if not errors(check):
        return most
    right, parts = check.metadata.get("lanes", {}).get("parts", (0, 1))
    return 2 * most * right // parts / 2


def is_answer(cell):
    return cell.cell_type == "code" and utils.is_solution(cell)


def is_empty(source):
    """Whether it contains nothing but comments."""
    return not re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.S).strip()


def text_of(data):
    """The text of a file. A few wrong bytes do not make an answer unreadable."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def read(name, data):
    """A submission, if it is a notebook."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{name} has {len(data) / 1e6:.0f} MB, {MOST_BYTES / 1e6:.0f} are "
                         "allowed. Clear the outputs of cells that print without end.")
    try:
        notebook = nbformat.reads(text_of(data), as_version=4)
        try:
            text = nbformat.writes(notebook)
            text.encode("utf-8")
        except UnicodeEncodeError:  # half an emoji, which an editor has cut
            notebook = nbformat.reads(text.encode("utf-8", "replace").decode(), as_version=4)
        nbformat.validate(notebook, relax_add_props=True)
    except (MemoryError, OSError):  # of this machine
        raise
    except Exception as error:  # nbformat raises many types for damaged files
        raise Unreadable(
            f"{name} is no notebook: {str(error).strip().split(chr(10))[0][:200]}") from None
    return notebook


def role(cell):
    """nbgrader's metadata of a cell, without what its tools add."""
    words = cell.metadata.get("nbgrader")
    return {
        key: value
        for key, value in words.items() if key not in ("checksum", "cell_type")
    } if isinstance(words, dict) else {}


def partners(released, submitted):
    """{id of a cell that was handed out: the student's version of it}. Found by the cell's id, or
    else by nbgrader's name, or else by its text: some editors keep no ids."""
    found, ids = {}, {cell.id for cell in released.cells}
    unnamed = {cell.source.strip(): cell for cell in reversed(submitted.cells)
               if cell.get("id") not in ids and not role(cell)}
    for cell in released.cells:
        name = role(cell).get("grade_id")
        same = [other for other in submitted.cells if other.get("id") == cell.id] or [
            other for other in submitted.cells if name and role(other).get("grade_id") == name
        ] or [unnamed[text] for text in [cell.source.strip()] if text in unnamed]
        if same:
            found[cell.id] = same[0]
    return found


def restore(lesson, submitted):
    """(notebook, remarks). The outputs are those that were handed in; grading replaces those of the
    checks."""
    remarks, result = [], copy.deepcopy(lesson.graded)
    partner = partners(lesson.released, submitted)
    spec = submitted.metadata.get("kernelspec", {}).get("name")
    if spec != "xcpp17":
        remarks.append(
            f"The notebook asked for the Jupyter kernel '{spec}'. It was graded with xcpp17.")
    released = {cell.id: cell for cell in lesson.released.cells}
    for cell in result.cells:
        student = partner.get(cell.id)
        if student is None:
            if utils.is_solution(cell) or is_check(cell):
                remarks.append(f"The cell '{role(cell)['grade_id']}' is missing" +
                               ("; it counts as not answered." if utils.
                                is_solution(cell) else " and was put back."))
            continue
        name = role(cell).get("grade_id", cell.id)
        if (cell.cell_type == "code" and not role(cell)
                and student.source.strip() != released[cell.id].source.strip()):
            cell.metadata.tags = [*cell.metadata.get("tags", []),
                                  OWN]  # a `play` cell may hold a helper
        if cell.cell_type == "code":
            cell.outputs = copy.deepcopy(student.get("outputs",
                                                     [])) if student.cell_type == "code" else []
        if utils.is_solution(cell) or not role(cell):
            if student.cell_type != cell.cell_type:
                remarks.append(
                    f"The cell '{name}' was turned into a {student.cell_type} cell; its text was "
                    f"graded as {cell.cell_type}.")
            if utils.is_solution(cell) and (is_empty(student.source)
                                            if is_answer(cell) else not student.source.strip()):
                remarks.append(f"The cell '{name}' is empty; it counts as not answered.")
            else:
                cell.source = student.source
                keep_attachments(cell, student)
        elif student.source.strip() != released[cell.id].source.strip():
            remarks.append(
                f"The locked cell '{name}' was changed. The teacher's text was put back.")
        if role(cell) and role(student) != role(released[cell.id]):
            remarks.append(
                f"nbgrader's metadata of the cell '{name}' was changed. The teacher's was put back."
            )
    add_own(result, submitted, partner)
    return result, remarks


def keep_attachments(cell, student):
    """Pictures that were pasted into a text."""
    attachments = student.get("attachments")
    if cell.cell_type == "markdown" and isinstance(attachments, dict):
        cell.attachments = copy.deepcopy(attachments)


def add_own(result, submitted, partner):
    """Adds the cells that the student added, at their places: an answer may need them."""
    kept = {id(cell): name for name, cell in partner.items()}
    place, names = -1, [cell.id for cell in result.cells]
    for number, cell in enumerate(submitted.cells):
        if id(cell) in kept:
            place = max(place, names.index(kept[id(cell)]))
            continue
        if cell.cell_type not in ("code", "markdown") or not cell.source.strip():
            continue
        own = (nbformat.v4.new_code_cell
               if cell.cell_type == "code" else nbformat.v4.new_markdown_cell)(cell.source,
                                                                               id=f"own-{number}")
        own.metadata.tags = [OWN]
        keep_attachments(own, cell)
        if cell.cell_type == "code":
            own.outputs = copy.deepcopy(cell.get("outputs", []))
        place += 1
        result.cells.insert(place, own)
        names.insert(place, own.id)
