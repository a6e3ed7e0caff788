"""Inspection, completion and is_complete: what is said about code that is not run."""

import os

import pytest


@pytest.mark.parametrize(
    "name, word",
    [
        ("std::vector", "vector"),
        ("my_function", "my_function"),
        ("my_struct.field_b", "field_b"),
        ("std::sort", "sort"),
        ("MyStruct", "MyStruct"),
        ("my_macro_17", "17"),
    ],
)
def test_question_mark(kernel, name, word):
    kernel.run(
        "/// Adds one.\nint my_function(int x) { return x + 1; }\nstruct MyStruct { int field_a; double field_b; } my_struct;\n#define my_macro_17 17"
    ).ok()
    result = kernel.run(f"?{name}").ok()
    assert [p["source"] for p in result.payload] == ["page"]
    text = result.payload[0]["data"]["text/plain"]
    assert word in text, text
    if name == "my_function":
        assert "int my_function(int x)" in text or "int (int)" in text, text
        assert "Adds one." in text, text
    if name == "my_struct.field_b":
        assert "double" in text, text


def test_question_mark_of_a_member(kernel):
    kernel.run("std::vector<int> inspected;").ok()
    assert "push_back" in kernel.run("?inspected.push_back").ok().payload[0]["data"]["text/plain"]


def test_question_mark_of_nothing(kernel):
    result = kernel.run("?no_such_name_here")
    text = (result.evalue or "") + "".join(
        str(p) for p in (result.payload if result.status == "ok" else []))
    assert "no_such_name_here" in text + result.shown + result.stdout


@pytest.mark.parametrize("name, page", [
    ("std::vector", "w/cpp/container/vector"),
    ("std::sort", "w/cpp/algorithm/sort"),
    ("std::find_if", "w/cpp/algorithm/find"),
    ("std::unique_ptr", "w/cpp/memory/unique_ptr"),
    ("std::make_shared", "w/cpp/memory/shared_ptr/make_shared"),
    ("std::thread", "w/cpp/thread/thread"),
    ("std::this_thread::sleep_for", "w/cpp/thread/sleep_for"),
    ("std::atomic", "w/cpp/atomic/atomic"),
    ("linked_counter.fetch_add", "w/cpp/atomic/atomic/fetch_add"),
    ("std::cout", "w/cpp/io/cout"),
    ("std::ostringstream", "w/cpp/io/basic_ostringstream"),
    ("std::setw", "w/cpp/io/manip/setw"),
    ("std::string", "w/cpp/string/basic_string"),
    ("linked_text.length", "w/cpp/string/basic_string/size"),
    ("linked_text.c_str", "w/cpp/string/basic_string/c_str"),
    ("std::sqrt", "w/cpp/numeric/math/sqrt"),
    ("std::codecvt", "mwiki/index.php?search=std::codecvt"),
])
def test_links_to_cppreference(kernel, name, page):
    kernel.run("#include <atomic>\n#include <cmath>\n#include <iomanip>\n#include <locale>\n#include <thread>\n"
               "std::atomic<int> linked_counter{0};\nstd::string linked_text;").ok()
    reply = kernel.request("inspect_request", {"code": name, "cursor_pos": len(name), "detail_level": 0})
    link = f"https://en.cppreference.com/{page}"
    assert f"    {link}\n" in reply["data"]["text/plain"], reply
    assert f'<a href="{link}">' in reply["data"]["text/html"]


def test_names_of_cells_have_no_link(kernel):
    kernel.run("struct Unlinked {\n    int size() const { return 1; }\n} unlinked;").ok()
    for name in ("Unlinked", "unlinked.size"):
        reply = kernel.request("inspect_request", {"code": name, "cursor_pos": len(name), "detail_level": 0})
        assert reply["found"] and "cppreference" not in str(reply["data"])


