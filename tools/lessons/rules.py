"""The rules for a lesson (a solution notebook), as functions of a notebook. Each returns a list of
violations, as "cell ID: what is wrong"."""

import re

from nbgrader import utils
from nbgrader.nbgraderformat import MetadataValidator, ValidationError

from .form import normalize, write
from .stubs import BEGIN, is_cuda_cell

LINES, COLUMNS = 20, 88
ANSWER_LINES = 30  # of a cell that a student writes
LIBRARY_NAMES = 24  # different names of the library that one lesson uses
CELLS = 70  # of one lesson
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
        is_answer = cell.cell_type == "code" and utils.is_solution(cell)
        most = ANSWER_LINES if is_answer else LINES
        if len(counted) > most:
            found.append(f"cell {cell.id}: {len(counted)} lines, more than {most}")
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
    """Given cells are locked, so that graded cells run in the notebook that was handed out. The tag
    `play` marks cells that are meant to be changed."""
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
        # A CUDA kernel may be followed by the function that launches it.
        continues = is_cuda_cell(cell.source) and after is not None and utils.is_solution(after)
        if not utils.is_grade(cell) and not continues and (after is None
                                                           or not utils.is_grade(after)):
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
        f"cell {cell.id}: {', '.join(sorted(IGNORED & tags(cell)))} and no reason in its metadata "
        "(nbval_reason)"
        for cell in code(notebook)
        if IGNORED & tags(cell) and not cell.metadata.get("nbval_reason")
    ]


def was_run_from_top_to_bottom(notebook):
    found = []
    for number, cell in enumerate(code(notebook), 1):
        if cell.execution_count != number:
            found.append(
                f"cell {cell.id}: stored with number {cell.execution_count}, not {number}. `make "
                "outputs` repairs this."
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
    """nbval does not compare pictures: it compares the text that comes with them."""
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
    r"(?m)^(?:const |static |constexpr )*(?!return|using|delete|throw|else|new|#)"
    r"[A-Za-z_][\w:]*(?:<[^;=\n]*>)?[&*]* +[&*]*(\w+)(?: *[=({;\[,])"
)


# Nobody has to learn these: each is used in one form, and only beside the name of an answer.
CHECKS_AND_SPARES = ("exercises::", "puzzles::", "spare::")


def library_names(source):
    """The types and functions of the library, as `Tensor` and `plates::AdamState`; namespaces have
    small letters. Members of a class belong to it: `Tensor::zeros` is the name `Tensor`."""
    for alias, namespace in re.findall(r"\bnamespace (\w+) = lanes::([\w:]+);", source):
        source = re.sub(rf"\bnamespace {alias} = lanes::{namespace};", "", source)
        source = re.sub(rf"(?<![\w:]){alias}::", f"lanes::{namespace}::", source)
    names = set(re.findall(r"\blanes::((?:[a-z]\w*::)*\w+)", source))
    return {name for name in names if not name.startswith(CHECKS_AND_SPARES)}


def uses_few_names_of_the_library(notebook):
    """What given cells only show, measure or draw are members of one class, as
    `lanes::PipelinesLesson`."""
    names = library_names("\n".join(cell.source for cell in code(notebook)))
    if len(names) <= LIBRARY_NAMES:
        return []
    return [f"{len(names)} names of lanes::, more than {LIBRARY_NAMES}: {' '.join(sorted(names))}"]


def has_few_cells(notebook):
    """A longer lesson is split in two."""
    if len(notebook.cells) <= CELLS:
        return []
    return [f"{len(notebook.cells)} cells, more than {CELLS}"]


def given_cells_need_no_play(notebook):
    """Students change cells with the tag `play`, and grading skips them: a cell that counts must
    not use a name that only they declare."""
    found, played, counted = [], {}, set()
    for cell in code(notebook):
        is_cuda = is_cuda_cell(cell.source)
        names = set(
            re.findall(r"\A%%cuda +(\w+)", cell.source) if is_cuda else DECLARED.findall(cell.source))
        if "play" in tags(cell):
            played.update({name: cell.id for name in names - counted})
            continue
        counted |= names
        if is_cuda:
            continue
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


# A number with a unit of measurement: "13.5 times", "96 %", "4 x" but not the shape "4 x 4".
MEASURED = re.compile(
    r"\d(?:[\d.,]*\d)?(?:\s?(?:times\b|x(?!\w| ?\d)|\\?%|per cent\b|(?:[mµun]s|[kKMGT]?i?B/s|"
    r"[MGT]?FLOP/s)(?![\w/]))|\s(?:s|seconds?)(?![\w/]))")


