"""What a person reads when a cell does not compile: short, with the cell's own line and a caret, a hint for the mistakes that everybody makes; warnings apart."""

import re

import pytest

# (name, cell, line of the error, regex in the text of the error, regex of the hint)
MISTAKES = [
    ("missing semicolon", "int a = 1\nint b = 2;", 1, "expected ';'", "(?i);|semicolon"),
    ("undeclared name with a suggestion", "int counter_of_things = 1;\ncounter_of_thing + 1", 2,
     "counter_of_thing", "counter_of_things"),
    ("undeclared name in std", "std::vectr<int> v;", 1, "vectr", "vector"),
    ("missing include", "std::scoped_allocator_adaptor<int> v;", 1, "scoped_allocator_adaptor",
     "#include <scoped_allocator>"),
    ("missing include of a function", "std::feclearexcept(0);", 1, "feclearexcept",
     "#include <cfenv>"),
    ("std:: forgotten", "vector<int> v;", 1, "vector", "std::vector"),
    ("std:: forgotten for cout", 'cout << "x";', 1, "cout", "std::cout"),
    ("too few arguments", "int two(int a, int b) { return a + b; }\ntwo(1)", 2, "argument",
     "(?i)argument|takes 2|2 "),
    ("too many arguments", "int one(int a) { return a; }\none(1, 2, 3)", 2, "argument",
     "(?i)argument|takes 1|1 "),
    ("const", "const int fixed = 1;\nfixed = 2;", 2, "const", "(?i)const"),
    ("const member function", "struct C { int v; void set() const { v = 1; } };", 1, "const",
     "(?i)const"),
    (". for ->", "std::string* s = nullptr;\ns.size()", 2, "pointer", "->"),
    ("-> for .", "std::string s;\ns->size()", 2, "", r"\."),
    ("unmatched bracket", "int f(int a) {\n    if (a) {\n        return 1;\n}\n", None, "",
     r"(?i)\}|bracket|brace"),
    ("unmatched parenthesis", "int x = (1 + 2;", 1, "", r"(?i)\)|bracket|parenthes"),
    ("a function of a library has the same name",
     "namespace lib { double logit(double x) { return x; } }\nlogit(1.0)", 2, "logit'\n",
     "cell that does; or did you mean lib::logit"),
    ("several functions of a name",
     "int summed(int a) { return a; }\nint summed(double a) { return 1; }\nsummed", 3, "overloaded",
     "summed is the name of several functions"),
    ("a template's name", "template <class T> T meant(T a) { return a; }\nint before = 1; meant", 2,
     "overloaded", r"call it, as in meant\(…\)"),
    ("a member function's name", "std::string s;\ns.size", 2, "must be called", r"\( \)"),
    ("a type's name", "std::string", 1, "expected expression", "std::string is a type"),
    ("narrowing in braces", "double d = 1.5;\nint n{d};", 2, "narrow",
     "(?i)static_cast|round|parenthes|=|convert"),
    ("an expression of xtensor for a number",
     "#include <xtensor/xarray.hpp>\nfloat mean(const xt::xarray<float>& image) { return xt::mean(image); }",
     2, "conversion", r"not a number yet: write \(\) after it"),
    ("two brackets for an element of xtensor",
     "#include <xtensor/xtensor.hpp>\nxt::xtensor<float, 2> c{{1, 2}, {3, 4}};\nc[0][1]", 3,
     "subscripted", r"c\(i, j\)"),
]


