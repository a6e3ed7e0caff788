"""xcpp_references tells what objects of std::thread write without taking turns, what they read by reference while it changes, elements that threads share although
they depend on the thread, and atomics that are counted in two steps; and says nothing of answers that are right."""

import json

import pytest
from test_races import ASK, HEADERS, function

MORE = "#include <algorithm>\n#include <functional>\n#include <future>\n#include <memory>\n#include <numeric>\n#include <thread>\n"


@pytest.fixture
def session(kernel):
    kernel.run(ASK + MORE + HEADERS).ok()
    return kernel


def told(kernel, code, name="f"):
    kernel.run(code).ok()
    return json.loads(kernel.run(f'std::cout << xcpp_references("{name}", nullptr);').ok().stdout)


def races(kernel, code):
    return [(one["name"], "reference" if one["reference"] else one["shared"] + one["with"],
             one["line"], one["start"] or one["pragma"]) for one in told(kernel, code)["races"]]


POOL = "std::vector<std::thread> pool;\n"
JOIN = "\nfor (auto& t : pool) t.join();"

# body, and the name, what kind, the line and the line that starts the threads
WRONG = {
    "a sum for all":
    (POOL +
     "float sum = 0;\nfor (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        for (int i = t; i < n; i += 4) sum += a(i, 0);\n    });"
     + JOIN + "\nv[0] = sum;", ("sum", "", 6, 5)),
    "push_back":
    (POOL +
     "float sum = 0;\nfor (int t = 0; t < 4; ++t) pool.push_back(std::thread([&sum, &a, n, t] { for (int i = t; i < n; i += 4) sum += a(i, 0); }));"
     + JOIN, ("sum", "", 4, 4)),
    "an assignment":
    ("std::vector<std::thread> pool(4);\nint count = 0;\nfor (int t = 0; t < 4; ++t) pool[t] = std::thread([&] { ++count; });"
     + JOIN, ("count", "", 4, 4)),
    "async":
    ("std::vector<std::future<void>> pool;\nfloat sum = 0;\nfor (int t = 0; t < 4; ++t) pool.push_back(std::async(std::launch::async, [&, t] { sum += a(t, 0); }));\nfor (auto& p : pool) p.get();",
     ("sum", "", 4, 4)),
    "a lambda by its name":
    ("float best = 0;\nauto work = [&](int from, int to) {\n    for (int i = from; i < to; ++i) best = std::max(best, a(i, 0));\n};\nstd::thread x(work, 0, n / 2), y(work, n / 2, n);\nx.join();\ny.join();",
     ("best", "", 4, 6)),
    "two lambdas":
    ("float sum = 0;\nstd::thread x([&] { for (int i = 0; i < n / 2; ++i) sum += a(i, 0); });\nstd::thread y([&] { for (int i = n / 2; i < n; ++i) sum += a(i, 0); });\nx.join();\ny.join();",
     ("sum", "", 3, 3)),
    "a thread and who started it":
    ("float sum = 0;\nstd::thread x([&] { for (int i = 0; i < n / 2; ++i) sum += a(i, 0); });\nfor (int i = n / 2; i < n; ++i) sum += a(i, 0);\nx.join();",
     ("sum", "", 3, 3)),
    "a list that grows":
    (POOL + "for (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { v.push_back(a(t, 0)); });" +
     JOIN, ("v", "", 3, 3)),
    "one element":
    (POOL + "for (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { v[0] += a(t, 0); });" + JOIN,
     ("v[0]", "", 3, 3)),
    "all rows in all threads":
    (POOL +
     "for (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { for (int i = 0; i < n; ++i) c(i, 0) += a(i, t); });"
     + JOIN, ("c(i, 0)", "", 3, 3)),
    "the loop's variable by reference":
    (POOL +
     "for (int t = 0; t < 4; ++t)\n    pool.emplace_back([&] { for (int i = t; i < n; i += 4) c(i, 0) = a(i, 0); });"
     + JOIN, ("t", "reference", 4, 4)),
    "bounds by reference":
    (POOL +
     "for (int t = 0; t < 4; ++t) {\n    const int from = n * t / 4;\n    pool.emplace_back([&a, &c, &from, t, n] { for (int i = from; i < n * (t + 1) / 4; ++i) c(i, 0) = a(i, 0); });\n}"
     + JOIN, ("from", "reference", 5, 5)),
    "a variable that goes on by reference":
    (POOL +
     "int from = 0;\nfor (int t = 0; t < 4; ++t) {\n    const int to = n * (t + 1) / 4;\n    pool.emplace_back([&, to] { for (int i = from; i < to; ++i) c(i, 0) = a(i, 0); });\n    from = to;\n}"
     + JOIN, ("from", "reference", 6, 6)),
    "a mutex of its own":
    (POOL +
     "float sum = 0;\nfor (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        std::mutex turn;\n        std::lock_guard<std::mutex> mine(turn);\n        sum += a(t, 0);\n    });"
     + JOIN, ("sum", "", 8, 5)),
    "rows into the rows around":
    (POOL +
     "for (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        for (int y = n * t / 4; y < n * (t + 1) / 4; ++y)\n            for (int i = 0; i < 3; ++i)\n                if (y + i - 1 >= 0 && y + i - 1 < n) c(y + i - 1, 0) += a(y, 0);\n    });"
     + JOIN, ("c(y + i - 1, 0)", "yi", 7, 4)),
}
FUNCTIONS = {
    "a function and std::ref":
    ("void add(float& sum, const Matrix& a, int from, int to) {\n    for (int i = from; i < to; ++i) sum += a(i, 0);\n}\n",
     POOL +
     "float sum = 0;\nfor (int t = 0; t < 4; ++t) pool.emplace_back(add, std::ref(sum), std::cref(a), n * t / 4, n * (t + 1) / 4);"
     + JOIN, ("sum", "", 2, 7)),
    "a function and an address":
    ("void add_to(float* sum, const Matrix& a, int from, int to) {\n    for (int i = from; i < to; ++i) *sum += a(i, 0);\n}\n",
     POOL +
     "float sum = 0;\nfor (int t = 0; t < 4; ++t) pool.emplace_back(add_to, &sum, std::cref(a), n * t / 4, n * (t + 1) / 4);"
     + JOIN, ("*sum", "", 2, 7)),
    "a global variable":
    ("float total = 0;\nvoid add_all(const Matrix& a, int i) { total += a(i, 0); }\n",
     "std::thread x(add_all, std::cref(a), 0), y(add_all, std::cref(a), 1);\nx.join(), y.join();",
     ("total", "", 2, 4)),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_race_of_threads_is_told_by_name_and_line(session, mistake):
    body, expected = WRONG[mistake]
    assert races(session, function(body)) == [expected]


@pytest.mark.parametrize("mistake", FUNCTIONS)
def test_what_a_function_is_given(session, mistake):
    before, body, expected = FUNCTIONS[mistake]
    assert races(session, function(body, before)) == [expected]


RIGHT = {
    "rows of its own":
    POOL +
    "for (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        for (int i = n * t / 4; i < n * (t + 1) / 4; ++i)\n            for (int j = 0; j < n; ++j) c(i, j) += a(i, j);\n    });"
    + JOIN,
    "bounds as copies":
    POOL +
    "for (int t = 0; t < 4; ++t) {\n    const int from = n * t / 4, to = n * (t + 1) / 4;\n    pool.emplace_back([&, from, to] { for (int i = from; i < to; ++i) c(i, 0) = a(i, 0); });\n}"
    + JOIN,
    "bounds as arguments":
    POOL +
    "auto rows = [&](int from, int to) { for (int i = from; i < to; ++i) c(i, 0) = a(i, 0); };\nfor (int t = 0; t < 4; ++t) pool.emplace_back(rows, n * t / 4, n * (t + 1) / 4);"
    + JOIN,
    "bounds that go on":
    POOL +
    "int from = 0;\nfor (int t = 0; t < 4; ++t) {\n    const int to = n * (t + 1) / 4;\n    pool.emplace_back([&, from, to] { for (int i = from; i < to; ++i) c(i, 0) = a(i, 0); });\n    from = to;\n}"
    + JOIN,
    "an init capture":
    POOL +
    "for (int t = 0; t < 4; ++t) pool.emplace_back([&, from = n * t / 4, to = n * (t + 1) / 4] { for (int i = from; i < to; ++i) c(i, 0) = a(i, 0); });"
    + JOIN,
    "all copies":
    "float* to = c.data();\nconst float* from = a.data();\n" + POOL +
    "for (int t = 0; t < 4; ++t) pool.emplace_back([=] { for (int i = t; i < n * n; i += 4) to[i] = from[i]; });"
    + JOIN,
    "a sum a thread":
    POOL +
    "std::vector<float> sums(4);\nfor (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { for (int i = t; i < n; i += 4) sums[t] += a(i, 0); });"
    + JOIN + "\nfor (float s : sums) v[0] += s;",
    "a sum inside":
    POOL +
    "std::vector<float> sums(4);\nfor (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        float sum = 0;\n        for (int i = t; i < n; i += 4) sum += a(i, 0);\n        sums[t] = sum;\n    });"
    + JOIN,
    "a mutex":
    POOL +
    "float sum = 0;\nstd::mutex turn;\nfor (int t = 0; t < 4; ++t)\n    pool.emplace_back([&, t] {\n        const std::lock_guard<std::mutex> mine(turn);\n        sum += a(t, 0);\n    });"
    + JOIN,
    "an atomic":
    POOL +
    "std::atomic<int> next{0};\nfor (int t = 0; t < 4; ++t) pool.emplace_back([&] { for (int i; (i = next++) < n;) c(i, 0) = a(i, 0); });"
    + JOIN,
    "fetch_add":
    POOL +
    "std::atomic<int> next{0}, done{0};\nfor (int t = 0; t < 4; ++t)\n    pool.emplace_back([&] {\n        for (int i = next.fetch_add(1); i < n; i = next.fetch_add(1)) c(i, 0) = a(i, 0);\n        ++done;\n    });"
    + JOIN,
    "joined at once":
    "float sum = 0;\nfor (int t = 0; t < 4; ++t) {\n    std::thread one([&] { sum += a(t, 0); });\n    one.join();\n}\nv[0] = sum;",
    "one round after the other":
    "for (int round = 0; round < 3; ++round) {\n    std::vector<std::thread> pool;\n    for (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { c(t, 0) += a(t, round); });\n    for (auto& t : pool) t.join();\n}",
    "two halves":
    "std::thread x([&] { for (int i = 0; i < n / 2; ++i) c(i, 0) = a(i, 0); });\nfor (int i = n / 2; i < n; ++i) c(i, 0) = a(i, 0);\nx.join();",
    "two results":
    "float s = 0, t = 0;\nstd::thread x([&] { for (int i = 0; i < n / 2; ++i) s += a(i, 0); });\nfor (int i = n / 2; i < n; ++i) t += a(i, 0);\nx.join();\nv[0] = s + t;\ns = 0;",
    "one after the other":
    "float s = 0;\nstd::thread x([&] { s += a(0, 0); });\nx.join();\nstd::thread y([&] { s += a(1, 0); });\ny.join();",
    "async gives its result":
    "std::vector<std::future<float>> parts;\nfor (int t = 0; t < 4; ++t)\n    parts.push_back(std::async(std::launch::async, [&, t] {\n        float sum = 0;\n        for (int i = t; i < n; i += 4) sum += a(i, 0);\n        return sum;\n    }));\nfor (auto& part : parts) v[0] += part.get();",
    "a reference as argument that differs":
    "std::vector<float> sums(4);\n" + POOL +
    "auto add = [&](float& to, int t) { for (int i = t; i < n; i += 4) to += a(i, 0); };\nfor (int t = 0; t < 4; ++t) pool.emplace_back(add, std::ref(sums[t]), t);"
    + JOIN,
    "only one of them":
    POOL +
    "int threads = 0;\nfor (int t = 0; t < 4; ++t) pool.emplace_back([&, t] { if (t == 0) threads = 4; c(t, 0) = a(t, 0); });"
    + JOIN,
    "a generic lambda":
    POOL +
    "auto rows = [&](auto from, auto to) { for (auto i = from; i < to; ++i) c(i, 0) = a(i, 0); };\nfor (int t = 0; t < 4; ++t) pool.emplace_back(rows, n * t / 4, n * (t + 1) / 4);"
    + JOIN,
    "a mutable copy":
    POOL +
    "int seed = 7;\nfor (int t = 0; t < 4; ++t) pool.emplace_back([&c, seed, t]() mutable { seed = seed * 5 + t; c(t, 0) = seed; });"
    + JOIN,
    "even blocks, then odd ones":
    "for (int phase = 0; phase < 2; ++phase) {\n    std::vector<std::thread> pool;\n    for (int t = phase; t < 8; t += 2)\n        pool.emplace_back([&, t] { for (int y = n * t / 8; y < n * (t + 1) / 8; ++y) for (int i = 0; i < 3; ++i) if (y + i < n) c(y + i, 0) += a(y, 0); });\n    for (auto& t : pool) t.join();\n}",
}


@pytest.mark.parametrize("way", RIGHT)
def test_right_threads_are_left_alone(session, way):
    assert races(session, function(RIGHT[way])) == []


IMAGE = "for (int x = 0; x < n; ++x)\n    for (int i = 0; i < 3; ++i)\n        for (int j = 0; j < 3; ++j) "
SCATTERED = {
    "into the rows around":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n" + IMAGE +
     "{\n    const int to_y = y - i + 1, to_x = x - j + 1;\n    if (to_y < 0 || to_y >= n || to_x < 0 || to_x >= n) continue;\n    c(to_y, to_x) += b(i, j) * a(y, x);\n}",
     ("c(to_y, to_x)", "yi", 9, 2)),
    "a question around it":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n" + IMAGE +
     "{\n    const bool inside = y + i >= 1 && y + i <= n && x + j >= 1 && x + j <= n;\n    if (inside) c(y + i - 1, x + j - 1) += a(y, x);\n}",
     ("c(y + i - 1, x + j - 1)", "yi", 8, 2)),
    "through a pointer":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = 0; i < 3; ++i) {\n        if (y + i >= n) continue;\n        float* to = c.data() + (y + i) * n;\n        for (int x = 0; x < n; ++x) to[x] += a(y, x);\n    }",
     ("to[x]", "yi", 7, 2)),
    "through a flat index":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = 0; i < std::min(3, n - y); ++i)\n        for (int x = 0; x < n; ++x) c.data()[y * n + i * n + x] += a(y, x);",
     ("c.data()[y * n + i * n + x]", "yi", 5, 2)),
    "bounds that keep inside":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = std::max(0, 1 - y); i < std::min(3, n + 1 - y); ++i) c(y + i - 1, 0) += a(y, 0);",
     ("c(y + i - 1, 0)", "yi", 4, 2)),
    "one loop over the filter":
    ("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int k = 0; k < 9; ++k) {\n        const int row = y + k / 3 - 1;\n        if (row >= 0 && row < n) c(row, 0) += a(y, k % 3);\n    }",
     ("c(row, 0)", "yk", 6, 2)),
    "both loops shared":
    ("#pragma omp parallel for collapse(2)\nfor (int y = 0; y < n; ++y)\n    for (int x = 0; x < n; ++x)\n        for (int i = 0; i < 3; ++i)\n            for (int j = 0; j < 3; ++j)\n                if (y + i < n && x + j < n) c(y + i, x + j) += a(y, x);",
     ("c(y + i, x + j)", "yi", 7, 2)),
}


