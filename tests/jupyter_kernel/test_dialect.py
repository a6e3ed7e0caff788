"""Every row of the dialect that xcpp17 notebooks speak, through a real client."""
import json
import os
import re
import subprocess
import sys

import pytest

from client import jupyter_path, kernelspec_manager

# kernelspec


def test_kernelspec():
    spec = kernelspec_manager().get_kernel_spec("xcpp17")
    assert spec.argv[1:3] == ["-f", "{connection_file}"] and "-std=c++17" in spec.argv
    assert os.access(spec.argv[0], os.X_OK)
    assert spec.language in ("C++17", "cpp") and spec.display_name
    assert spec.interrupt_mode in ("signal", "message")
    assert any((jupyter_path() / "kernels" / "xcpp17").glob("logo*"))


def test_flags_appended_to_argv(make_kernel, tmp_path):
    (tmp_path / "beside.hpp").write_text("inline int beside() { return 5; }")
    kernel = make_kernel(extra_arguments=["-DFROM_ARGV=42", f"-I{tmp_path}"])
    assert kernel.value("FROM_ARGV") == "42"
    assert kernel.value('#include "beside.hpp"\nbeside()') == "5"


def test_another_standard(make_kernel):
    kernel = make_kernel(extra_arguments=["-std=c++20"])
    assert kernel.value("template <class T> concept Any = true; template <Any T> int f20(T) { return 20; }\nf20(1)") == "20"


def test_unknown_flag_is_told_and_not_fatal(make_kernel):
    kernel = make_kernel(extra_arguments=["-fno-such-flag-anywhere"])
    result = kernel.run("40 + 2").ok()
    assert result.result == "42"
    assert "no-such-flag" in result.shown + result.stderr + result.stdout


def test_version_of_cplusplus(kernel):
    assert kernel.value("__cplusplus") == "201703"


# Last values

VALUES = [
    ("6 * 7", "42"),
    ("int j = 5;j", "5"),
    ("true", "true"),
    ("'a'", "'a'"),
    ("1.5", r"1\.50*"),
    ("2.5f", r"2\.50*f?"),
    ("-3L", "-3"),
    ("42ull", "42"),
    ("(unsigned char)'b'", "'b'"),
    ("(short)7", "7"),
    ("1e300", r"1(\.0*)?e\+300"),
    ("0.1 + 0.2", r"0\.30*4?"),
    ('"a literal"', '"a literal"'),
    ('std::string("text")', '"text"'),
    ('std::string_view("view")', '"view"'),
    ('std::string("with \\"quotes\\" and\\nlines")', r'"with .*quotes.*"'),
    ("nullptr", "nullptr"),
    ("(int*)nullptr", r"nullptr|0x0|\(nil\)"),
    ("std::vector<int>{1, 2, 3}", r"\{ 1, 2, 3 \}"),
    ("std::vector<int>{}", r"\{ *\}"),
    ("std::vector<std::vector<int>>{{1}, {2, 3}}", r"\{ \{ 1 \}, \{ 2, 3 \} \}"),
    ('std::vector<std::string>{"a", "b"}', r'\{ "a", "b" \}'),
    ("std::vector<bool>{true, false}", r"\{ true, false \}"),
    ("std::array<double, 2>{0.5, 1.5}", r"\{ 0\.50*, 1\.50* \}"),
    ("std::list<int>{1, 2}", r"\{ 1, 2 \}"),
    ("std::set<int>{2, 1}", r"\{ 1, 2 \}"),
    ('std::map<std::string, int>{{"a", 1}, {"b", 2}}', r'\{ "a" (=>|:) 1, "b" (=>|:) 2 \}'),
    ("std::pair<int, std::string>{1, \"x\"}", r'[({] ?1, "x" ?[)}]'),
    ("std::tuple<int, double, char>{1, 2.5, 'c'}", r"[({] ?1, 2\.50*, 'c' ?[)}]"),
    ("#include <complex>\nstd::complex<double>(1, 2)", r".*1.*2.*"),
    ("#include <optional>\nstd::optional<int>(3)", ".*3.*"),
    ("std::make_unique<int>(3) != nullptr", "true"),
    ("std::make_shared<int>(3)", ".+"),
    ("int carray[3] = {1, 2, 3};\ncarray", r"\{ 1, 2, 3 \}"),
    ("enum class E3 { a = 4 };\nE3::a", ".*(a|4).*"),
    ("int counter = 1;\ncounter += 4", "5"),
    ("++counter", r"\d+"),
    ("[](int x) { return x; }", ".+"),
    ("struct Unknown { int x = 1; };\nUnknown{}", ".*Unknown.*"),
    ("std::cout", ".*"),
    ("sizeof(int)", "4"),
    ("5 > 3 ? 'y' : 'n'", "'y'"),
    ("(1, 2)", "2"),
]


