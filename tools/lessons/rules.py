"""What a lesson (a solution notebook) keeps, as functions over a notebook. Each returns the list of
what breaks it, as "cell ID: what is wrong"."""

import re

from nbgrader import utils
from nbgrader.nbgraderformat import MetadataValidator, ValidationError

from .form import normalize, write
from .stubs import BEGIN

LINES, COLUMNS = 20, 88
IGNORED = {"nbval-skip", "nbval-ignore-output"}


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return set(cell.metadata.get("tags", []))


def cells_are_short(notebook):
    found = []
    for cell in notebook.cells:
        lines = cell.source.split("\n")
        counted = lines if cell.cell_type == "code" else [line for line in lines if line]
        if len(counted) > LINES:
            found.append(f"cell {cell.id}: {len(counted)} lines, more than {LINES}")
        found += [
            f"cell {cell.id}: a line of {len(line)} characters, more than {COLUMNS}: {line}"
            for line in lines
            if len(line) > COLUMNS
        ]
    return found


def nbgrader_accepts_it(notebook):
    try:
        MetadataValidator().validate_nb(notebook)
    except ValidationError as error:
        return [f"nbgrader: {error}"]
    return []


def every_code_cell_has_a_role(notebook):
    """Given cells are locked, so that what is graded runs in the notebook that was handed out. The
    tag `play` marks cells that are there to be changed."""
    found = []
    for cell in code(notebook):
        role = cell.metadata.get("nbgrader")
        if role is None and "play" not in tags(cell):
            found.append(f"cell {cell.id}: neither an answer, a check, locked nor tagged 'play'")
        elif role is not None and "play" in tags(cell):
            found.append(f"cell {cell.id}: tagged 'play' and known to nbgrader")
        elif role is not None and not (role.get("locked") or role.get("solution")):
            found.append(f"cell {cell.id}: neither locked nor an answer")
    return found


def answers_have_regions_and_checks(notebook):
    found, cells = [], code(notebook)
    for cell, after in zip(cells, cells[1:] + [None]):
        regions = [line for line in cell.source.split("\n") if BEGIN.match(line)]
        if not utils.is_solution(cell):
            if "SOLUTION" in cell.source:
                found.append(f"cell {cell.id}: a solution in a cell that is no answer")
            continue
        if not regions:
            found.append(f"cell {cell.id}: an answer without '// BEGIN SOLUTION'")
        found += [
            f"cell {cell.id}: '{line.strip()}' gives no hint; write '// BEGIN SOLUTION: one line'"
            for line in regions
            if not BEGIN.match(line)["hint"]
        ]
        if not utils.is_grade(cell) and (after is None or not utils.is_grade(after)):
            found.append(f"cell {cell.id}: the next code cell does not check the answer")
    return found


def graded_cells_have_points(notebook):
    return [
        f"cell {cell.id}: graded with {cell.metadata.nbgrader.get('points')} points"
        for cell in notebook.cells
        if utils.is_grade(cell) and not cell.metadata.nbgrader.get("points", 0) > 0
    ]


def nothing_is_ignored_without_a_reason(notebook):
    return [
        f"cell {cell.id}: {', '.join(sorted(IGNORED & tags(cell)))} and no reason in its metadata (nbval_reason)"
        for cell in code(notebook)
        if IGNORED & tags(cell) and not cell.metadata.get("nbval_reason")
    ]


def was_run_from_top_to_bottom(notebook):
    found = []
    for number, cell in enumerate(code(notebook), 1):
        if cell.execution_count != number:
            found.append(
                f"cell {cell.id}: stored with number {cell.execution_count}, not {number}. `make outputs` repairs this."
            )
        failed = any(output.output_type == "error" for output in cell.outputs)
        if failed != ("raises-exception" in tags(cell)):
            found.append(f"cell {cell.id}: " + ("stored with an error" if failed else
                                                "tagged raises-exception, stored without an error"))
    return found


def no_warning_is_stored(notebook):
    return [
        f"cell {cell.id}: stored with text on stderr; in a graded cell that costs all points"
        for cell in code(notebook)
        if utils.is_grade(cell) and any(output.get("name") == "stderr" for output in cell.outputs)
    ]


def pictures_have_words(notebook):
    """nbval does not look at pictures: the text beside one is what it compares."""
    return [
        f"cell {cell.id}: a picture without text/plain" for cell in code(notebook)
        for output in cell.outputs
        if any(kind.startswith("image/")
               for kind in output.get("data", {})) and not output.data.get("text/plain")
    ]


def names_stay_apart(notebook):
    return [
        f"cell {cell.id}: 'using namespace {name}'" for cell in code(notebook)
        for name in re.findall(r"using namespace (\w+)", cell.source)
    ]


DECLARED = re.compile(
    r"(?m)^(?:const |static |constexpr )*(?!return|using|delete|throw|else|new|#)[A-Za-z_][\w:]*(?:<[^;=\n]*>)?[&*]* +[&*]*(\w+)(?: *[=({;\[,])"
)


def given_cells_need_no_play(notebook):
    """A student changes cells to play with, and grading leaves them out: a name that only they
    declare may not be used by a cell that counts."""
    found, played, counted = [], {}, set()
    for cell in code(notebook):
        names = set(DECLARED.findall(cell.source))
        if "play" in tags(cell):
            played.update({name: cell.id for name in names - counted})
            continue
        counted |= names
        words = set(
            re.findall(r"(?<![\w.:>\"])[A-Za-z_]\w*",
                       re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', "", cell.source)))
        inner = set(re.findall(r"[\w>&*] +[&*]*(\w+)(?= *[=({;:,)\[])",
                               cell.source))  # declared inside a function or a loop of the cell
        found += [
            f"cell {cell.id}: '{name}' comes from cell {played[name]}, which is there to play with"
            for name in sorted(words & set(played) - counted - inner)
        ]
    return found


RULES = (cells_are_short, nbgrader_accepts_it, every_code_cell_has_a_role,
         answers_have_regions_and_checks, graded_cells_have_points,
         nothing_is_ignored_without_a_reason, was_run_from_top_to_bottom, no_warning_is_stored,
         pictures_have_words, names_stay_apart, given_cells_need_no_play)


def is_canonical(notebook, text):
    return write(normalize(notebook)) == text