@pytest.mark.parametrize("mistake", SCATTERED)
def test_an_element_where_threads_meet_is_told(session, mistake):
    body, expected = SCATTERED[mistake]
    assert races(session, function(body)) == [expected]


GATHERED = {
    "from the rows around":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n" + IMAGE +
    "{\n    const int row = y + i - 1, column = x + j - 1;\n    if (row < 0 || row >= n || column < 0 || column >= n) continue;\n    c(y, x) += b(i, j) * a(row, column);\n}",
    "columns around in a row of its own":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n" + IMAGE +
    "if (x + j >= 1 && x + j <= n) c(y, x + j - 1) += a(y, x);",
    "atomic":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = 0; i < 3; ++i)\n        if (y + i < n) {\n            #pragma omp atomic\n            c(y + i, 0) += a(y, 0);\n        }",
    "a result for each thread":
    "std::vector<Matrix> parts(omp_get_max_threads(), Matrix(c));\n#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = 0; i < 3; ++i)\n        if (y + i < n) parts[omp_get_thread_num()](y + i, 0) += a(y, 0);",
    "a result inside":
    "#pragma omp parallel\n{\n    Matrix own = xt::zeros<float>({n, n});\n    #pragma omp for\n    for (int y = 0; y < n; ++y)\n        for (int i = 0; i < 3; ++i)\n            if (y + i < n) own(y + i, 0) += a(y, 0);\n    #pragma omp critical\n    c += own;\n}",
    "the filter outside, rows shared anew":
    "for (int i = 0; i < 3; ++i) {\n    #pragma omp parallel for\n    for (int y = 0; y < n - 3; ++y) c(y + i, 0) += a(y, 0);\n}",
    "one region, rows shared anew":
    "#pragma omp parallel\nfor (int i = 0; i < 3; ++i) {\n    #pragma omp for\n    for (int y = 0; y < n - 3; ++y) c(y + i, 0) += a(y, 0);\n}",
    "each third row, then the others":
    "for (int first = 0; first < 3; ++first) {\n    #pragma omp parallel for\n    for (int y = first; y < n - 3; y += 3)\n        for (int i = 0; i < 3; ++i) c(y + i, 0) += a(y, 0);\n}",
    "rows of its own of all that come":
    "#pragma omp parallel\n{\n    const int id = omp_get_thread_num(), threads = omp_get_num_threads();\n    const int from = n * id / threads, to = n * (id + 1) / threads;\n    for (int y = std::max(0, from - 1); y < std::min(n, to + 1); ++y)\n        for (int i = 0; i < 3; ++i) {\n            const int row = y + i - 1;\n            if (row < from || row >= to) continue;\n            c(row, 0) += a(y, 0);\n        }\n}",
    "twice as large":
    "#pragma omp parallel for\nfor (int y = 0; y < n / 2; ++y)\n    for (int i = 0; i < 2; ++i) c(2 * y + i, 0) = a(y, 0);",
    "a flat index":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int x = 0; x < n; ++x) c.data()[y * n + x] += a(y, x);",
    "blocks":
    "#pragma omp parallel for\nfor (int block = 0; block < n / 4; ++block)\n    for (int i = 0; i < 4; ++i) c(block * 4 + i, 0) = a(block * 4 + i, 0);",
    "one of them alone":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int i = 0; i < 3; ++i)\n        if (i == 1) c(y + i - 1, 0) += a(y, 0);",
    "a mirror":
    "#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n    for (int x = 0; x < n; ++x) c(n - 1 - y, x) = a(y, x);",
}