@pytest.mark.parametrize("code, expected", VALUES, ids=[code.split("\n")[-1] for code, _ in VALUES])
def test_last_value(kernel, code, expected):
    result = kernel.run(code).ok()
    assert result.result is not None and re.fullmatch(expected, result.result, re.S), result.result
    assert result.stdout == "" and result.stderr == ""


@pytest.mark.parametrize("code", ["6 * 7;", "int no_value = 3;", "void nothing() {}\nnothing()", "for (;;) break;", "using X9 = int;", "", "   ", "// only a comment", "#define NOTHING_HERE"])
def test_no_value(kernel, code):
    assert kernel.run(code).ok().result is None


def test_ostream_operator_shows_a_value(kernel):
    """Where a type can be printed, its value is what is printed."""
    kernel.run('struct Printed { int x; };\nstd::ostream& operator<<(std::ostream& out, const Printed& p) { return out << "Printed(" << p.x << ")"; }').ok()
    assert kernel.value("Printed{4}") == "Printed(4)"


def test_value_of_an_xtensor_array_is_a_table(kernel):
    result = kernel.run("#include <xtensor/xarray.hpp>\nxt::xarray<double> table{{1.5, 2.}, {3., 4.}};\ntable").ok()
    assert "<table" in result.data["text/html"] and "1.5" in result.data["text/html"]
    assert re.search(r"1\.5,? +2", result.data["text/plain"])


@pytest.mark.parametrize("code", ["xt::xtensor<float, 2>{{1, 2}, {3, 4}}", "xt::xarray<int>{1, 2, 3}", "table + 1", "xt::view(table, 0, xt::all())", "xt::zeros<double>({2, 2})", "xt::transpose(table)"])
def test_value_of_an_xtensor_expression(kernel, code):
    kernel.run("#include <xtensor/xarray.hpp>\n#include <xtensor/xtensor.hpp>\n#include <xtensor/xview.hpp>\nxt::xarray<double> table{{1., 2.}, {3., 4.}};").ok()
    assert "<table" in kernel.run(code).ok().data["text/html"]


def test_large_array_is_cut(kernel):
    result = kernel.run("#include <xtensor/xarray.hpp>\n#include <xtensor/xbuilder.hpp>\nxt::xarray<double> large = xt::zeros<double>({1000, 1000});\nlarge").ok()
    assert len(result.data["text/html"]) < 200_000 and "..." in result.data["text/html"].replace("…", "...").replace("\\cdots", "...").replace("&hellip;", "...")


# Rich display

REPR = """#include <nlohmann/json.hpp>
namespace own {
struct Picture { std::string name; };
nlohmann::json mime_bundle_repr(const Picture& p) {
    auto bundle = nlohmann::json::object();
    bundle["text/html"] = "<b>" + p.name + "</b>";
    bundle["text/plain"] = p.name;
    return bundle;
}
}
own::Picture picture{"rose"};"""