def markdown_holds_no_measured_number(notebook):
    """A number of one run is wrong in the next one: let a cell print it. The same holds for answers
    in report cells. Quotations (lines that start with >) name their source in parentheses."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        for paragraph in re.sub(r"`[^`\n]*`", "", cell.source).split("\n\n"):
            if paragraph.startswith(">") and paragraph.rstrip().rstrip(".").endswith(")"):
                continue
            found += [
                f"cell {cell.id}: '{match.group()}' in markdown; let a cell print it, or quote it "
                "with its source"
                for match in MEASURED.finditer(paragraph)
            ]
    return found


def one_include(notebook):
    """Students see one line. A lesson may also include their own answers and xwidgets."""
    return [
        f"cell {cell.id}: #include {name}; lanes/course.hpp has it" for cell in code(notebook)
        if not "play" in tags(cell) and not is_cuda_cell(cell.source)
        for name in re.findall(r'(?m)^\s*#include\s+([<"][^>"]+[>"])', cell.source)
        if name != '"lanes/course.hpp"' and not name.startswith(('"my/', "<xwidgets/"))
    ]


def nothing_depends_on_ci(notebook):
    """CI shortens measurements only, and the library does that (lanes::seconds_per_call)."""
    return [
        f"cell {cell.id}: {word}; what CI shortens, the library shortens: call what measures there"
        for cell in code(notebook) for word in ("is_unattended", "repetitions")
        if word in cell.source
    ]


def drawing_code_is_collapsed(notebook):
    return [
        f"cell {cell.id}: draws with visible code; hide it ('source_hidden')"
        for cell in code(notebook)
        if re.search(r"\blanes::(?:Drawing|Plot) \w+[({]", cell.source)
        and "play" not in tags(cell) and not utils.is_solution(cell)
        and not cell.metadata.get("jupyter", {}).get("source_hidden")
    ]


def begins_with_goals_and_the_glossary(notebook):
    first = notebook.cells[0].source
    return [
        f"cell {notebook.cells[0].id}: the title cell has no '{needed}'"
        for needed in ("**Goals**", "**Time**", "](../../docs/glossary.md)")
        if needed not in first
    ]


def ends_with_references(notebook):
    last = [cell for cell in notebook.cells if cell.cell_type == "markdown"][-3:]
    if any(cell.source.startswith("## References") for cell in last):
        return []
    return ["no cell '## References' at the end"]


def tasks_stand_in_markdown(notebook):
    """Even before it is run, a notebook shows what is to be done, with hints to unfold."""
    found, before = [], None
    for cell in notebook.cells:
        if ").show();" in cell.source and "exercises::" in cell.source:
            found.append(f"cell {cell.id}: shows a task; write it in markdown")
        if cell.cell_type == "code" and utils.is_solution(cell):
            text = before.source if before is not None else ""
            for needed in ("**Task", "<details>"):
                if needed not in text:
                    found.append(f"cell {cell.id}: the markdown above has no '{needed}'")
        if cell.cell_type == "markdown":
            before = cell
    return found


def tasks_have_three_hints(notebook):
    """What to think of, how, nearly the answer."""
    found = []
    for cell in notebook.cells:
        hints = re.findall(r"<summary>Hint (\d)", cell.source)
        if cell.cell_type == "markdown" and (hints or "**Task" in cell.source) and hints != list("123"):
            found.append(f"cell {cell.id}: hints {', '.join(hints) or 'none'}, not 1, 2, 3")
    return found


RULES = (markdown_holds_no_measured_number, one_include, nothing_depends_on_ci,
         drawing_code_is_collapsed, begins_with_goals_and_the_glossary, ends_with_references,
         tasks_stand_in_markdown, tasks_have_three_hints, cells_are_short, nbgrader_accepts_it, every_code_cell_has_a_role,
         answers_have_regions_and_checks, graded_cells_have_points,
         nothing_is_ignored_without_a_reason, was_run_from_top_to_bottom, no_warning_is_stored,
         pictures_have_words, names_stay_apart, uses_few_names_of_the_library, has_few_cells,
         given_cells_need_no_play)


def is_canonical(notebook, text):
    return write(normalize(notebook)) == text
