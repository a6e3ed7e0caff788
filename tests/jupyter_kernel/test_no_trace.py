"""A failed cell leaves no trace; an exception keeps what was done before it; %undo takes the last cell back; %who tells what is there."""

import re

import pytest
from story import play

# What each kind of failure would have left behind, had it not been undone.
FAILURES = {
    "compile error": "unknown_name;",
    "compile error in a template": "std::vector<Pin> pins; pins.foo();",
    "link error": "int defined_nowhere(); defined_nowhere();",
    "crash": "int* volatile null_pointer = nullptr; *null_pointer = 1;",
    "exit": "exit(1);",
}
MANY_CHANGES = """
base = 2;
text += " changed";
list.push_back(99);
*shared = 5;
int newcomer = 1;
struct Newcomer { int x; };
struct Pin { int other; };
int function_of_base() { return -1; }
template <class T> T newcomer_template(T x) { return x; }
namespace space { int inside = 100; int newcomer = 1; }
enum NewEnum { new_enumerator };
using Alias = char;
"""


@pytest.fixture
def prepared(kernel):
    kernel.run(
        "#include <memory>\n#include <cstdlib>\n"
        'int base = 1;\nstd::string text = "text";\nstd::vector<int> list{1, 2};\nauto shared = std::make_shared<int>(3);\n'
        "struct Pin { int pin = 4; };\nPin pin;\nint function_of_base() { return base * 10; }\nnamespace space { int inside = 6; }\nusing Alias = double;"
    ).ok()
    return kernel


def check_untouched(kernel):
    story = """
        base
        => 1
        ---
        text
        => "text"
        ---
        list.size()
        => 2
        ---
        *shared
        => 3
        ---
        Pin another_pin; another_pin.pin + pin.pin
        => 8
        ---
        function_of_base()
        => 10
        ---
        space::inside
        => 6
        ---
        sizeof(Alias)
        => 8
        """
    play(kernel, story)
    for gone in ("newcomer", "Newcomer{}", "newcomer_template(1)", "space::newcomer",
                 "new_enumerator"):
        assert kernel.run(gone).ename == "CompileError", f"{gone} is a trace of the failed cell"


@pytest.mark.parametrize("failure", FAILURES)
def test_failed_cell_leaves_no_trace(prepared, failure):
    assert prepared.run(MANY_CHANGES + FAILURES[failure]).status == "error"
    check_untouched(prepared)


def test_unanswered_interrupt_leaves_no_trace(prepared):
    assert prepared.run(MANY_CHANGES + "for (;;) ;", interrupt_after=1).ename == "Interrupted"
    check_untouched(prepared)


def test_macros_and_includes_of_a_failed_cell_are_gone(fresh):
    fresh.run("#define STAYS 1").ok()
    assert fresh.run(
        "#define STAYS 2\n#define LEFT 1\n#undef assert\nunknown;").ename == "CompileError"
    assert fresh.value("STAYS") == "1"
    assert fresh.run("LEFT").ename == "CompileError"
    assert fresh.run("#include <valarray>\nabort();").ename == "Crash"
    assert fresh.value("#include <valarray>\nstd::valarray<int>{1, 2}.sum()") == "3"


def test_a_failed_cell_can_be_corrected_and_run(kernel):
    """The commonest thing that people do."""
    for broken, corrected, value in [
        ("struct Corrected { int x };\nCorrected{3}.x", "struct Corrected { int x; };\nCorrected{3}.x", "3"),
        ("int corrected(int a) { return a + b; }", "int corrected(int a) { return a + 1; }\ncorrected(1)",
         "2"),
        ("std::vector<int> mv; mv.push(1);", "std::vector<int> mv; mv.push_back(1);\nmv.size()",
         "1"),
        ("template <class T> T mt(T x) { return x.y; }\nmt(1)",
         "template <class T> T mt(T x) { return x; }\nmt(1)", "1"),
        ("int linked(int); linked(1)", "int linked(int x) { return x; }\nlinked(1)", "1"),
    ]:
        for _ in range(2):
            assert kernel.run(broken).status == "error"
        assert kernel.value(corrected) == value


def test_streams_flags_and_rng_are_brought_back(kernel):
    kernel.run(
        "#include <random>\n#include <iomanip>\nstd::mt19937 engine(1);\nauto copy_of_engine = engine;"
    ).ok()
    assert kernel.run("engine(); engine(); std::cout << std::hex; abort();").ename == "Crash"
    assert kernel.value("engine == copy_of_engine") == "true"
    assert kernel.run("std::cout << 255;").ok().stdout == "255"