def test_mime_bundle_repr(kernel):
    kernel.run(REPR).ok()
    assert kernel.run("picture").ok().data == {"text/html": "<b>rose</b>", "text/plain": "rose"}
    shown = kernel.run('#include "xcpp/xdisplay.hpp"\nxcpp::display(picture);').ok()
    assert shown.of("display_data")[0]["content"]["data"]["text/html"] == "<b>rose</b>"


def test_mime_bundle_repr_in_the_global_namespace(kernel):
    kernel.run('#include <nlohmann/json.hpp>\nstruct Plain { int x; };\nnlohmann::json mime_bundle_repr(const Plain& p) { return {{"text/plain", "plain " + std::to_string(p.x)}}; }').ok()
    assert kernel.value("Plain{3}") == "plain 3"
    kernel.run('nlohmann::json mime_bundle_repr(const Plain& p) { return {{"text/plain", "again " + std::to_string(p.x)}}; }').ok()
    assert kernel.value("Plain{3}") == "again 3"


def test_display_update_and_clear(kernel):
    result = kernel.run(
        '#include "xcpp/xdisplay.hpp"\nxcpp::display(1);\nxcpp::display(std::string("two"), "the-id");\nxcpp::display(3, "the-id", true);\nxcpp::clear_output(true);\nxcpp::clear_output();'
    ).ok()
    kinds = [m["msg_type"] for m in result.messages if m["msg_type"] not in ("status", "execute_input")]
    assert kinds == ["display_data", "display_data", "update_display_data", "clear_output", "clear_output"]
    assert [content["data"]["text/plain"] for content in result.displays] == ["1", '"two"', "3"]
    assert [content["transient"].get("display_id") for content in result.displays[1:]] == ["the-id", "the-id"]
    assert [m["content"]["wait"] for m in result.of("clear_output")] == [True, False]


def test_display_comes_in_order_with_streams(kernel):
    result = kernel.run('#include "xcpp/xdisplay.hpp"\nstd::cout << "before";\nxcpp::display(1);\nstd::cout << "after";\nxcpp::display(2);').ok()
    kinds = [m["content"].get("text") or m["content"]["data"]["text/plain"] for m in result.of("stream", "display_data")]
    assert kinds == ["before", "1", "after", "2"]


def test_display_from_a_later_cell_and_a_thread(kernel):
    result = kernel.run('#include "xcpp/xdisplay.hpp"\n#include <thread>\nstd::thread([] { xcpp::display(7); }).join();').ok()
    assert result.displays[0]["data"]["text/plain"] == "7"


def test_publish_from_the_c_interface(kernel):
    result = kernel.run(r'''#include "xcpp/capi.h"
xcpp_publish("display_data", R"({"data": {"application/json": {"a": [1, 2]}}, "metadata": {"m": 1}})", "")''').ok()
    assert result.result == "0"
    assert result.displays[0]["data"]["application/json"] == {"a": [1, 2]}
    assert kernel.value('xcpp_publish("display_data", "this is no JSON", "")') == "-1"


def test_library_finds_the_c_interface_by_dlsym(kernel):
    assert kernel.value('#include <dlfcn.h>\ndlsym(RTLD_DEFAULT, "xcpp_publish") != nullptr && dlsym(RTLD_DEFAULT, "xcpp_interrupted") != nullptr') == "true"


def test_cell_source(kernel):
    first = kernel.run("int from_source = 1; // remember me").ok()
    assert "remember me" in kernel.value(f"std::string(xcpp_cell_source({first.count}))")
    assert kernel.value("xcpp_cell_source(99999) == nullptr") == "true"


# stdin


def test_cin(kernel):
    result = kernel.run("int asked; std::cin >> asked;\nasked * 2", stdin=["21"]).ok()
    assert result.result == "42" and len(result.prompts) == 1


def test_getline_with_a_prompt(kernel):
    result = kernel.run('std::string name; std::cout << "Your name? " << std::flush; std::getline(std::cin, name);\nname', stdin=["Ada Lovelace"]).ok()
    assert result.result == '"Ada Lovelace"'
    assert "Your name?" in result.stdout + result.prompts[0]["prompt"]


