"""The lessons follow their rules, and the students' notebooks are up to date. Every rule is tested
with a notebook that breaks it."""

import copy
import re
import sys

import nbformat
import pytest
from tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from lessons import assignments, form, outputs, rules  # noqa: E402

ANSWER = """lanes::Matrix twice(const lanes::Matrix& x) {
    // BEGIN SOLUTION: one line
    return 2 * x;
    // END SOLUTION
}"""
TASK = "**Task: `twice`**" + "".join(
    f"\n<details><summary>Hint {k}</summary></details>" for k in (1, 2, 3))
CUDA = '''const char* text = R"cuda(
    __global__ void copy_kernel(float* x) {
        // BEGIN SOLUTION copy_kernel: two lines
        x[0] = 1;
        // END SOLUTION
    }
)cuda";'''

CUDA_CELL = """%%cuda fill_text
#include <cmath>
__global__ void fill(float* x) {
    // BEGIN SOLUTION: one line
    x[0] = INFINITY;
    // END SOLUTION
}"""


def graded(grade_id, **role):
    return {
        "nbgrader": {
            "schema_version": 3,
            "grade": False,
            "solution": False,
            "locked": False,
            "task": False,
            "grade_id": grade_id,
            **role
        }
    }


def code(identity, source, number, metadata, outputs=()):
    return nbformat.v4.new_code_cell(source,
                                     id=identity,
                                     execution_count=number,
                                     metadata=metadata,
                                     outputs=list(outputs))


def lesson():
    """A small lesson that follows all the rules."""
    picture = nbformat.v4.new_output("display_data", {
        "image/png": "aaaa",
        "text/plain": "a picture"
    })
    cells = [
        nbformat.v4.new_markdown_cell(
            "# Twice\n\n**Goals** one\n\n**Time** a minute, "
            "see the [glossary](../../docs/glossary.md)",
            id="title"),
        code("set-up", '#include "lanes/course.hpp"', 1, graded("set-up", locked=True)),
        nbformat.v4.new_markdown_cell(TASK, id="task"),
        code("twice", ANSWER, 2, graded("twice", solution=True)),
        code("twice-check", "check(twice);\n// BEGIN HIDDEN TESTS\nmore();\n// END HIDDEN TESTS", 3,
             graded("twice-check", grade=True, locked=True, points=2)),
        code("fill", CUDA_CELL, 4, graded("fill", solution=True)),
        code("copy", CUDA, 5, graded("copy", solution=True)),
        code("copy-check", "check(fill_text, text);", 6, graded("copy-check",
                                                     grade=True,
                                                     locked=True,
                                                     points=2), [picture]),
        code("free", "throw 1;", 7, {"tags": ["play", "raises-exception"]},
             [nbformat.v4.new_output("error", ename="int", evalue="1", traceback=[])]),
        nbformat.v4.new_markdown_cell("Because it is so.",
                                      id="why",
                                      metadata=graded("why", grade=True, solution=True, points=3)),
        nbformat.v4.new_markdown_cell("## References", id="references"),
    ]
    return form.normalize(nbformat.v4.new_notebook(cells=cells))


def broken(change):
    notebook = lesson()
    change({cell.id: cell for cell in notebook.cells}, notebook)
    return notebook


