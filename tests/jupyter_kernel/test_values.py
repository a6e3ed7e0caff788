"""The value of a cell's last expression, and rich display."""

import re

import pytest

VALUES = [
    ("6 * 7", "42"),
    ("int j = 5;j", "5"),
    ("true", "true"),
    ("'a'", "'a'"),
    ("1.5", r"1\.50*"),
    ("2.5f", r"2\.50*f?"),
    ("-3L", "-3"),
    ("42ull", "42"),
    ("(unsigned char)'b'", "'b'|98"),
    ("(short)7", "7"),
    ("1e300", r"1(\.0*)?e\+300"),
    ("0.1 + 0.2", r"0\.30*4?"),
    ('"a literal"', '"a literal"'),
    ('std::string("text")', '"text"'),
    ('std::string_view("view")', '"view"'),
    ('std::string("with \\"quotes\\" and\\nlines")', r'"with .*quotes.*"'),
    ("nullptr", "nullptr"),
    ("(int*)nullptr", r".*nullptr"),
    ("std::vector<int>{1, 2, 3}", r"\{ 1, 2, 3 \}"),
    ("std::vector<int>{}", r"\{ *\}"),
    ("std::vector<std::vector<int>>{{1}, {2, 3}}", r"\{ \{ 1 \}, \{ 2, 3 \} \}"),
    ('std::vector<std::string>{"a", "b"}', r'\{ "a", "b" \}'),
    ("std::vector<bool>{true, false}", r"\{ true, false \}"),
    ("std::array<double, 2>{0.5, 1.5}", r"\{ 0\.50*, 1\.50* \}"),
    ("std::list<int>{1, 2}", r"\{ 1, 2 \}"),
    ("std::set<int>{2, 1}", r"\{ 1, 2 \}"),
    ('std::map<std::string, int>{{"a", 1}, {"b", 2}}', r'\{ "a" (=>|:) 1, "b" (=>|:) 2 \}'),
    ('std::pair<int, std::string>{1, "x"}', r'[({] ?1, "x" ?[)}]'),
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
    ("sizeof(int)", "4"),
    ("5 > 3 ? 'y' : 'n'", "'y'"),
    ("(1, 2)", "2"),
    ('std::wstring(L"weit")', '"weit"'),
    ("(__int128)1 << 100", "1267650600228229401496703205376"),
    ("#include <valarray>\nstd::valarray<double>{1, 2.5}", r"\{ 1\.0, 2\.5 \}"),
    ("#include <stack>\nstd::stack<int>({1, 2})", r"\{ 1, 2 \}"),
    ("#include <queue>\nstd::queue<int>({1, 2})", r"\{ 1, 2 \}"),
    ("std::priority_queue<int>({}, std::vector<int>{1, 3, 2})", r"\{ 3, 2, 1 \}"),
]


@pytest.mark.parametrize("code, expected", VALUES, ids=[code.split("\n")[-1] for code, _ in VALUES])
def test_last_value(kernel, code, expected):
    result = kernel.run(code).ok()
    assert result.result is not None and re.fullmatch(expected, result.result, re.S), result.result
    assert result.stdout == "" and result.stderr == ""


@pytest.mark.parametrize(
    "code",
    [
        "6 * 7;",
        "int no_value = 3;",
        "void nothing() {}\nnothing()",
        "for (;;) break;",
        "using X9 = int;",
        "",
        "   ",
        "// only a comment",
        "#define NOTHING_HERE",
        "std::cout << std::flush",
    ],
)
def test_no_value(kernel, code):
    assert kernel.run(code).ok().result is None


def test_ostream_operator_shows_a_value(kernel):
    """Where a type can be printed, its value is what is printed."""
    kernel.run(
        'struct Printed { int x; };\nstd::ostream& operator<<(std::ostream& out, const Printed& p) { return out << "Printed(" << p.x << ")"; }'
    ).ok()
    assert kernel.value("Printed{4}") == "Printed(4)"


def test_value_of_an_xtensor_array_is_a_table(kernel):
    result = kernel.run(
        "#include <xtensor/xarray.hpp>\nxt::xarray<double> table{{1.5, 2.}, {3., 4.}};\ntable").ok(
        )
    assert "<table" in result.data["text/html"] and "1.5" in result.data["text/html"]
    assert re.search(r"1\.5,? +2", result.data["text/plain"])