def test_several_values_on_a_line_and_over_lines(kernel):
    result = kernel.run("int p, q, r; std::cin >> p >> q >> r;\np * 100 + q * 10 + r", stdin=["1 2", "3"]).ok()
    assert result.result == "123" and len(result.prompts) == 2


def test_rest_of_a_line_is_not_kept_for_the_next_cell(kernel):
    kernel.run("int only_one; std::cin >> only_one;", stdin=["1 2 3"]).ok()
    result = kernel.run("int another; std::cin >> another;\nanother", stdin=["9"]).ok()
    assert result.result in ("9", "2")
    assert kernel.value("40 + 2") == "42"


def test_unicode_input(kernel):
    assert kernel.value("std::string typed; std::getline(std::cin, typed);\ntyped", stdin=["größe 😀"]) == '"größe 😀"'


def test_wrong_input_fails_as_in_any_program(kernel):
    assert kernel.value('int number = 7; std::cin >> number;\nstd::cin.fail()', stdin=["word"]) == "true"
    assert kernel.value("int fine_again; std::cin >> fine_again;\nfine_again", stdin=["5"]) == "5"


def test_input_not_allowed(kernel):
    result = kernel.run("int wanted; std::cin >> wanted;")
    assert result.ename == "InputNotAllowed" and result.evalue


def test_interrupted_input_request(kernel):
    """The late answer is not taken for the next prompt's."""
    result = kernel.run("std::string line; std::getline(std::cin, line);", stdin=[None], interrupt_after=0.5)
    assert result.ename == "Interrupted"
    late = {"header": {"msg_id": "late"}, "parent_header": {}, "metadata": {}, "content": {}}
    kernel.answer("too late", late)
    assert kernel.value("std::string second_line; std::getline(std::cin, second_line);\nsecond_line", stdin=["in time"]) == '"in time"'


def test_input_from_the_c_interface(kernel):
    result = kernel.run('#include "xcpp/capi.h"\nchar line_of_input[64];\nint got = xcpp_input("prompt: ", line_of_input, sizeof line_of_input);\nstd::to_string(got) + line_of_input', stdin=["typed"]).ok()
    assert result.result == '"0typed"' and result.prompts == [{"prompt": "prompt: ", "password": False}]
    assert kernel.value("xcpp_input(\"\", line_of_input, sizeof line_of_input)") == "-1"


# Inspection and completion


@pytest.mark.parametrize("name, word", [("std::vector", "vector"), ("my_function", "my_function"), ("my_struct.field_b", "field_b"), ("std::sort", "sort"), ("MyStruct", "MyStruct"), ("my_macro_17", "17")])
def test_question_mark(kernel, name, word):
    kernel.run("/// Adds one.\nint my_function(int x) { return x + 1; }\nstruct MyStruct { int field_a; double field_b; } my_struct;\n#define my_macro_17 17").ok()
    result = kernel.run(f"?{name}").ok()
    assert [p["source"] for p in result.payload] == ["page"]
    text = result.payload[0]["data"]["text/plain"]
    assert word in text, text
    if name == "my_function":
        assert "int my_function(int x)" in text or "int (int)" in text, text
    if name == "my_struct.field_b":
        assert "double" in text, text


def test_question_mark_of_a_member(kernel):
    kernel.run("std::vector<int> inspected;").ok()
    assert "push_back" in kernel.run("?inspected.push_back").ok().payload[0]["data"]["text/plain"]


def test_question_mark_of_nothing(kernel):
    result = kernel.run("?no_such_name_here")
    text = (result.evalue or "") + "".join(str(p) for p in (result.payload if result.status == "ok" else []))
    assert "no_such_name_here" in text + result.shown + result.stdout


