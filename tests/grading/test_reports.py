"""What the page says besides the points."""

import copy
import functools

import nbformat
import pytest
import test_cases
from grading import restore, run
from grading.bubblewrap import SLOW, Limits
from lessons.outputs import errors

pytestmark = pytest.mark.timeout(1800 * SLOW)
HEAD = "Ints max_plain(const Ints& a, const Ints& b) {\n"


@functools.cache
def solution():
    return test_cases.Solved("max_plain").outcome


def graded(source, own=None, explains=True):
    """(the check's outputs, remarks) for an answer to max_plain, after a cell of the student's."""
    lesson = test_cases.lesson_of("max_plain")
    plan = run.Plan(test_cases.SEED, Limits(), 20, solution())
    plan.explains = explains
    book = copy.deepcopy(lesson.solution)
    place = next(i for i, cell in enumerate(book.cells) if cell.id == "max-plain")
    book.cells[place].source = source
    if own:
        book.cells.insert(place, nbformat.v4.new_code_cell(own))
    notebook, _ = restore.restore(lesson, book)
    outcome = run.run(lesson, notebook, plan)
    return next(cell for cell in notebook.cells if restore.is_check(cell)), outcome.remarks


LOOP = ("    Ints c = a;\n    for (std::size_t i = 0; i < a.size(); ++i)\n"
        "        c.flat(i) = helper(a.flat(i), b.flat(i));\n    return c;\n}")


def test_a_write_past_the_end_is_reported_and_costs_nothing(needs_sandbox):
    check, remarks = graded(HEAD + "    Ints c = a;\n    int* to = c.data();\n"
                            "    for (std::size_t i = 0; i < a.size(); ++i)\n"
                            "        to[i] = std::max(a.flat(i), b.flat(i));\n"
                            "    // the allocator rounds sizes up: here nothing is overwritten\n"
                            "    if (a.size() % 4 == 3) to[a.size()] = 0;\n    return c;\n}")
    assert not errors(check)
    assert any("writes outside its result" in remark for remark in remarks), remarks


def test_a_wrong_answer_is_explained_by_the_check(needs_sandbox):
    check, _ = graded(HEAD + "    return a;\n}")
    assert "This is a: b is never looked at." in check.outputs[0].text
    assert "numbers differ: at (" in check.outputs[1].evalue and "seed" in check.outputs[1].evalue


def test_an_answer_that_does_not_compile_is_told_as_such(needs_sandbox):
    check, remarks = graded(HEAD + "    return a + ;\n}")
    assert check.outputs[-1].ename == "CompileError"
    assert "Fill in" not in check.outputs[-1].evalue
    assert "The cell 'max_plain' does not compile" in remarks[0]


def test_an_answer_that_is_not_filled_in_says_what_to_fill_in(needs_sandbox):
    stub = next(cell.source for cell in test_cases.lesson_of("max_plain").released.cells
                if cell.id == "max-plain")
    check, remarks = graded(stub)
    assert len(check.outputs) == 1 and "Fill in max_plain: three lines." in check.outputs[0].evalue
    assert remarks == []


def test_a_wrong_answer_with_a_header_of_its_own_is_explained(needs_sandbox):
    """The header is written by a cell; that it is missing elsewhere is nobody's mistake."""
    helper = "int helper(int a, int b) { return a < b ? a : b; }"
    check, remarks = graded('#include "helper.hpp"\n' + HEAD + LOOP,
                            own="%%file helper.hpp\n" + helper)
    said = str(check.outputs) + str(remarks)
    assert "file not found" not in said and "This is the smaller of the two" in said, said
    assert check.outputs[-1].ename == "Wrong" and "numbers differ" in check.outputs[-1].evalue


def test_a_right_answer_with_a_header_of_its_own_needs_no_look(needs_sandbox):
    helper = "inline int helper(int a, int b) { return a > b ? a : b; }"
    check, remarks = graded('#include "helper.hpp"\n' + HEAD + LOOP,
                            own="%%file helper.hpp\n" + helper, explains=False)
    assert (errors(check), remarks) == ([], [])


@pytest.mark.parametrize("own, without", [
    (None, "max_plain"), ('#include "helper.hpp"\nint nine = 9;', "a cell of your own, max_plain")])
def test_a_header_that_was_not_handed_in_is_named_once(needs_sandbox, own, without):
    check, remarks = graded('#include "helper.hpp"\n' + HEAD + LOOP, own)
    assert remarks == [
        "The header 'helper.hpp' is in no cell, and files beside a notebook are not read: put its "
        "text into a cell that begins with %%file helper.hpp. Without it, these do not compile: "
        f"{without}."]
    assert "'helper.hpp' file not found" in check.outputs[-1].evalue


def test_points_that_a_statement_gives_have_a_remark(needs_sandbox):
    """The address of a forbidden function, where reading does not follow it."""
    check, remarks = graded(
        HEAD + '    return reinterpret_cast<Function*>(std::stoull(std::getenv("larger")))(a, b);\n}',
        "#include <cstdint>\n#include <cstdlib>\n#include <string>\n"
        "using Function = Ints(const Ints&, const Ints&);\n"
        "Ints larger(const Ints& a, const Ints& b) { return xt::maximum(a, b); }\n"
        'setenv("larger", std::to_string(std::uintptr_t(&larger)).c_str(), 1);', explains=False)
    assert not errors(check)
    assert "max_plain: the points come from statements outside functions" in remarks[0]
