"""xcpp_references tells variables that all threads of an OpenMP region write: always, however lucky a run would be; and says nothing of answers that are right."""

import json

import pytest

ASK = 'extern "C" const char* xcpp_references(const char* name, const void* address);\n'
HEADERS = "#include <atomic>\n#include <mutex>\n#include <vector>\n#include <omp.h>\n#include <xtensor/xtensor.hpp>\n#include <xtensor/xbuilder.hpp>\nusing Matrix = xt::xtensor<float, 2>;"


@pytest.fixture
def session(kernel):
    """The module's Jupyter kernel, with the headers in it: to include them again costs nothing."""
    kernel.run(ASK + HEADERS).ok()
    return kernel


def races(kernel, code):
    kernel.run(code).ok()
    told = json.loads(kernel.run('std::cout << xcpp_references("f", nullptr);').ok().stdout)
    return [(one["name"], one["element"], one["line"], one["pragma"]) for one in told["races"]]


def function(body, before=""):
    """f, whose body begins in line 2 (and further down where something is before it)."""
    return f"{before}void f(const Matrix& a, const Matrix& b, Matrix& c, int n, std::vector<float>& v) {{\n{body}\n}}"


# body, and the name, line and line of the #pragma that must be told; a name with brackets is an element
WRONG = {
    "a sum declared outside": (
        """float sum;
#pragma omp parallel for
for (int i = 0; i < n; ++i) {
    sum = 0;
    for (int k = 0; k < n; ++k) sum += a(i, k);
    c(i, 0) = sum;
}""",
        ("sum", 5, 3),
    ),
    "an inner loop's variable declared outside": (
        """int i, j;
#pragma omp parallel for
for (i = 0; i < n; ++i)
    for (j = 0; j < n; ++j) c(i, j) = a(i, j);""",
        ("j", 5, 3),
    ),
    "a pointer that walks": (
        """float* to = c.data();
#pragma omp parallel for
for (int i = 0; i < n; ++i) *to++ = a(i, 0);""",
        ("to", 4, 3),
    ),
    "a counter":
    ("int count = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) if (a(i, 0) > 0) ++count;\nv[0] = count;",
     ("count", 4, 3)),
    "the largest":
    ("float best = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\n    if (a(i, 0) > best) best = a(i, 0);",
     ("best", 5, 3)),
    "the loop over k is shared": (
        """for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
        #pragma omp parallel for
        for (int k = 0; k < n; ++k) c(i, j) += a(i, k) * b(k, j);
    }""",
        ("c(i, j)", 5, 4),
    ),
    "the loop over k is outside and shared": (
        """#pragma omp parallel for
for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) c(i, j) += a(i, k) * b(k, j);""",
        ("c(i, j)", 5, 2),
    ),
    "the same through a pointer": (
        """#pragma omp parallel for
for (int k = 0; k < n; ++k) {
    float* to = c.data();
    for (int i = 0; i < n * n; ++i) to[i] += a(k, k);
}""",
        ("to[i]", 5, 2),
    ),
    "the same through a reference":
    ("#pragma omp parallel for\nfor (int k = 0; k < n; ++k) {\n    float& to = c(0, 0);\n    to += a(k, k);\n}",
     ("to", 5, 2)),
    "one element": ("#pragma omp parallel for\nfor (int k = 0; k < n; ++k) v[0] += a(k, k);",
                    ("v[0]", 3, 2)),
    "an array's element":
    ("float t[2] = {};\n#pragma omp parallel for\nfor (int k = 0; k < n; ++k) t[1] += a(k, k);\nv[0] = t[1];",
     ("t[1]", 4, 3)),
    "a member":
    ("struct { float x; } p{};\n#pragma omp parallel for\nfor (int k = 0; k < n; ++k) p.x += a(k, k);\nv[0] = p.x;",
     ("p", 4, 3)),
    "a list that grows":
    ("#pragma omp parallel for\nfor (int k = 0; k < n; ++k) v.push_back(a(k, k));", ("v", 3, 2)),
    "a static variable inside":
    ("#pragma omp parallel for\nfor (int k = 0; k < n; ++k) {\n    static float s = 0;\n    s += a(k, k);\n    c(k, k) = s;\n}",
     ("s", 5, 2)),
    "two pragmas":
    ("float s = 0;\n#pragma omp parallel\n{\n    #pragma omp for\n    for (int k = 0; k < n; ++k) s += a(k, k);\n}\nv[0] = s;",
     ("s", 6, 3)),
    "in a lambda":
    ("auto g = [&] {\n    float s = 0;\n    #pragma omp parallel for\n    for (int k = 0; k < n; ++k) s += a(k, k);\n    return s;\n};\nv[0] = g();",
     ("s", 5, 4)),
    "shared by name":
    ("float s = 0;\n#pragma omp parallel for default(none) shared(s, a, n)\nfor (int k = 0; k < n; ++k) s += a(k, k);\nv[0] = s;",
     ("s", 4, 3)),
    "only one of two is reduced": (
        "float s = 0, t = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int k = 0; k < n; ++k) {\n    s += a(k, k);\n    t += s;\n}\nv[0] = s + t;",
        ("t", 6, 3),
    ),
    "a simd loop inside does not share":
    ("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    #pragma omp simd\n    for (int j = 0; j < n; ++j) c(0, j) += a(i, j);\n}",
     ("c(0, j)", 5, 2)),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_race_is_told_by_name_and_line(session, mistake):
    body, (name, line, pragma) = WRONG[mistake]
    assert races(session,
                 function(body)) == [(name, "(" in name or "[" in name
                                      or name == "to" and "float& to" in body, line, pragma)]


def test_a_variable_of_another_cell(session):
    session.run("float total = 0;").ok()
    assert races(
        session,
        function("#pragma omp parallel for\nfor (int k = 0; k < n; ++k) total += a(k, k);")) == [
            ("total", False, 3, 2)
        ]


def test_a_template_is_looked_at_as_it_is_used(session):
    session.run(
        "template <class T> T g(const Matrix& a, int n) {\n    T sum = 0;\n    #pragma omp parallel for\n    for (int k = 0; k < n; ++k) sum += a(k, k);\n    return sum;\n}"
    ).ok()
    assert races(session, function("v[0] = g<float>(a, n);")) == [("sum", False, 4, 3)]


RIGHT = {
    "a sum inside":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float sum = 0;\n    for (int k = 0; k < n; ++k) sum += a(i, k);\n    c(i, 0) = sum;\n}",
    "rows":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n        for (int k = 0; k < n; ++k) c(i, j) += a(i, k) * b(k, j);",
    "columns":
    "#pragma omp parallel for\nfor (int j = 0; j < n; ++j)\n    for (int i = 0; i < n; ++i) c(i, j) = a(i, j);",
    "both loops":
    "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) c(i, j) = a(i, j);",
    "the inner loop":
    "for (int i = 0; i < n; ++i) {\n    #pragma omp parallel for\n    for (int j = 0; j < n; ++j) c(i, j) = a(i, j);\n}",
    "a loop's variable declared outside":
    "int i;\n#pragma omp parallel for\nfor (i = 0; i < n; ++i) c(i, 0) = a(i, 0);",
    "private":
    "int i, j;\n#pragma omp parallel for private(j)\nfor (i = 0; i < n; ++i)\n    for (j = 0; j < n; ++j) c(i, j) = a(i, j);",
    "firstprivate and lastprivate":
    "float s = 1, t = 0;\n#pragma omp parallel for firstprivate(s) lastprivate(t)\nfor (int i = 0; i < n; ++i) {\n    s *= 2;\n    t = s;\n    c(i, 0) = s;\n}\nv[0] = t;",
    "a reduction":
    "float s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; ++i) s += a(i, i);\nv[0] = s;",
    "a reduction of the inner pragma":
    "float s = 0;\n#pragma omp parallel\n{\n    #pragma omp for reduction(+ : s)\n    for (int i = 0; i < n; ++i) s += a(i, i);\n}\nv[0] = s;",
    "atomic":
    "float s = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    #pragma omp atomic\n    s += a(i, i);\n}\nv[0] = s;",
    "critical":
    "float s = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    #pragma omp critical\n    { s += a(i, i); v.push_back(s); }\n}",
    "std::atomic":
    "std::atomic<int> next{0};\n#pragma omp parallel\nfor (int i; (i = next++) < n;) c(i, 0) = a(i, 0);",
    "a lock":
    "std::mutex turn;\nfloat s = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    std::lock_guard<std::mutex> mine(turn);\n    s += a(i, i);\n}\nv[0] = s;",
    "one thread":
    "float s = 0;\n#pragma omp parallel for num_threads(1)\nfor (int i = 0; i < n; ++i) s += a(i, i);\nv[0] = s;",
    "single and master":
    "int threads = 0, first = 0;\n#pragma omp parallel\n{\n    #pragma omp single\n    threads = omp_get_num_threads();\n    #pragma omp master\n    first = 1;\n}\nv[0] = threads + first;",
    "sections":
    "float s = 0, t = 0;\n#pragma omp parallel sections\n{\n    #pragma omp section\n    s = a(0, 0);\n    #pragma omp section\n    t = a(1, 1);\n}\nv[0] = s + t;",
    "only one thread by its number":
    "int threads = 0;\n#pragma omp parallel\nif (omp_get_thread_num() == 0) threads = omp_get_num_threads();\nv[0] = threads;",
    "only one iteration":
    "float first = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) if (i == 0) first = a(0, 0);\nv[0] = first;",
    "blocks by the thread's number":
    """#pragma omp parallel
{
    const int id = omp_get_thread_num(), threads = omp_get_num_threads();
    const int from = n * id / threads, to = n * (id + 1) / threads;
    for (int i = from; i < to; ++i)
        for (int j = 0; j < n; ++j) c(i, j) = a(i, j);
}""",
    "an element a thread":
    "std::vector<float> sums(omp_get_max_threads());\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) sums[omp_get_thread_num()] += a(i, i);\nv = sums;",
    "iterations of its own":
    "#pragma omp parallel\nfor (int i = 0; i < n; ++i) {\n    if (i % omp_get_num_threads() != omp_get_thread_num()) continue;\n    c(i, 0) = a(i, 0);\n}",
    "both halves":
    "#pragma omp parallel for schedule(dynamic)\nfor (int i = 0; i < n; ++i)\n    for (int j = i; j < n; ++j) c(i, j) = c(j, i) = a(i, j);",
    "tiles":
    """#pragma omp parallel for
for (int tile = 0; tile < n; tile += 4)
    for (int k = 0; k < n; ++k)
        for (int i = tile; i < std::min(tile + 4, n); ++i)
            for (int j = 0; j < n; ++j) c(i, j) += a(i, k) * b(k, j);""",
    "one loop over all elements":
    "#pragma omp parallel for\nfor (int e = 0; e < n * n; ++e) {\n    const int i = e / n, j = e % n;\n    c(i, j) = a(i, j);\n}",
    "a pointer to a row":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float* to = c.data() + i * n;\n    for (int j = 0; j < n; ++j) to[j] = a(i, j);\n}",
    "a pointer that walks, inside":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float* to = &c(i, 0);\n    for (int j = 0; j < n; ++j) *to++ = a(i, j);\n}",
    "a reference to an element":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float& to = c(i, 0);\n    for (int k = 0; k < n; ++k) to += a(i, k);\n}",
    "arrays and lists inside":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float t[4] = {};\n    std::vector<float> list;\n    t[0] += a(i, i);\n    list.push_back(t[0]);\n    list[0] += 1;\n    c(i, 0) = list[0];\n}",
    "a local lambda":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float sum = 0;\n    const auto add = [&](float x) { sum += x; };\n    for (int k = 0; k < n; ++k) add(a(i, k));\n    c(i, 0) = sum;\n}",
    "a lambda that indexes":
    "const auto at = [&](int i, int j) { return i * n + j; };\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) c.data()[at(i, j)] = a(i, j);",
    "a lambda as the loop's body":
    "const auto row = [&](int i) {\n    float sum = 0;\n    for (int k = 0; k < n; ++k) sum += a(i, k);\n    c(i, 0) = sum;\n};\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) row(i);",
    "a place that is counted":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    int at = 0;\n    for (int m = 0; m < i; ++m)\n        if (a(m, 0) > 0) ++at;\n    if (a(i, 0) > 0) v[at] = a(i, 0);\n}",
    "a place that is counted without a condition":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    int at = 0;\n    for (int m = 0; m < i; ++m) ++at;\n    v[at] = a(i, 0);\n}",
    "a simd sum":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    float sum = 0;\n    #pragma omp simd reduction(+ : sum)\n    for (int k = 0; k < n; ++k) sum += a(i, k);\n    c(i, 0) = sum;\n}",
    "a loop over a range":
    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i)\n    for (float& x : v) c(i, 0) += x;",
    "threadprivate":
    "static float s;\n#pragma omp threadprivate(s)\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    s = a(i, i);\n    c(i, 0) = s;\n}",
    "a vector of rows":
    "std::vector<std::vector<float>> rows(n, std::vector<float>(n));\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n    rows[i].push_back(1);\n    for (int j = 0; j < n; ++j) rows[i][j] = a(i, j);\n}\nv = rows[0];",
    "a sum for each thread, then one":
    "float s = 0;\n#pragma omp parallel\n{\n    float mine = 0;\n    #pragma omp for\n    for (int i = 0; i < n; ++i) mine += a(i, i);\n    #pragma omp atomic\n    s += mine;\n}\nv[0] = s;",
    "a copy of the pointer":
    "float* z = c.data();\nconst float* x = a.data();\n#pragma omp parallel for\nfor (int i = 0; i < n * n; ++i) z[i] = x[i] > 0 ? x[i] : 0;",
}


@pytest.mark.parametrize("way", RIGHT)
def test_what_is_right_is_left_alone(session, way):
    assert races(session, function(RIGHT[way])) == []