def test_inspect_request(kernel):
    kernel.run("int inspect_me(double width) { return 1; }\nstd::vector<int> vec;").ok()
    reply = kernel.request("inspect_request", {"code": "inspect_me(2)", "cursor_pos": 5, "detail_level": 0})
    assert reply["found"] and "double width" in reply["data"]["text/plain"]
    reply = kernel.request("inspect_request", {"code": "int x = vec.size() + 1;", "cursor_pos": 14, "detail_level": 1})
    assert reply["found"] and "size" in reply["data"]["text/plain"]
    reply = kernel.request("inspect_request", {"code": "inspect_me(", "cursor_pos": 11, "detail_level": 0})
    assert reply["found"], "Shift-Tab after an opening parenthesis shows the function"
    assert not kernel.request("inspect_request", {"code": "   ", "cursor_pos": 1, "detail_level": 0})["found"]


COMPLETIONS = [
    ("completed_variable_", "completed_variable_one"),
    ("completed_fun", "completed_function"),
    ("CompletedStr", "CompletedStruct"),
    ("completed_object.fie", "field"),
    ("completed_pointer->fie", "field"),
    ("completed_object.", "method"),
    ("std::chrono::stea", "steady_clock"),
    ("own_space::ins", "inside"),
    ("std::vector<int> w; w.emplace_b", "emplace_back"),
    ("int in_this_cell_only = 1; in_this_ce", "in_this_cell_only"),
    ("retu", "return"),
    ("for (int i = 0; i < 3; ++i) { completed_fun", "completed_function"),
    ("COMPLETED_MAC", "COMPLETED_MACRO"),
    ("#include <vecto", "vector>"),
    ("%unde", None),
    ("%und", "%undo"),
    ("no_such_prefix_at_all", None),
]


@pytest.mark.parametrize("code, expected", COMPLETIONS)
def test_completion(kernel, code, expected):
    kernel.run(
        "int completed_variable_one = 1;\nvoid completed_function() {}\nstruct CompletedStruct { int field; void method() {} } completed_object, *completed_pointer = &completed_object;\n"
        "namespace own_space { int inside = 1; }\n#define COMPLETED_MACRO 1"
    ).ok()
    reply = kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})
    assert reply["status"] == "ok"
    if expected is None:
        assert reply["matches"] == []
    elif expected == "vector>":
        assert any(m.rstrip(">") in ("vector", "<vector") for m in reply["matches"])
    else:
        assert expected in reply["matches"], reply["matches"][:50]
        assert len(reply["matches"]) == len(set(reply["matches"]))
    assert kernel.run("completed_variable_one").ok().result == "1"


@pytest.mark.parametrize(
    "code, status",
    [
        ("1", "complete"), ("int j=5", "complete"), ("int j = 5;", "complete"), ("void f() {}", "complete"), ("", "complete"), ("struct S { int x; };", "complete"),
        ("double sqr(double a", "incomplete"), ("void f() {", "incomplete"), ("/* open", "incomplete"), ("#if 1\nint a;", "incomplete"), ('R"(open', "incomplete"), ("#define A \\", "incomplete"),
        ("if (true)", "incomplete"), ("template <class T>", "incomplete"), ("int a = ", "incomplete"),
        ("int a = 1;}", "invalid"), ("a[1)", "invalid"), ("!ls", "complete"), ("%who", "complete"), ("?std::vector", "complete"),
    ],
)
def test_is_complete(kernel, code, status):
    reply = kernel.request("is_complete_request", {"code": code})
    assert reply["status"] == status
    if status == "incomplete":
        assert isinstance(reply["indent"], str)


# Magics


def test_timeit(kernel):
    kernel.run("#include <cmath>\nint timed = 0;").ok()
    result = kernel.run("%timeit timed += 1").ok()
    text = result.stdout + result.shown + str(result.result)
    assert re.search(r"\d+(\.\d+)? ?(ns|us|µs|ms|s)\b.*(per loop|loop)", text), text
    result = kernel.run("%timeit -n 10 -r 3 timed = 1000").ok()
    assert re.search(r"3 runs.*10 loops", result.stdout + result.shown), result
    before = int(kernel.value("timed = 0"))
    kernel.run("%timeit -n 5 -r 2 ++timed").ok()
    assert int(kernel.value("timed")) >= before + 10