BREAKS = [
    (rules.one_include, lambda cells, nb: cells["set-up"].update(source="#include <vector>")),
    (rules.nothing_depends_on_ci,
     lambda cells, nb: cells["free"].update(source="if (lanes::is_unattended()) throw 1;")),
    (rules.nothing_depends_on_ci,
     lambda cells, nb: cells["free"].update(source="const int calls = lanes::repetitions(10);")),
    (rules.drawing_code_is_collapsed,
     lambda cells, nb: cells["set-up"].update(source='lanes::Plot plot("a plot");')),
    (rules.begins_with_goals_and_the_glossary,
     lambda cells, nb: cells["title"].update(source="# Twice")),
    (rules.ends_with_references, lambda cells, nb: nb.cells.remove(cells["references"])),
    (rules.tasks_stand_in_markdown, lambda cells, nb: cells["task"].update(source="Do it.")),
    (rules.tasks_stand_in_markdown,
     lambda cells, nb: cells["free"].update(source="lanes::exercises::twice().show();")),
    (rules.tasks_have_three_hints,
     lambda cells, nb: cells["task"].update(source=TASK.replace("Hint 3", "A word"))),
    (rules.tasks_have_three_hints,
     lambda cells, nb: cells["task"].update(source="**Task: `twice`** <details>hint</details>")),
    *((rules.markdown_holds_no_measured_number,
       lambda cells, nb, text=text: cells["why"].update(source=text))
      for text in ("It is 13.5 times faster.", "About 96 % are right.", "It takes 0.2 ms.",
                   "A speed-up of 4x.", "It moves 50 GB/s.", "It reaches 1,200 GFLOP/s.",
                   "It needs 12 s.", "> A quotation of 5 ms without a source")),
    (rules.cells_are_short,
     lambda cells, nb: cells["free"].update(source="\n".join(["f();"] * 21))),
    (rules.cells_are_short, lambda cells, nb: cells["twice"].update(
        source=ANSWER.replace("    return 2 * x;", "\n".join(["    f();"] * 27)))),
    (rules.cells_are_short, lambda cells, nb: cells["free"].update(source="f(" + "1" * 86 + ");")),
    (rules.cells_are_short,
     lambda cells, nb: cells["title"].update(source="\n\n".join(["A thought."] * 21))),
    (rules.nbgrader_accepts_it,
     lambda cells, nb: cells["copy"].metadata.nbgrader.update(grade_id="twice")),
    (rules.nbgrader_accepts_it,
     lambda cells, nb: cells["why"].metadata.nbgrader.update(solution=False)),
    (rules.nbgrader_accepts_it,
     lambda cells, nb: cells["copy-check"].metadata.nbgrader.pop("points")),
    (rules.every_code_cell_has_a_role, lambda cells, nb: cells["set-up"].metadata.pop("nbgrader")),
    (rules.every_code_cell_has_a_role,
     lambda cells, nb: cells["twice"].metadata.update(tags=["play"])),
    (rules.every_code_cell_has_a_role,
     lambda cells, nb: cells["set-up"].metadata.nbgrader.update(locked=False)),
    (rules.answers_have_regions_and_checks,
     lambda cells, nb: cells["twice"].update(source="int twice;")),
    (rules.answers_have_regions_and_checks,
     lambda cells, nb: cells["twice"].update(source=ANSWER.replace(": one line", ""))),
    (rules.answers_have_regions_and_checks,
     lambda cells, nb: cells["set-up"].update(source=ANSWER)),
    (rules.answers_have_regions_and_checks,
     lambda cells, nb: nb.cells.remove(cells["twice-check"])),
    (rules.answers_have_regions_and_checks,
     lambda cells, nb: nb.cells.remove(cells["copy"]) or nb.cells.remove(cells["copy-check"])),
    (rules.graded_cells_have_points,
     lambda cells, nb: cells["twice-check"].metadata.nbgrader.update(points=0)),
    (rules.nothing_is_ignored_without_a_reason,
     lambda cells, nb: cells["free"].metadata.update(tags=["play", "nbval-ignore-output"])),
    (rules.nothing_is_ignored_without_a_reason,
     lambda cells, nb: cells["free"].metadata.update(tags=["play", "nbval-skip"], nbval_reason="")),
    (rules.was_run_from_top_to_bottom, lambda cells, nb: cells["copy"].update(execution_count=9)),
    (rules.was_run_from_top_to_bottom,
     lambda cells, nb: cells["copy"].update(execution_count=None)),
    (rules.was_run_from_top_to_bottom, lambda cells, nb: cells["free"].update(outputs=[])),
    (rules.was_run_from_top_to_bottom,
     lambda cells, nb: cells["copy"].update(outputs=cells["free"].outputs)),
    (rules.no_warning_is_stored, lambda cells, nb: cells["twice-check"].update(
        outputs=[nbformat.v4.new_output("stream", name="stderr", text="oh")])),
    (rules.pictures_have_words,
     lambda cells, nb: cells["copy-check"].outputs[0].data.pop("text/plain")),
    (rules.given_cells_need_no_play, lambda cells, nb:
     (cells["set-up"].update(source="const int size = 3;", metadata={"tags": ["play"]}), cells[
         "twice-check"].update(source="check(twice, size);"))),
    (rules.names_stay_apart,
     lambda cells, nb: cells["free"].update(source="using namespace lanes;")),
    (rules.uses_few_names_of_the_library, lambda cells, nb: cells["free"].update(
        source="\n".join(f"lanes::f{k}();" for k in range(24)))),
    (rules.uses_few_names_of_the_library, lambda cells, nb: cells["free"].update(
        source="namespace p = lanes::plates;\n" + "\n".join(f"p::f{k}();" for k in range(12)) +
        "\n".join(f"lanes::resnet::f{k}();" for k in range(12)))),
    (rules.has_few_cells, lambda cells, nb: nb.cells.__setitem__(
        slice(1, 1), [nbformat.v4.new_markdown_cell(f"{k}", id=f"more-{k}") for k in range(70)])),
]