@pytest.mark.parametrize("name, code, line, message, hint", MISTAKES, ids=[m[0] for m in MISTAKES])
def test_common_mistake(kernel, name, code, line, message, hint):
    result = kernel.run(code)
    assert result.ename == "CompileError", result
    whole = result.traceback
    assert re.search(message, result.evalue + "\n" + whole), whole
    if line:
        source = code.split("\n")[line - 1]
        assert source in whole, f"the cell's line {source!r} is not in\n{whole}"
        assert re.search(rf"\b{line}\b", whole), f"line {line} is not named in\n{whole}"
    assert "^" in whole, f"no caret in\n{whole}"
    assert "unmatched" in name or re.search(r"(?i)hint|try|did you mean",
                                            whole), f"no hint in\n{whole}"
    assert re.search(hint, whole), f"{hint} is not in\n{whole}"
    assert len(whole.strip().split("\n")) < 25, f"too long:\n{whole}"
    assert result.stderr == "" and result.stdout == ""


def test_missing_return(kernel):
    """It compiles: the warning says what is wrong."""
    result = kernel.run("int no_return(int x) {\n    x + 1;\n}").ok()
    assert result.stderr == "" and "return" in result.shown and "^" in result.shown and re.search(
        r"(?i)hint|try", result.shown)


def test_assignment_for_comparison(kernel):
    result = kernel.run("int e = 1;\nif (e = 2) e = 3;\ne").ok()
    assert result.result == "3" and result.stderr == ""
    assert "==" in result.shown and "if (e = 2)" in result.shown and "^" in result.shown


def test_caret_stands_under_the_mistake(kernel):
    result = kernel.run("int fine = 1;\n    int broken = fine + unknown_thing;")
    lines = result.traceback.split("\n")
    i = next(i for i, text in enumerate(lines) if "int broken" in text)
    assert lines[i].index("unknown_thing") == lines[i + 1].index("^"), result.traceback


def test_caret_after_tabs_and_umlauts(kernel):
    result = kernel.run('\tstd::string ä = "größe"; unknown_here;')
    lines = result.traceback.split("\n")
    i = next(i for i, text in enumerate(lines) if "unknown_here" in text and "größe" in text)
    before = lines[i][:lines[i].index("unknown_here")]
    caret = lines[i + 1][:lines[i + 1].index("^")]
    assert len(before.expandtabs()) == len(caret.expandtabs()), result.traceback


def test_at_most_three_errors(kernel):
    result = kernel.run("\n".join(f"int bad{i} = missing{i};" for i in range(10)))
    assert all(f"missing{i}" in result.traceback
               for i in range(3)) and "missing5" not in result.traceback
    assert "missing0" in result.evalue
    assert re.search(r"\b7\b|more",
                     result.traceback), f"nothing says that there are more\n{result.traceback}"


def test_no_template_backtrace(kernel):
    result = kernel.run(
        "#include <algorithm>\n#include <list>\nstd::list<int> l{2, 1};\nstd::sort(l.begin(), l.end());"
    )
    assert result.ename == "CompileError"
    assert "std::sort(l.begin(), l.end());" in result.traceback and re.search(
        r"\b4\b", result.traceback)
    assert len(result.traceback) < 2500, result.traceback
    assert len(result.traceback.strip().split("\n")) < 25, result.traceback


@pytest.mark.parametrize(
    "code",
    [
        "std::map<std::string, int> m; m.push_back(1);",
        "xt::xarray<double> x{1, 2}; x.foo();",
        "std::vector<std::unique_ptr<int>> v; auto w = v;",
        "std::cout << std::vector<int>{};",
        "struct NoLess {}; std::set<NoLess> s; s.insert(NoLess{});",
    ],
)
def test_deep_errors_are_short(kernel, code):
    kernel.run(
        "#include <xtensor/xarray.hpp>\n#include <memory>\n#include <set>\n#include <map>").ok()
    result = kernel.run(code)
    assert result.ename == "CompileError"
    assert code in result.traceback, f"the cell's own line is not in\n{result.traceback}"
    assert len(result.traceback) < 3000, result.traceback


def test_no_generated_names(kernel):
    """What the Jupyter kernel wraps around a cell does not show."""
    kernel.run("struct Given { int x; }; void takes(const Given& g) {}").ok()
    for code in ("takes(1);", "Given g; g.y", "Given{}.z();",
                 "auto l = [&](Given q) { return q.w; };", "for (auto g : Given{}) {}"):
        result = kernel.run(code)
        assert result.ename == "CompileError"
        assert not re.search(r"__c\d|__xcpp|_cell|xcpp::|incr_module|input_line|/tmp|__top",
                             result.traceback + result.evalue), result.traceback