def test_cell_timeit(kernel):
    result = kernel.run("%%timeit -n 2 -r 2\nint sum = 0;\nfor (int i = 0; i < 10; ++i) sum += i;").ok()
    assert re.search(r"loop", result.stdout + result.shown)


def test_timeit_with_an_error(kernel):
    assert kernel.run("%timeit not_declared + 1").ename == "CompileError"
    assert kernel.run('%timeit throw std::runtime_error("timed");').ename == "std::runtime_error"
    assert kernel.run("%timeit").status == "error"
    assert kernel.value("40 + 2") == "42"


def test_file(kernel):
    kernel.run("%%file written.hpp\n#pragma once\ninline int from_file() { return 12; }").ok()
    assert (kernel.work / "written.hpp").read_text().rstrip("\n") == "#pragma once\ninline int from_file() { return 12; }"
    assert kernel.value('#include "written.hpp"\nfrom_file()') == "12"
    kernel.run("%%file -a written.txt\none").ok()
    kernel.run("%%file -a written.txt\ntwo").ok()
    assert (kernel.work / "written.txt").read_text().split() == ["one", "two"]
    assert kernel.run("%%file /no/such/folder/x\ny").status == "error"


def test_executable(kernel):
    result = kernel.run('%%executable made_here\n#include <cstdio>\nint helper() { return 5; }\nint main() { std::printf("made %d\\n", helper()); return 0; }', timeout=60)
    if result.status == "error":  # the dialect of xeus-cling: the body of main, without main
        result.ok()
    assert subprocess.run([kernel.work / "made_here"], capture_output=True, text=True, check=True).stdout == "made 5\n"


def test_executable_with_an_error(kernel):
    result = kernel.run("%%executable never_made\nint main() { return undeclared; }", timeout=60)
    assert result.ename == "CompileError" and "undeclared" in result.evalue + result.traceback
    assert not (kernel.work / "never_made").exists()


def test_unknown_magic(kernel):
    for code in ("%no_such_magic", "%%no_such_magic\nint x;", "%timit 1"):
        result = kernel.run(code)
        assert result.status == "error" and code.split()[0].lstrip("%") in result.evalue
    assert kernel.value("40 + 2") == "42"


def test_percent_as_an_operator_is_no_magic(kernel):
    assert kernel.value("int modulo = 17\n% 5;\nmodulo") == "2"


def test_list_of_magics(kernel):
    result = kernel.run("%lsmagic").ok()
    text = result.stdout + result.shown + str(result.payload)
    for name in ("%timeit", "%%file", "%%executable", "%undo", "%who"):
        assert name in text


# Shell


def test_shell(kernel):
    assert kernel.run("!echo from the shell").ok().stdout == "from the shell\n"
    assert kernel.run("!echo wrong >&2").ok().stderr == "wrong\n"
    assert kernel.run("!echo one | tr a-z A-Z; pwd").ok().stdout == f"ONE\n{kernel.work}\n"
    mixed = kernel.run('std::cout << "a" << std::endl;\n!echo b\nstd::cout << "c" << std::endl;').ok()
    assert mixed.stdout == "a\nb\nc\n"


def test_shell_command_that_fails(kernel):
    result = kernel.run("!exit 3")
    assert "3" in str(result.evalue) + result.stdout + result.stderr + result.shown
    assert kernel.value("40 + 2") == "42"