@pytest.mark.parametrize("rule, change", BREAKS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_rule_bites_and_only_then(rule, change):
    assert rule(broken(change))
    assert not rule(lesson())


def test_an_answer_may_be_longer_than_a_given_cell():
    longer = ANSWER.replace("    return 2 * x;", "\n".join(["    f();"] * 26))
    notebook = broken(lambda cells, nb: cells["twice"].update(source=longer))
    assert not rules.cells_are_short(notebook)


@pytest.mark.parametrize("text", [
    "A matrix of 3 x 3 and one of 28x28 pixels, 3 steps, layer 2 and 100 calls.",
    "> It transfers 64 GB/s in each direction (PCI Express 5.0, PCI-SIG, 2019).",
    "The option `-O3` and the text `5 ms` in code."
])
def test_numbers_that_were_not_measured_are_allowed(text):
    notebook = broken(lambda cells, nb: cells["why"].update(source=text))
    assert not rules.markdown_holds_no_measured_number(notebook)


def test_names_of_the_library_are_types_and_functions():
    source = """namespace t = lanes::transforms;
        using lanes::plates::AdamState;
        lanes::Tensor x = lanes::Tensor::zeros({3}), y = lanes::relu(x);
        t::Compose whole{t::Resize(2)}; lanes::transforms::Compose same; split::get();
        lanes::exercises::relu().check(relu); lanes::spare::relu(x);"""
    assert rules.library_names(source) == {
        "Tensor", "relu", "plates::AdamState", "transforms::Compose", "transforms::Resize"
    }


def test_every_rule_is_shown_a_notebook_that_breaks_it():
    assert {rule for rule, _ in BREAKS} == set(rules.RULES)


def test_the_canonical_form_is_one_text():
    notebook = lesson()
    text = form.write(notebook)
    assert rules.is_canonical(nbformat.reads(text, as_version=4), text)
    assert not rules.is_canonical(nbformat.reads(text, as_version=4),
                                  text.replace('"C++17"', '"C++"'))
    cell = notebook.cells[1]
    cell.metadata["collapsed"], cell.execution_count, cell.source = True, 40, cell.source + "  \n"
    assert form.write(form.normalize(notebook)) == text


def test_text_that_came_in_pieces_is_one():
    pieces = [
        nbformat.v4.new_output("stream", name=name, text=text)
        for name, text in [("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")]
    ]
    assert [(output.name, output.text) for output in form.joined(pieces)] == [("stdout", "ab"),
                                                                              ("stderr", "c"),
                                                                              ("stdout", "d")]


def test_of_a_widget_its_text_is_stored():
    notebook = lesson()
    data = {
        "text/plain": "3 (slider)",
        "application/vnd.jupyter.widget-view+json": {
            "model_id": "random"
        }
    }
    notebook.cells[1].outputs = [nbformat.v4.new_output("display_data", data=data)]
    assert form.normalize(notebook).cells[1].outputs[0].data == {"text/plain": "3 (slider)"}


def student(change=lambda cells, nb: None):
    notebook = assignments.student_version(broken(change))
    return {cell.id: cell for cell in notebook.cells}


def test_solutions_become_stubs_that_say_what_to_fill_in():
    cells = student()
    assert cells["twice"].source == (
        'lanes::Matrix twice(const lanes::Matrix& x) {\n'
        '    // Your code, in place of the next line.\n'
        '    throw lanes::NotFilledIn("Fill in twice: one line.");\n}')
    assert '        #error "Fill in copy_kernel: two lines."\n    }' in cells[
        "copy"].source and "throw" not in cells["copy"].source
    assert cells["fill"].source == (
        '%%cuda fill_text\n#include <cmath>\n__global__ void fill(float* x) {\n'
        '    // Your code, in place of the next line.\n    #error "Fill in fill: one line."\n}')
    assert cells["why"].source == "*Write your answer here.*"


def test_the_stub_of_a_method_names_its_class():
    method = ANSWER.replace("SOLUTION: one", "SOLUTION MyQueue::put: one")
    cells = student(lambda cells, nb: cells["twice"].update(source=method))
    assert 'NotFilledIn("Fill in MyQueue::put: one line.")' in cells["twice"].source


def test_students_see_no_hidden_test_no_output_and_no_number():
    cells = student()
    assert cells["twice-check"].source == "check(twice);"
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells.values())


def test_all_else_stays_the_same():
    before, after = lesson(), student()
    assert [cell.id for cell in before.cells] == list(after)
    for cell in before.cells:
        if cell.id in ("set-up", "copy-check", "free"):
            assert after[cell.id].source == cell.source
        if cell.id == "title":  # the students' notebooks are one folder nearer to docs/
            assert after[cell.id].source == cell.source.replace("../../docs", "../docs")
        assert set(cell.metadata) <= set(after[cell.id].metadata)
    assert after["set-up"].metadata.editable is False and after[
        "twice-check"].metadata.editable is False
    assert "editable" not in after["twice"].metadata and after["twice"].metadata.deletable is False