# Exceptions


def test_exception_keeps_what_was_done_before(kernel):
    kernel.run("int progress = 0; std::vector<int> done;").ok()
    result = kernel.run(
        'int before_throw = 5;\nfor (int i = 0; i < 10; ++i) { progress = i; done.push_back(i); if (i == 3) throw std::runtime_error("at three"); }\nint after_throw = 6;'
    )
    assert (result.ename, result.evalue) == ("std::runtime_error", "at three")
    assert kernel.value("progress * 100 + before_throw * 10 + int(done.size())") == "354"
    assert kernel.run("after_throw").ename == "CompileError", "its initialiser did not run"


def test_names_whose_initialiser_threw_are_withdrawn(kernel):
    kernel.run(
        'int fails(int) { throw std::logic_error("no value"); }\nstruct FailsToo { FailsToo() { throw std::logic_error("no object"); } };'
    ).ok()
    for code, name in [
        ("int withdrawn_a = fails(1);", "withdrawn_a"),
        ("FailsToo withdrawn_b;", "withdrawn_b"),
        ("auto withdrawn_c = fails(2) + 1;", "withdrawn_c"),
        ("const std::vector<int> withdrawn_d{fails(3)};", "withdrawn_d"),
        ("int fine_e = 1, withdrawn_e = fails(4);", "withdrawn_e"),
    ]:
        assert kernel.run(code).ename == "std::logic_error"
        assert kernel.run(name).ename == "CompileError", f"{name} is still there"
    assert kernel.value("fine_e") == "1"
    assert kernel.value("int withdrawn_a = 3;\nwithdrawn_a") == "3"


def test_a_withdrawn_name_gives_way_to_the_old_one(kernel):
    """The cell gave a new definition of an existing name, but its initialiser failed: the old one is there."""
    kernel.run('int resurrected = 11;\nint throws_here() { throw std::runtime_error("x"); }').ok()
    assert kernel.run("int resurrected = throws_here();").ename == "std::runtime_error"
    assert kernel.value("resurrected") == "11"


def test_functions_and_types_of_a_cell_that_threw_stay(kernel):
    assert kernel.run(
        'struct StaysT { int v = 4; };\nint stays_f() { return StaysT{}.v; }\nthrow std::runtime_error("after definitions");'
    ).status == "error"
    assert kernel.value("stays_f() + StaysT{}.v") == "8"


def test_destructors_run_on_the_way_out(kernel):
    kernel.run(
        "int destroyed = 0; struct Guard { ~Guard() { ++destroyed; } };\nvoid inner() { Guard g; throw 1; }"
    ).ok()
    assert kernel.run("{ Guard outer; inner(); }").ename == "int"
    assert kernel.value("destroyed") == "2"


# %undo


def test_undo_takes_the_last_cell_back(kernel):
    kernel.run("int undone = 1; std::vector<int> undone_list{1};").ok()
    kernel.run(
        "undone = 2; undone_list.push_back(2); int since = 3;\nint undone_function() { return 1; }"
    ).ok()
    result = kernel.run("%undo").ok()
    assert result.stderr == ""
    assert kernel.value("undone * 10 + int(undone_list.size())") == "11"
    assert kernel.run("since").ename == "CompileError"


def test_undo_says_what_it_cannot_bring_back(kernel):
    kernel.run("int something = 1;").ok()
    kernel.run("something = 2;").ok()
    result = kernel.run("%undo").ok()
    text = (result.stdout + result.shown + str(result.result)).lower()
    for word in ("file", "thread"):
        assert word in text, f"%undo says nothing about {word}s: {text!r}"


def test_undo_is_one_deep(kernel):
    kernel.run("int depth = 1;").ok()
    kernel.run("depth = 2;").ok()
    kernel.run("depth = 3;").ok()
    kernel.run("%undo").ok()
    second = kernel.run("%undo")
    text = (str(second.evalue) + second.stdout + second.shown).lower()
    assert re.search(r"nothing|one|once|last|no ", text), f"the second %undo says nothing: {second}"
    assert kernel.value("depth") == "2"


def test_undo_in_a_new_session(fresh):
    result = fresh.run("%undo")
    assert re.search(r"nothing|no cell",
                     (str(result.evalue) + result.stdout + result.shown).lower()), result
    assert fresh.value("40 + 2") == "42"