# Pragmas


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "include").mkdir()
    (folder / "lib").mkdir()
    (folder / "answer.cpp").write_text('extern "C" int answer_of_library() { return 42; }\nint cpp_answer() { return 43; }\n')
    (folder / "include" / "answer.hpp").write_text('#pragma once\n#pragma cling load("libanswer")\nextern "C" int answer_of_library();\nint cpp_answer();\n')
    (folder / "include" / "add_paths.hpp").write_text(f'#pragma once\n#pragma cling add_library_path("{folder}/lib")\n')
    subprocess.run(["clang++-19", "-shared", "-fPIC", "-o", folder / "lib" / "libanswer.so", folder / "answer.cpp"], check=True)
    return folder


def test_pragmas_in_a_cell(make_kernel, library):
    kernel = make_kernel()
    kernel.run(f'#pragma cling add_library_path("{library}/lib")\n#pragma cling load("libanswer")\nextern "C" int answer_of_library();').ok()
    assert kernel.value("answer_of_library()") == "42"


def test_pragmas_in_a_header(make_kernel, library):
    kernel = make_kernel()
    kernel.run(f'#pragma cling add_include_path("{library}/include")').ok()
    kernel.run('#include "add_paths.hpp"\n#include "answer.hpp"').ok()
    assert kernel.value("answer_of_library() + cpp_answer()") == "85"


def test_pragmas_and_use_in_one_cell(make_kernel, library):
    kernel = make_kernel()
    assert kernel.value(f'#pragma cling add_include_path("{library}/include")\n#pragma cling add_library_path("{library}/lib")\n#include "answer.hpp"\nanswer_of_library()') == "42"
    kernel.run("abort();")
    assert kernel.value("answer_of_library()") == "42"


def test_load_with_a_full_path(make_kernel, library):
    kernel = make_kernel()
    assert kernel.value(f'#pragma cling load("{library}/lib/libanswer.so")\nextern "C" int answer_of_library();\nanswer_of_library()') == "42"


def test_cling_is_defined(kernel):
    assert kernel.value("#ifdef __CLING__\nint cling_here = 1;\n#else\nint cling_here = 0;\n#endif\ncling_here") == "1"


# A notebook written for the peers


def test_a_whole_notebook_of_the_peers_runs(tmp_path):
    """nbconvert executes it, as CI and graders do."""
    nbformat = pytest.importorskip("nbformat")
    cells = ["#include <iostream>\n#include <vector>", "std::cout << \"Hello\" << std::endl;", "double sqr(double a)\n{\n    return a * a;\n}", "double a = 2.5;\ndouble asqr = sqr(a);\nasqr",
             "class Foo\n{\npublic:\n\n    virtual ~Foo() {}\n\n    virtual void print(double value) const\n    {\n        std::cout << \"Foo value = \" << value << std::endl;\n    }\n};", "Foo bar;\nbar.print(1.2);",
             "template <class T>\nclass FooT\n{\npublic:\n\n    explicit FooT(const T& t) : m_t(t) {}\n\n    void print() const\n    {\n        std::cout << m_t << std::endl;\n    }\n\nprivate:\n\n    T m_t;\n};\n\ntemplate <>\nclass FooT<int>\n{\npublic:\n\n    explicit FooT(const int& t) : m_t(t) {}\n\n    void print() const\n    {\n        std::cout << m_t << std::endl;\n    }\n\nprivate:\n\n    int m_t;\n};",
             "FooT<double> foot1(1.2);\nfoot1.print();", "FooT<int> foot2(4);\nfoot2.print();"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells], metadata={"kernelspec": {"name": "xcpp17", "display_name": "C++17", "language": "C++17"}})
    path = tmp_path / "peer.ipynb"
    nbformat.write(notebook, path)
    environment = dict(os.environ, JUPYTER_PATH=str(jupyter_path()))
    run = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    outputs = json.loads(path.read_text())["cells"]
    texts = ["".join("".join(o.get("text", o.get("data", {}).get("text/plain", ""))) for o in c["outputs"]) for c in outputs]
    assert texts[1] == "Hello\n" and texts[3].startswith("6.25") and texts[5] == "Foo value = 1.2\n" and texts[7:] == ["1.2\n", "4\n"]