def test_inspect_request(kernel):
    kernel.run("int inspect_me(double width) { return 1; }\nstd::vector<int> vec;").ok()
    reply = kernel.request("inspect_request", {
        "code": "inspect_me(2)",
        "cursor_pos": 5,
        "detail_level": 0
    })
    assert reply["found"] and "double width" in reply["data"]["text/plain"]
    reply = kernel.request("inspect_request", {
        "code": "int x = vec.size() + 1;",
        "cursor_pos": 14,
        "detail_level": 1
    })
    assert reply["found"] and "size" in reply["data"]["text/plain"]
    reply = kernel.request("inspect_request", {
        "code": "inspect_me(",
        "cursor_pos": 11,
        "detail_level": 0
    })
    assert reply["found"], "Shift-Tab after an opening parenthesis shows the function"
    assert not kernel.request("inspect_request", {
        "code": "   ",
        "cursor_pos": 1,
        "detail_level": 0
    })["found"]


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
    ("completed_enum = CompletedEnum::cri", "crimson"),
    ("CompletedEnum other_enum = cri", "CompletedEnum::crimson"),
    ("%unde", None),
    ("%und", "%undo"),
    ("no_such_prefix_at_all", None),
]


@pytest.mark.parametrize("code, expected", COMPLETIONS)
def test_completion(kernel, code, expected):
    kernel.run(
        "int completed_variable_one = 1;\nvoid completed_function() {}\nstruct CompletedStruct { int field; void method() {} } completed_object, *completed_pointer = &completed_object;\n"
        "namespace own_space { int inside = 1; }\n#define COMPLETED_MACRO 1\nenum class CompletedEnum { crimson, blue } completed_enum;"
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


def test_completion_shows_names_of_cells_first_and_well_known_ones(kernel):
    kernel.run("int foo_user = 1;").ok()
    matches = kernel.request("complete_request", {"code": "f", "cursor_pos": 1})["matches"]
    assert "foo_user" in matches[:5], matches[:20]
    matches = kernel.request("complete_request", {"code": "std::", "cursor_pos": 5})["matches"]
    assert {"vector", "string", "sort", "cout"} <= set(matches), matches[:20]


def test_completion_by_abbreviation_with_documentation(kernel):
    kernel.run("/// Counts the users.\nint count_all_users() { return 1; }").ok()
    reply = kernel.request("complete_request", {"code": "cau", "cursor_pos": 3})
    assert reply["matches"][0] == "count_all_users", reply["matches"][:20]
    described = reply["metadata"]["_jupyter_types_experimental"][0]
    assert described["documentation"] == "Counts the users.", described
    code = "std::lock_guar"  # from a header of the standard library
    reply = kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})
    described = reply["metadata"]["_jupyter_types_experimental"][0]
    assert "mutex" in described["documentation"], described


def test_completion_begins_with_the_expected_type(kernel):
    kernel.run("enum class Shade { light, dark };\nint shade_count = 2;").ok()
    code = "Shade s = "
    matches = kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})["matches"]
    assert matches[:2] == ["Shade::dark", "Shade::light"], matches[:20]


def test_completion_ends_even_if_a_cell_handles_sigalrm(make_kernel):
    """A header that cannot be read to its end; the process that completes is ended by its alarm."""
    kernel = make_kernel()
    os.mkfifo(kernel.work / "endless.hpp")
    kernel.run("#include <csignal>\n#include <unistd.h>\nstd::signal(SIGALRM, [](int) {});").ok()
    session = kernel.value("getpid()")
    code = f'#include "{kernel.work}/endless.hpp"\nsome'
    kernel.request("complete_request", {"code": code, "cursor_pos": len(code)}, timeout=30)
    assert kernel.value("getpid()", timeout=30) == session



@pytest.mark.parametrize(
    "code, status",
    [
        ("1", "complete"),
        ("int j=5", "complete"),
        ("int j = 5;", "complete"),
        ("void f() {}", "complete"),
        ("", "complete"),
        ("struct S { int x; };", "complete"),
        ("double sqr(double a", "incomplete"),
        ("void f() {", "incomplete"),
        ("/* open", "incomplete"),
        ("#if 1\nint a;", "incomplete"),
        ('R"(open', "incomplete"),
        ("#define A \\", "incomplete"),
        ("if (true)", "incomplete"),
        ("template <class T>", "incomplete"),
        ("int a = ", "incomplete"),
        ("int a = 1;}", "invalid"),
        ("a[1)", "invalid"),
        ("!ls", "complete"),
        ("%who", "complete"),
        ("?std::vector", "complete"),
    ],
)
def test_is_complete(kernel, code, status):
    reply = kernel.request("is_complete_request", {"code": code})
    assert reply["status"] == status
    if status == "incomplete":
        assert isinstance(reply["indent"], str)