@pytest.mark.parametrize(
    "code",
    [
        "xt::xtensor<float, 2>{{1, 2}, {3, 4}}",
        "xt::xarray<int>{1, 2, 3}",
        "table + 1",
        "xt::view(table, 0, xt::all())",
        "xt::zeros<double>({2, 2})",
        "xt::transpose(table)",
    ],
)
def test_value_of_an_xtensor_expression(kernel, code):
    kernel.run(
        "#include <xtensor/xarray.hpp>\n#include <xtensor/xtensor.hpp>\n#include <xtensor/xview.hpp>\nxt::xarray<double> table{{1., 2.}, {3., 4.}};"
    ).ok()
    assert "<table" in kernel.run(code).ok().data["text/html"]


def test_large_array_is_cut(kernel):
    result = kernel.run(
        "#include <xtensor/xarray.hpp>\n#include <xtensor/xbuilder.hpp>\nxt::xarray<double> large = xt::zeros<double>({1000, 1000});\nlarge"
    ).ok()
    assert len(result.data["text/html"]) < 200_000 and len(result.data["text/plain"]) < 200_000
    assert re.search("\\.\\.\\.|[…⋯⋮]", result.data["text/html"])


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
    kernel.run(
        '#include <nlohmann/json.hpp>\nstruct Plain { int x; };\nnlohmann::json mime_bundle_repr(const Plain& p) { return {{"text/plain", "plain " + std::to_string(p.x)}}; }'
    ).ok()
    assert kernel.value("Plain{3}") == "plain 3"
    kernel.run(
        'nlohmann::json mime_bundle_repr(const Plain& p) { return {{"text/plain", "again " + std::to_string(p.x)}}; }'
    ).ok()
    assert kernel.value("Plain{3}") == "again 3"


def test_display_update_and_clear(kernel):
    result = kernel.run(
        '#include "xcpp/xdisplay.hpp"\nxcpp::display(1);\nxcpp::display(std::string("two"), "the-id");\nxcpp::display(3, "the-id", true);\nxcpp::clear_output(true);\nxcpp::clear_output();'
    ).ok()
    kinds = [
        m["msg_type"] for m in result.messages if m["msg_type"] not in ("status", "execute_input")
    ]
    assert kinds == [
        "display_data", "display_data", "update_display_data", "clear_output", "clear_output"
    ]
    assert [content["data"]["text/plain"] for content in result.displays] == ["1", '"two"', "3"]
    assert [content["transient"].get("display_id")
            for content in result.displays[1:]] == ["the-id", "the-id"]
    assert [m["content"]["wait"] for m in result.of("clear_output")] == [True, False]


def test_display_comes_in_order_with_streams(kernel):
    result = kernel.run(
        '#include "xcpp/xdisplay.hpp"\nstd::cout << "before";\nxcpp::display(1);\nstd::cout << "after";\nxcpp::display(2);'
    ).ok()
    kinds = [
        m["content"].get("text") or m["content"]["data"]["text/plain"]
        for m in result.of("stream", "display_data")
    ]
    assert kinds == ["before", "1", "after", "2"]


def test_display_from_a_later_cell_and_a_thread(kernel):
    result = kernel.run(
        '#include "xcpp/xdisplay.hpp"\n#include <thread>\nstd::thread([] { xcpp::display(7); }).join();'
    ).ok()
    assert result.displays[0]["data"]["text/plain"] == "7"


def test_publish_from_the_c_interface(kernel):
    result = kernel.run(r"""#include "xcpp/capi.h"
xcpp_publish("display_data", R"({"data": {"application/json": {"a": [1, 2]}}, "metadata": {"m": 1}})", "")"""
                        ).ok()
    assert result.result == "0"
    assert result.displays[0]["data"]["application/json"] == {"a": [1, 2]}
    assert kernel.value('xcpp_publish("display_data", "this is no JSON", "")') == "-1"


def test_library_finds_the_c_interface_by_dlsym(kernel):
    assert kernel.value(
        '#include <dlfcn.h>\ndlsym(RTLD_DEFAULT, "xcpp_publish") != nullptr && dlsym(RTLD_DEFAULT, "xcpp_interrupted") != nullptr'
    ) == "true"


def test_cell_source(kernel):
    first = kernel.run("int from_source = 1; // remember me").ok()
    assert "remember me" in kernel.value(f"std::string(xcpp_cell_source({first.count}))")
    assert kernel.value("xcpp_cell_source(99999) == nullptr") == "true"