AFTER_A_REDEFINITION = [
    ("takes(Twice{1})", "takes still takes the older one. Run its cell, In[{second}], again"),
    ("takes_reference(Twice{1})",
     "takes_reference still takes the older one. Run its cell, In[{second}], again"),
    ("takes_many(std::vector<Twice>{})", "takes_many still takes the older one"),
    ("Twice{1} + Twice{2}",
     "the function still takes the older one. Run its cell, In[{second}], again"),
    ("Twice again = made;", "Run the cells again that hold on to the older one"),
    ("Twice* pointer = &made;", "Run the cells again that hold on to the older one"),
]


@pytest.mark.parametrize("code, hint", AFTER_A_REDEFINITION)
def test_a_type_that_was_defined_again(kernel, code, hint):
    """Not "takes wants Twice, got Twice"."""
    first = kernel.run("struct Twice { int x; };").ok().count
    second = kernel.run(
        "int takes(Twice t) { return t.x; }\nint takes_reference(const Twice& t) { return t.x; }\nint takes_many(std::vector<Twice> t) { return 1; }\n"
        "Twice operator+(Twice a, Twice b) { return a; }\nTwice made{1};").ok()
    third = kernel.run("struct Twice { int x; };").ok().count
    result = kernel.run(code)
    assert result.ename == "CompileError"
    assert f"Twice was defined again by In[{third}], and the older Twice of In[{first}] is another type" in result.traceback, result.traceback
    assert hint.format(second=second.count) in result.traceback, result.traceback
    kernel.run(second.code).ok()
    kernel.run(code).ok()


def test_error_in_an_included_file_names_the_file(kernel):
    kernel.run(
        "%%file broken_header.hpp\n#pragma once\nint from_header() { return missing_in_header; }"
    ).ok()
    result = kernel.run('#include "broken_header.hpp"')
    assert "broken_header.hpp" in result.traceback and "missing_in_header" in result.traceback and re.search(
        r"\b2\b", result.traceback)


def test_header_can_be_mended_and_included_again(kernel):
    kernel.run("%%file corrected_header.hpp\n#pragma once\nint from_corrected() { return missing; }").ok()
    assert kernel.run('#include "corrected_header.hpp"').ename == "CompileError"
    kernel.run(
        "%%file corrected_header.hpp\n#pragma once\ninline int from_corrected() { return 5; }").ok()
    assert kernel.value('#include "corrected_header.hpp"\nfrom_corrected()') == "5"


def test_line_numbers_after_statements_and_definitions(kernel):
    code = "int la = 1;\nla += 1;\nint lf() { return 1; }\nla += lf();\n\nstruct LS { int x; };\nla += missing_at_seven;\nint lb = 2;"
    result = kernel.run(code)
    assert "la += missing_at_seven;" in result.traceback and re.search(
        r"\b7\b", result.evalue + result.traceback)


def test_evalue_is_one_line(kernel):
    result = kernel.run("int z = undeclared_one;\nint y = undeclared_two;")
    assert "\n" not in result.evalue and "undeclared_one" in result.evalue


def test_uncaught_exception(kernel):
    result = kernel.run('int prepared = 1;\nthrow std::runtime_error("said once");')
    assert (result.ename, result.evalue) == ("std::runtime_error", "said once")
    assert "said once" in result.traceback and result.stderr == "" and result.stdout == ""


def test_exceptions_header_is_there_without_an_include(fresh):
    assert fresh.run('throw std::invalid_argument("no include");').ename == "std::invalid_argument"


# Warnings


