"""xcpp_references: what a function of a cell is made of, for a library that wants to know. Nothing that a cell can write hides a name."""

import json

import pytest

ASK = 'extern "C" const char* xcpp_references(const char* name, const void* address);\n'
# A library of the user's own, as far as cells are concerned: in a folder that the compiler was given.
LIBRARY = """#pragma once
#include <vector>
namespace out {
inline int twice(int x) { return 2 * x; }
inline int thrice(int x) { return 3 * x; }
inline int forbidden(int x) { return 4 * x; }
inline int settings = 7;
struct Tool { int use(int x) const { return x; } static int call(int x) { return x; } };
template <class T> T same(T x) { return x; }
inline namespace v1 { inline int inner(int x) { return x; } }
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "out.hpp").write_text(LIBRARY)
    return folder


@pytest.fixture
def asked(make_kernel, folder):
    kernel = make_kernel(extra_arguments=[f"-I{folder}"])
    kernel.run(ASK + '#include "out.hpp"\n#include <functional>').ok()

    def ask(name, address="nullptr"):
        result = kernel.run(
            f'const char* answer = xcpp_references("{name}", (const void*)({address}));\nstd::cout << (answer ? answer : "null");'
        ).ok()
        return json.loads(result.stdout)

    ask.kernel = kernel
    return ask


def names(answer, kind=None):
    return {one["name"] for one in answer["references"] if kind in (None, one["kind"])}


# cells, and what f must be seen to name
HIDDEN = {
    "plainly": (["int f(int x) { return out::forbidden(x); }"], "out::forbidden"),
    "through a using declaration":
    (["using out::forbidden;", "int f(int x) { return forbidden(x); }"], "out::forbidden"),
    "through a using directive": (["using namespace out;",
                                   "int f(int x) { return forbidden(x); }"], "out::forbidden"),
    "through a namespace alias":
    (["namespace quiet = out;", "int f(int x) { return quiet::forbidden(x); }"], "out::forbidden"),
    "through a function of another cell":
    (["int g(int x) { return out::forbidden(x); }",
      "int f(int x) { return g(x); }"], "out::forbidden"),
    "through two": ([
        "int h(int x) { return out::forbidden(x); }", "int g(int x) { return h(x); }",
        "int f(int x) { return g(x); }"
    ], "out::forbidden"),
    "through a macro": (["#define IT out::forbidden",
                         "int f(int x) { return IT(x); }"], "out::forbidden"),
    "through a macro that pastes":
    (["#define JOIN(a, b) a##b",
      "int f(int x) { return out::JOIN(forbid, den)(x); }"], "out::forbidden"),
    "through a pointer": (["int (*p)(int) = out::forbidden;",
                           "int f(int x) { return p(x); }"], "out::forbidden"),
    "through a pointer that is set later":
    (["int (*p)(int) = nullptr;", "int f(int x) { return p(x); }",
      "p = &out::forbidden;"], "out::forbidden"),
    "through a std::function":
    (["std::function<int(int)> p;", "p = out::forbidden;",
      "int f(int x) { return p(x); }"], "out::forbidden"),
    "through a lambda":
    (["auto g = [](int x) { return out::forbidden(x); };",
      "int f(int x) { return g(x); }"], "out::forbidden"),
    "through what a lambda holds":
    (["auto g = [h = &out::forbidden](int x) { return h(x); };",
      "int f(int x) { return g(x); }"], "out::forbidden"),
    "through a constant":
    (["const std::vector<int> g{out::forbidden(3)};",
      "int f(int x) { return g[0] * x; }"], "out::forbidden"),
    "through a lambda inside": ([
        "int f(int x) { auto g = [&] { return out::forbidden(x); }; return g(); }"
    ], "out::forbidden"),
    "through a template":
    (["template <class T> T g(T x) { return out::forbidden(x); }",
      "int f(int x) { return g(x); }"], "out::forbidden"),
    "through a template's argument": (
        [
            "struct A { static int go(int x) { return out::forbidden(x); } };",
            "template <class T> int g(int x) { return T::go(x); }",
            "int f(int x) { return g<A>(x); }"
        ],
        "out::forbidden",
    ),
    "through a class": ([
        "struct A { int go(int x); };\nint A::go(int x) { return out::forbidden(x); }",
        "int f(int x) { return A().go(x); }"
    ], "out::forbidden"),
    "through an operator": ([
        "struct A { int v; };\nint operator+(A a, A) { return out::forbidden(a.v); }",
        "int f(int x) { return A{x} + A{x}; }"
    ], "out::forbidden"),
    "through a default argument": ([
        "int g(int x, int (*p)(int) = out::forbidden) { return p(x); }",
        "int f(int x) { return g(x); }"
    ], "out::forbidden"),
    "through a static member": ([
        "struct A { static inline int (*p)(int) = out::forbidden; };",
        "int f(int x) { return A::p(x); }"
    ], "out::forbidden"),
    "through a table": ([
        "struct Row { int (*p)(int); };\nRow rows[] = {{out::twice}, {out::forbidden}};",
        "int f(int x) { return rows[1].p(x); }"
    ], "out::forbidden"),
    "through a function that is defined later": ([
        "int g(int x);", "int f(int x) { return g(x); }",
        "int g(int x) { return out::forbidden(x); }"
    ], "out::forbidden"),
    "through a namespace of cells": ([
        "namespace mine { int g(int x) { return out::forbidden(x); } }",
        "int f(int x) { return mine::g(x); }"
    ], "out::forbidden"),
    "in a loop of OpenMP": ([
        "int f(int x) {\n#pragma omp parallel for\nfor (int i = 0; i < 2; ++i) x += out::forbidden(i);\nreturn x; }"
    ], "out::forbidden"),
    "a member": (["int f(int x) { return out::Tool().use(x); }"], "out::Tool::use"),
    "a static member": (["int f(int x) { return out::Tool::call(x); }"], "out::Tool::call"),
    "a template": (["int f(int x) { return out::same<int>(x); }"], "out::same"),
    "a variable": (["int f(int x) { return x + out::settings; }"], "out::settings"),
    "in an inline namespace": (["int f(int x) { return out::inner(x); }"], "out::inner"),
    "in assembler": (['int f(int x) { asm volatile("nop"); return x; }'], "asm"),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_nothing_hides_a_name(asked, how):
    cells, name = HIDDEN[how]
    for cell in cells:
        asked.kernel.run(cell).ok()
    assert name in names(asked("f")), asked("f")


def test_what_is_not_used_is_not_named(asked):
    for cell in ("int g(int x) { return out::forbidden(x); }",
                 "int f(int x) { return out::twice(x); }", "out::forbidden(f(1));",
                 "int unrelated = out::forbidden(2);"):
        asked.kernel.run(cell).ok()
    assert names(asked("f")) == {"out::twice"}


def test_an_answer_that_was_written_again_is_looked_at_anew(asked):
    asked.kernel.run("int f(int x) { return out::forbidden(x); }").ok()
    asked.kernel.run("int f(int x) { return out::twice(x); }").ok()
    assert names(asked("f", "(int(*)(int))f")) == {"out::twice"}


def test_cell_and_line_are_told(asked):
    first = asked.kernel.run("int helper(int x) {\n    return out::thrice(x);\n}").ok().count
    second = asked.kernel.run(
        "// a comment\nint f(int x) {\n    return helper(x) + out::twice(x);\n}").ok().count
    places = {
        one["name"]: (one["cell"], one["line"], one["in"], one["kind"])
        for one in asked("f")["references"]
    }
    assert places == {
        "out::thrice": (first, 2, "helper", "function"),
        "out::twice": (second, 3, "f", "function")
    }
    assert asked("f")["cells"] == [first, second]


def test_overloads_are_told_apart_by_their_address(asked):
    asked.kernel.run(
        "int f(int x) { return out::twice(x); }\ndouble f(double x) { return out::same(x); }").ok()
    assert names(asked("f")) == {"out::twice", "out::same"}
    assert names(asked("f", "(int(*)(int))f")) == {"out::twice"}
    assert names(asked("f", "(double(*)(double))f")) == {"out::same"}
    assert asked("f", "(int(*)(int))f")["matches"] is True


def test_another_function_does_not_match(asked):
    asked.kernel.run(
        "int f(int x) { return out::twice(x); }\nint cheat(int x) { return out::forbidden(x); }"
    ).ok()
    assert asked("f", "&cheat")["matches"] is False
    assert asked("f", "&out::forbidden")["matches"] is False


def test_templates_match(asked):
    asked.kernel.run(
        "template <class T> T f(T x) { return out::same(x); }\nint (*of_int)(int) = f;").ok()
    assert asked("f", "of_int")["matches"] is True


def test_lambdas_are_looked_into_but_have_no_address(asked):
    asked.kernel.run("auto g = [](int x) { return out::twice(x); };\nint (*of_g)(int) = g;").ok()
    assert names(asked("g")) == {"out::twice"}
    assert asked("g", "of_g")["matches"] is False


def test_a_name_that_no_cell_holds(asked):
    assert asked("nobody") is None


def test_definitions_compile_elsewhere(asked, make_kernel, folder, tmp_path):
    """The text of what a function needs, and nothing that is run."""
    cells = [
        "#include <cmath>\nusing namespace std;\n#define TWO 2\n#define UNUSED 3",
        "using Number = int;\nnamespace o = out;",
        "int other() { return 1; }\nstruct Pair { Number a; int sum() const; };\nint Pair::sum() const { return a + TWO; }",
        'std::cout << "printed";\nint base = 40;\nint helper(Pair p) { return p.sum() + base; }',
        "int f(int x) { return static_cast<int>(sqrt(o::twice(x))) + helper({x}); }\nf(2)",
    ]
    for cell in cells:
        asked.kernel.run(cell).ok()
    definitions = asked("f")["definitions"]
    text = "\n".join(one["text"] for one in definitions)
    for absent in ("other", "UNUSED", "printed"):
        assert absent not in text
    (tmp_path / "taken.hpp").write_text(text.replace('extern "C"', "//"))
    elsewhere = make_kernel(extra_arguments=[f"-I{folder}", f"-I{tmp_path}"])
    assert elsewhere.value('#include "taken.hpp"\nf(2)') == asked.kernel.value("f(2)") == "46"


def test_declarations_without_a_name_compile_elsewhere(asked, make_kernel, tmp_path):
    """A typedef whose name is not its last word, an enumeration and a namespace without names."""
    cells = [
        "typedef struct { int a; } One;\ntypedef int (*Way)(One);\ntypedef One Ones[2];",
        "enum { unused_by_f };", "enum { first, second };\nnamespace { int hidden(int x) { return x; } }",
        "typedef int Four __attribute__((vector_size(16)));\ntypedef int Unused[7];",
        "int way(One one) { return one.a; }",
        "int f(int x) { Ones ones{{x}, {hidden(x)}}; Way w = way; Four four{1, 2, 3, 4}; return w(ones[second]) + four[3]; }",
    ]
    for cell in cells:
        asked.kernel.run(cell).ok()
    text = "\n".join(one["text"] for one in asked("f")["definitions"])
    assert "unused_by_f" not in text and "Unused" not in text
    (tmp_path / "taken.hpp").write_text(text.replace('extern "C"', "//").replace("#include", "//"))
    assert make_kernel(extra_arguments=[f"-I{tmp_path}"]).value('#include "taken.hpp"\nf(2)') == "6"


SHARED = {
    "#pragma omp parallel for\nfor (int i = 0; i < 9; ++i) a[i] = i;": True,
    "#pragma  omp \\\n parallel\n{ a[omp_get_thread_num()] = 1; }": True,
    '_Pragma("omp parallel for") for (int i = 0; i < 9; ++i) use(a);': True,
    "#pragma omp parallel for num_threads(a[0])\nfor (int i = 0; i < 9; ++i) a[i] = i;": True,
    "#pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < 9; ++i)\n#pragma omp task\na[i] = i;":
    True,
    "#pragma omp parallel\n{ }": False,
    "#pragma omp parallel\n{ omp_get_thread_num(); }": False,
    "#pragma omp parallel for num_threads(2 - 1)\nfor (int i = 0; i < 9; ++i) a[i] = i;": False,
    "#pragma omp parallel for if (false)\nfor (int i = 0; i < 9; ++i) a[i] = i;": False,
    "#pragma omp simd\nfor (int i = 0; i < 9; ++i) a[i] = i;": False,
}


def test_regions_in_which_threads_share_work_are_named(asked):
    asked.kernel.run("void use(int* a) { a[0] = 1; }")
    for body, shared in SHARED.items():
        asked.kernel.run(f"#include <omp.h>\nvoid f(int* a) {{\n{body}\n}}").ok()
        assert (names(asked("f"), "pragma") == {"omp parallel"}) == shared, body


def test_headers_of_the_users_own_are_looked_into(asked, tmp_path):
    (tmp_path /
     "mine.hpp").write_text("inline int in_header(int x) { return out::forbidden(x); }\n")
    asked.kernel.run(
        f'#include "{tmp_path}/mine.hpp"\nint f(int x) {{ return in_header(x); }}').ok()
    assert "out::forbidden" in names(asked("f"))
