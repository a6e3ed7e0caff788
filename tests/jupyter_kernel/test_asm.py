"""%asm: the machine code of a function beside its source lines."""

import re

DOT = """double dot(const double* x, const double* y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}"""


def test_a_function_of_an_earlier_cell(kernel):
    count = kernel.run(DOT).ok().count
    kernel.run("int something_else = 1;").ok()
    listing = kernel.run("%asm dot").ok().stdout
    assert listing.startswith("dot(double const*, double const*, int)\n")
    line = listing.index(f"In[{count}]:4          sum += x[i] * y[i];\n")
    assert re.search(r"^ +[0-9a-f]+  v?f?mul|^ +[0-9a-f]+  v?f?madd", listing[line:], re.M), listing
    assert re.search(r"^ +[0-9a-f]+  ret", listing, re.M), listing
    assert "__c" not in listing


def test_the_newest_definition(kernel):
    kernel.run("int changing(int x) { return x + 11; }").ok()
    count = kernel.run("int changing(int x) { return x + 22; }").ok().count
    listing = kernel.run("%asm changing").ok().stdout
    assert f"In[{count}]:1" in listing and "x + 11" not in listing


def test_calls_have_names(kernel):
    kernel.run("[[gnu::noinline]] int called(int x) { return x * 3; }\nint calls(int x) { return called(x) + 1; }").ok()
    assert "<called(int)>" in kernel.run("%asm calls").ok().stdout


def test_jumps_name_the_instruction_that_they_lead_to(kernel):
    kernel.run("long steps(long n) {\n    long count = 0;\n    while (n != 1) {\n"
               "        n = n % 2 ? 3 * n + 1 : n / 2;\n        ++count;\n    }\n    return count;\n}").ok()
    listing = kernel.run("%asm steps").ok().stdout
    offsets = {int(offset, 16) for offset in re.findall(r"^ +([0-9a-f]+)  ", listing, re.M)}
    # x86-64: "jne 0x40"; AArch64: "b.ne 0x40", "cbz x0, 0x40".
    targets = re.findall(r"^ +[0-9a-f]+  (?:j|b|cb|tb)[a-z.]* (?:.*, )?#?0x([0-9a-f]+)$", listing, re.M)
    assert targets and {int(target, 16) for target in targets} <= offsets, listing


def test_overloads_are_listed(kernel):
    kernel.run("int twofold(int x) { return 2 * x; }\nlong twofold(long x) { return 2 * x; }").ok()
    result = kernel.run("%asm twofold")
    assert (result.ename, result.evalue) == (
        "MagicError", "%asm: several functions are called twofold. Choose one:\n  %asm twofold(int)\n  %asm twofold(long)")
    assert kernel.run("%asm twofold( long )").ok().stdout.startswith("twofold(long)\n")


def test_instances_of_a_template(kernel):
    kernel.run("template <class T>\n[[gnu::noinline]] T thrice(T x) { return 3 * x; }").ok()
    assert "thrice has no machine code of its own" in kernel.run("%asm thrice").evalue
    kernel.run("thrice(2)").ok()
    assert "thrice<int>(int)" in kernel.run("%asm thrice").ok().stdout
    kernel.run("thrice(2.5)").ok()
    assert "%asm thrice<double>(double)" in kernel.run("%asm thrice").evalue
    assert "thrice<double>(double)" in kernel.run("%asm thrice<double>").ok().stdout


def test_members_and_namespaces(kernel):
    kernel.run("namespace shapes {\nstruct Square {\n    double side;\n    double area() const;\n};\n"
               "double Square::area() const { return side * side; }\n}").ok()
    for name in ("shapes::Square::area", "area", "shapes::Square::area()"):
        assert "side * side" in kernel.run(f"%asm {name}").ok().stdout


def test_a_parallel_loop_is_shown_with_its_function(kernel):
    kernel.run("void halve(float* x, int n) {\n#pragma omp parallel for\n    for (int i = 0; i < n; ++i) x[i] *= 0.5f;\n}").ok()
    listing = kernel.run("%asm halve").ok().stdout
    assert "halve(float*, int).omp_outlined" in listing and "x[i] *= 0.5f" in listing


def test_unknown_names(kernel):
    kernel.run("int measure_it() { return 1; }").ok()
    result = kernel.run("%asm mesure_it")
    assert (result.ename, result.evalue) == (
        "MagicError", "%asm: no cell that was run defines a function mesure_it. Did you mean measure_it?")
    assert "needs the name of a function" in kernel.run("%asm").evalue
    kernel.run("inline int never_called() { return 1; }").ok()
    assert "never_called has no machine code of its own" in kernel.run("%asm never_called").evalue
    assert kernel.value("40 + 2") == "42"