def test_warning_is_a_display_not_stderr(kernel):
    result = kernel.run(
        "int warned(int x) {\n    if (x = 3) return 4;\n    return x;\n}\nwarned(4)").ok()
    assert result.result == "4" and result.stderr == "" and result.stdout == ""
    assert len(result.displays) == 1 and "if (x = 3)" in result.shown and "^" in result.shown


def test_a_comma_in_brackets_is_a_warning(kernel):
    result = kernel.run("#include <xtensor/xtensor.hpp>\nxt::xtensor<float, 2> table{{1, 2}, {3, 4}};\n"
                        "for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) table[i, j] = 0;").ok()
    assert "table[i, j] is table[j] in C++" in result.shown and "table(i, j)" in result.shown, result
    quiet = kernel.run("int a = 0, b = 1;\na, b;\nfor (int i = 0, j = 0; i < 2; ++i, ++j) ;\na + b;").ok()
    assert quiet.shown == "", quiet


def test_no_colours(kernel):
    """JupyterLab's colours have too little contrast on the background of errors, in the light or in the dark theme."""
    for code in ("int n = 1\nn", "throw std::runtime_error(\"x\");", "abort();", "%no_such_magic"):
        shown = "\n".join(kernel.run(code).reply["content"]["traceback"])
        assert set(re.findall(r"\x1b\[([0-9;]*)m", shown)) == {"0", "1"}, shown


@pytest.mark.parametrize("threads", ["", "std::thread([] { for (;;) pause(); }).detach();"],
                         ids=["taken over", "rehearsed"])
def test_a_name_that_a_failed_cell_would_have_defined(fresh, threads):
    fresh.run("#include <thread>\n#include <unistd.h>\n" + threads).ok()
    failed = fresh.run("int area(int a) { return a * a }\nint other = 1;")
    result = fresh.run("area(3)")
    assert f"In[{failed.count}] would define area, but it failed: " in result.traceback, result
    assert "expected ';'" in result.traceback
    fresh.run("int area(int a) { return a * a; }").ok()
    assert fresh.value("area(3)") == "9"
    assert fresh.value('extern "C" int xcpp_cell_failed(const char*);\nxcpp_cell_failed("area")') == "0"
    again = fresh.run("int area(int a) { return a * b; }")
    assert fresh.value('xcpp_cell_failed("area")') == str(again.count)
    assert fresh.value("area(3)") == "9"


@pytest.mark.parametrize("rest", ["{ return a;", "{ if (a > 0 { return a; }\n return 1; }"])
def test_a_name_whose_cell_has_a_bracket_too_few(fresh, rest):
    fresh.run("namespace lib { int of_sides(int a) { return a; } }").ok()
    failed = fresh.run("int of_sides(int a) " + rest)
    assert failed.ename == "CompileError"
    result = fresh.run("of_sides(3)")
    assert f"In[{failed.count}] would define of_sides, but it failed: " in result.traceback, result
    assert "did you mean" not in result.traceback
    assert fresh.value('extern "C" int xcpp_cell_failed(const char*);\n'
                       'xcpp_cell_failed("of_sides")') == str(failed.count)
    fresh.run("int of_sides(int a) { return a + 1; }").ok()
    assert fresh.value("of_sides(3)") == "4"


def test_a_power_is_no_exclusive_or(kernel):
    result = kernel.run("float side_of = 2;\nside_of^2")
    assert "hint: in C++ ^ is the exclusive or" in result.traceback, result


def test_damage_of_the_heap_has_a_sentence(kernel):
    result = kernel.run("auto* a = static_cast<volatile long*>(malloc(400));\na[-1] = 12345;  // its size stands there\nfree((void*)a);")
    assert result.ename == "Crash" and "memory was damaged (SIGABRT): something was written outside of an array" in result.evalue, result