@pytest.mark.parametrize("source", [
    ANSWER.replace("    // END SOLUTION\n", ""),
    ANSWER.replace("// BEGIN SOLUTION: one line", ""), "int twice;",
    ANSWER.replace("one line", 'a "line"'),
    ANSWER.replace("SOLUTION: one", "SOLUTION one")
])
def test_a_solution_that_cannot_be_taken_out_is_refused(source):
    with pytest.raises(ValueError):
        student(lambda cells, nb: cells["twice"].update(source=source))


def test_differences_are_named(tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name, text in {"same": "a", "edited": "b", "extra": "c"}.items():
        (folder / f"{name}.ipynb").write_text(text)
    made = {folder / "same.ipynb": "a", folder / "edited.ipynb": "a", folder / "new.ipynb": "a"}
    assert assignments.differences(made, folder) == [
        "notebooks/new.ipynb is missing", "notebooks/edited.ipynb is not what its solution gives",
        "notebooks/extra.ipynb has no solution"
    ]


def test_stored_outputs_name_no_machine():
    words = "process rank 1 with PID 0 on node {} exited on signal 9 (Killed).\n"
    said = nbformat.v4.new_output("stream", name="stderr", text=words.format("lab-7.example.org"))
    notebook = nbformat.v4.new_notebook(cells=[code("dies", "%%run mpirun -n 2", 1, {}, [said])])
    outputs.without_host_name(notebook)
    assert notebook.cells[0].outputs[0].text == words.format("localhost")


LESSONS = form.solutions()
# Lessons that still have too many cells. No other one may.
MANY_CELLS = {
    "01b_cuda_puzzles", "02_elementwise_max", "03_matmul_transpose", "06_correlation", "07_sobel"
}


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_rules(path):
    notebook = form.read(path)
    excused = {rules.has_few_cells} if path.stem in MANY_CELLS else set()
    applied = [rule for rule in rules.RULES if rule not in excused]
    found = [problem for rule in applied for problem in rule(copy.deepcopy(notebook))]
    assert not found, "\n" + "\n".join(found)
    assert rules.is_canonical(
        notebook,
        path.read_text(encoding="utf-8")), "not in canonical form; `make outputs` repairs this"


@pytest.mark.parametrize("name", sorted(MANY_CELLS))
def test_a_lesson_is_excused_only_while_it_has_many_cells(name):
    notebook = form.read(ROOT / "notebooks/solutions" / f"{name}.ipynb")
    assert rules.has_few_cells(notebook), f"take {name} out of MANY_CELLS"


WORDS = {"one": 1, "two": 2, "three": 3, "four": 4}


def minutes(text):
    """Of "about 150 minutes", "about two hours", "1¼ h" or "2.5 h"."""
    amount, unit = re.search(r"(\w[\w.]*[¼½¾]?) (minutes|hours|h)\b", text).groups()
    quarters = {"¼": 0.25, "½": 0.5, "¾": 0.75}.get(amount[-1], 0)
    number = WORDS.get(amount) or float(amount.rstrip("¼½¾")) + quarters
    return number * (1 if unit == "minutes" else 60)


def times_that_differ(readme, lessons):
    """readme: its text. lessons: {name: the text of the first cell}. README has quarters of an hour."""
    told = dict(re.findall(r"(?m)^\| \[[^]]*\]\(notebooks/(\w+)\.ipynb\) \|[^|]*\|([^|]*)\|", readme))
    own = {name: re.search(r"(?m)^\*\*Time\*\*:? (.*)", text)[1] for name, text in lessons.items()}
    return [f"{name}: README has{told.get(name, ' nothing')}, the lesson '{text}'"
            for name, text in own.items()
            if name not in told or abs(minutes(told[name]) - minutes(text)) > 7.5]


def test_readme_has_the_times_of_the_lessons():
    lessons = {path.stem: form.read(path).cells[0].source for path in LESSONS}
    found = times_that_differ((ROOT / "README.md").read_text(encoding="utf-8"), lessons)
    assert not found, "\n".join(found)


def test_a_time_that_differs_is_found():
    row = "| [04 A](notebooks/04_a.ipynb) | a | 1¾ h | b |\n"
    assert not times_that_differ(row, {"04_a": "# A\n\n**Time**: about 100 minutes. So it is."})
    assert times_that_differ(row, {"04_a": "# A\n\n**Time**: about two hours."})
    assert times_that_differ(row, {"04_b": "# B\n\n**Time**: about 1.75 hours."})


def test_students_have_what_the_solutions_give():
    found = assignments.differences(assignments.wanted())
    assert not found, "`make assignments` repairs this:\n" + "\n".join(found)