@pytest.mark.parametrize("way", GATHERED)
def test_elements_of_its_own_are_left_alone(session, way):
    assert races(session, function(GATHERED[way])) == []


QUEUE = "struct Q{n} {{\n    void put() {{ {put} }}\n    void get() {{ {get} }}\n    std::shared_ptr<std::atomic<long>> count;\n    std::mutex m;\n}};\nvoid f{n}(Q{n}& q) {{ q.put(), q.get(); }}"
STEPS = {
    "down in two": ("++*count;", "*count = *count - 1;", ["get"]),
    "up in two": ("*count = *count + 1;", "--*count;", ["put"]),
    "store of load": ("count->fetch_add(1);", "count->store(count->load() - 1);", ["get"]),
    "through a local": ("++*count;", "long n = *count;\nn -= 1;\n*count = n;", ["get"]),
    "by functions": ("std::atomic_fetch_add(count.get(), 1L);",
                     "std::atomic_store(count.get(), std::atomic_load(count.get()) - 1);", ["get"]),
    "as a plain number":
    ("++*count;", "--*reinterpret_cast<volatile long*>(count.get());", ["get"]),
    "as a reference to a number": ("++*count;", "--(long&)*count;", ["get"]),
    "by functions in one step":
    ("std::atomic_fetch_add(count.get(), 1L);", "std::atomic_fetch_sub(&*count, 1L);", []),
    "by a function of the compiler":
    ("++*count;", "__atomic_fetch_sub(reinterpret_cast<long*>(count.get()), 1, __ATOMIC_SEQ_CST);",
     []),
    "set back by a function": ("++*count;", "std::atomic_store(count.get(), 0L);", []),
    "one of them locks":
    ("std::lock_guard<std::mutex> g(m);\n*count = *count + 1;", "--*count;", ["put"]),
    "both in one step": ("++*count;", "count->fetch_sub(1);", []),
    "both lock": ("std::lock_guard<std::mutex> g(m);\n*count = *count + 1;",
                  "std::lock_guard<std::mutex> g(m);\n*count = *count - 1;", []),
    "set back": ("++*count;", "*count = 0;", []),
    "compared and exchanged":
    ("++*count;", "long n = *count;\nwhile (!count->compare_exchange_weak(n, n - 1)) {}", []),
}


@pytest.mark.parametrize("way", STEPS)
def test_an_atomic_that_is_counted_in_two_steps_is_told(session, way):
    put, get, expected = STEPS[way]
    n = list(STEPS).index(way)
    assert [
        one["in"]
        for one in told(session, QUEUE.format(put=put, get=get, n=n), f"f{n}")["two_steps"]
    ] == expected