def test_a_second_run_finds_the_line_that_damaged_the_heap(fresh):
    """Under the address sanitizer, with what earlier cells declare, and without a second output. Not
    where other tests have declared what one program cannot hold."""
    fresh.run("#include <iostream>\n#include <vector>\nstd::vector<long> table(50);\nvolatile long* first = table.data();").ok()
    result = fresh.run("std::cout << 7 << std::endl;\nfirst[-1] = 12345;  // its size stands there\n"
                       "table.clear(); table.shrink_to_fit();")
    assert result.ename == "Crash", result
    found = f"found it: heap-buffer-overflow, In[{result.count}], line 2."
    assert found in result.evalue and found in result.traceback, result
    assert result.stdout == "7\n", result.stdout
    assert fresh.value("table.size()") == "50"


def test_an_ignored_nodiscard_is_a_warning(kernel):
    kernel.run("[[nodiscard]] int not_to_be_ignored() { return 1; }").ok()
    assert "nodiscard" in kernel.run("not_to_be_ignored();").ok().shown
    assert kernel.run("not_to_be_ignored()").ok().shown == ""


def test_code_without_mistakes_has_no_warning(kernel):
    for code in (
            "int unused_global = 1;",
            "1 + 1",
            "int w = 1; w == 1",
            "auto lam = [](int) { return 1; };",
            "for (size_t i = 0; i < std::vector<int>(3).size(); ++i) {}",
            "static int st = 1;",
            "int f_with(int unused_parameter) { return 1; }",
            'const char* p = "x";',
            "namespace { int anon = 1; }",
            "std::vector<int> ve{1}; ve[0]",
    ):
        assert kernel.run(code).ok().displays == [], code


def test_silent_while_grading(make_kernel):
    kernel = make_kernel(env={"NBGRADER_EXECUTION": "autograde"})
    result = kernel.run(
        "int warned(int x) {\n    if (x = 3) return 4;\n    return x;\n}\nwarned(4)").ok()
    assert result.displays == [] and result.stderr == "" and result.result == "4"


def test_nothing_on_stderr_while_grading(make_kernel):
    """Any stderr text gives 0 points."""
    kernel = make_kernel(env={"NBGRADER_EXECUTION": "validate"})
    for code in ("#include <xtensor/xarray.hpp>\nxt::xarray<double> x{1, 2};\nx", "undeclared",
                 "abort();", "throw 1;", "#include <cassert>\nassert(false);"):
        assert kernel.run(code).stderr == ""


def test_verbose_shows_all(kernel):
    code = "\n".join(f"int bad{i} = missing{i};" for i in range(6))
    result = kernel.run("%%verbose\n" + code)
    assert result.ename == "CompileError" and all(f"missing{i}" in result.traceback
                                                  for i in range(6))
    assert kernel.value("%%verbose\nint verbose_value = 4;\nverbose_value") == "4"
    deep = "#include <algorithm>\n#include <list>\nstd::list<int> l{2, 1};\nstd::sort(l.begin(), l.end());"
    assert len(kernel.run("%%verbose\n" + deep).traceback) > len(kernel.run(deep).traceback)


def test_a_name_is_missing_because_its_cell_failed(kernel):
    kernel.run('int unmade() { throw std::runtime_error("write unmade first"); }').ok()
    assert kernel.run("int made_of_it = unmade();").ename == "std::runtime_error"
    assert kernel.run("int and_of_that = made_of_it + 1;").ename == "CompileError"
    for name in ("made_of_it", "and_of_that"):
        result = kernel.run(name)
        said = re.search(rf"In\[\d+\] would define {name}, but it failed: (.*)", result.traceback)
        assert said and "write unmade first" in said[1], result.traceback
    kernel.run("int unmade() { return 1; }").ok()
    kernel.run("int made_of_it = unmade();").ok()
    assert kernel.value("made_of_it") == "1"


def test_a_name_is_missing_because_its_cell_crashed(kernel):
    assert kernel.run("int in_a_crash = *static_cast<volatile int*>(nullptr);").ename == "Crash"
    assert "would define in_a_crash, but it failed: segmentation fault" in kernel.run(
        "in_a_crash").traceback