def test_undo_of_a_redefinition(kernel):
    kernel.run("int redefined() { return 1; }").ok()
    kernel.run("int redefined() { return 2; }").ok()
    kernel.run("%undo").ok()
    assert kernel.value("redefined()") == "1"
    kernel.run("int redefined() { return 3; }").ok()
    assert kernel.value("redefined()") == "3"


def test_undo_after_an_exception(kernel):
    """An exception keeps what was done; %undo takes that back too."""
    kernel.run("int half_done = 0;").ok()
    assert kernel.run('half_done = 1; throw std::runtime_error("half");').status == "error"
    kernel.run("%undo").ok()
    assert kernel.value("half_done") == "0"


def test_undo_after_a_failed_cell(kernel):
    """The failed cell is undone already; what %undo then does, it says, and the session goes on."""
    kernel.run("int steady = 1;").ok()
    kernel.run("steady = 2;").ok()
    assert kernel.run("unknown_thing;").ename == "CompileError"
    kernel.run("%undo")
    assert kernel.value("steady") in ("1", "2")


# %who


def test_who_lists_names_types_and_values(fresh):
    fresh.run(
        'int answer = 42;\nstd::string word = "hello";\nstd::vector<int> numbers{1, 2, 3};\nconst double pi = 3.25;\nint add(int a, int b) { return a + b; }\nstruct Item { int x; };\nItem item;\nauto [left, right] = std::make_pair(1, 2.5);'
    ).ok()
    result = fresh.run("%who").ok()
    text = result.stdout + result.shown + str(result.result)
    for line in (
            r"answer.*int.*42",
            r"word.*string.*hello",
            r"numbers.*vector<int>.*1, 2, 3",
            r"pi.*double.*3\.25",
            r"add.*int ?\(int( a)?, int( b)?\)",
            r"Item",
            r"right.*2\.5",
    ):
        assert re.search(line, text) or re.search(
            ".*".join(line.split(".*")[1:2] + line.split(".*")[:1]),
            text), f"{line} is not in\n{text}"
    assert "__" not in text, f"names that we generate are shown\n{text}"


def test_who_follows_the_session(fresh):
    def who():
        result = fresh.run("%who").ok()
        return result.stdout + result.shown + str(result.result)

    fresh.run("int first_name = 1;").ok()
    fresh.run("int second_name = 2;").ok()
    assert "first_name" in who() and "second_name" in who()
    fresh.run('std::string first_name = "redefined";').ok()
    assert len(re.findall("first_name", who())) == 1 and "redefined" in who()
    assert fresh.run("int third_name = 3; abort();").ename == "Crash"
    assert "third_name" not in who()
    fresh.run("second_name = 77;").ok()
    assert "77" in who()


def test_who_of_an_empty_session(fresh):
    fresh.run("%who").ok()
    assert fresh.value("40 + 2") == "42"


def test_who_with_values_that_are_hard_to_show(kernel):
    """A value whose display throws or crashes does not take the session along."""
    kernel.run(
        'struct Grumpy {}; std::ostream& operator<<(std::ostream& out, const Grumpy&) { throw std::runtime_error("grumpy"); }\nGrumpy grumpy;\n'
        "int* nowhere = nullptr; int& reference_to_kept = *new int(5); std::vector<double> long_one(1000000, 1.5);"
    ).ok()
    result = kernel.run("%who").ok()
    said = result.stdout + result.shown + str(result.result)
    assert "nowhere" in said and len(said) < 100_000, "a long value is shown in part"
    assert len(result.stdout + result.shown) < 100_000
    assert kernel.value("40 + 2") == "42"


def test_who_as_data(fresh):
    fresh.run('int answer = 42;\nstd::vector<double> numbers{1.5, 2};\nint add(int a, int b) { return a + b; }').ok()
    [display] = fresh.run("%who --json").ok().displays
    assert display["data"]["application/json"] == [
        {"name": "add", "type": "int (int, int)", "cell": 1},
        {"name": "answer", "type": "int", "cell": 1, "value": "42", "size": 4},
        {"name": "numbers", "type": "std::vector<double>", "cell": 1, "value": "{ 1.5, 2.0 }", "size": 24, "elements": 2},
    ]
    assert '"name": "answer"' in display["data"]["text/plain"]
    silent = fresh.run("%who --json", silent=True, store_history=False).ok()
    assert silent.displays == [display], "an extension asks without a trace in the notebook"
