"""What the text of an answer may and may not do, decided without running it."""

import pytest
from grading import screen

TEACHERS = {"lanes", "exercises", "max_plain", "check", "std", "cout", "Ints", "LANES_REQUIRE"}

REFUSED = {
    "a #define of the check": ("#define check(x) name()", "redefines 'check'"),
    "a #define over two lines": ("# define \\\ncheck(x) name()", "redefines 'check'"),
    "a #define by a digraph": ("%:define check(x) name()", "redefines 'check'"),
    "a #define of a macro of the library":
    ("#define LANES_REQUIRE(...)", "redefines 'LANES_REQUIRE'"),
    "a #define of the score's stream": ("#define cout cerr", "redefines 'cout'"),
    "a #define of a keyword": ("#define throw (void)", "redefines 'throw'"),
    "names pasted together": ("#define JOIN(a, b) a##b\nJOIN(name, space) lanes {}",
                              "pastes names together"),
    "another exercise":
    ("namespace lanes::exercises { struct Max { template <class F> void check(F) {} }; "
     "inline Max max_plain() { return {}; } }",
     "opens the namespace 'lanes'"),
    "another Exercise": ("namespace lanes { class Exercise {}; }", "opens the namespace 'lanes'"),
    "a command": ('int files = system ("ls");', "'system'"),
    "exit": ("Ints max_plain(const Ints& a, const Ints& b) { std::exit(0); }", "'exit'"),
    "a jump out of the check":
    ("#include <csetjmp>\nstd::jmp_buf place; void f() { longjmp(place, 1); }", "'longjmp'"),
    "the library by name": ('auto f = dlsym(nullptr, "x");', "'dlsym'"),
    "the Jupyter kernel's functions":
    ('extern "C" int xcpp_publish(const char*, const char*, const char*);', "'xcpp_publish'"),
    "memory as a file": ('std::fstream memory("/proc/self/mem");', "/proc"),
    "a macro put aside": ('#pragma push_macro("check")', "push_macro"),
}


@pytest.mark.parametrize("cheat", REFUSED)
def test_refused(cheat):
    source, words = REFUSED[cheat]
    assert words in (screen.objection(source, TEACHERS) or "")


ALLOWED = {
    "an answer":
    "Ints max_plain(const Ints& a, const Ints& b) {\n    Ints c = a;\n"
    "    #pragma omp parallel for\n    for (std::size_t i = 0; i < a.size(); ++i) c.flat(i) = 0;\n"
    "    return c;\n}",
    "names in comments and strings":
    '// exit(0), asm, #define check\nstd::cout << "exit, namespace lanes {";',
    "a macro of one's own":
    "#define SQUARE(x) ((x) * (x))\nint nine = SQUARE(3);",
    "a namespace of one's own, and an alias":
    "namespace mine { int x; }\nnamespace l = lanes;\nusing namespace std;",
    "CUDA text":
    'const std::string text = R"cuda(\n__global__ void max_kernel() { __syncthreads(); }\n)cuda";',
}


@pytest.mark.parametrize("what", ALLOWED)
def test_allowed(what):
    assert screen.objection(ALLOWED[what], TEACHERS) is None


def test_what_the_solution_needs_is_allowed():
    assert screen.objection("_exit(0);", TEACHERS)
    assert screen.objection("_exit(0);", TEACHERS, {"_exit"}) is None


NO_HONEST_USE = {
    "assembly": ('void f() { asm("nop"); }', "assembly"),
    "a name given by asm": ('int go(const char*) __asm__("system");', "asm"),
    "another name": ('int f() __attribute__((noinline, alias("zz_go")));', "alias"),
    "a name in underscores": ('int f() __attribute__((__alias__("zz_go")));', "alias"),
    "a cleanup": ("void f() { __attribute__((cleanup(g))) int x = 1; }", "cleanup"),
    "a constructor": ("[[gnu::constructor]] void f() {}", "constructor"),
    "a command": ("%%bash\nls", "the magic bash"),
    "another folder": ("%cd /tmp", "the magic cd"),
    "a shell": ("!ls", "a command of the shell"),
    "a header that is written": ('std::ofstream("tool.hpp") << text;', "%%file"),
    "a header whose name is in two literals": ('std::ofstream("tool.hp" "p") << text;', "%%file"),
}


@pytest.mark.parametrize("what", NO_HONEST_USE)
def test_what_has_no_honest_use_is_refused(what):
    source, words = NO_HONEST_USE[what]
    assert words in (screen.refused(source) or "")


@pytest.mark.parametrize("source", [
    *ALLOWED.values(), '#include "helper.hpp"\nint x;', "%%file helper.hpp\n#pragma once",
    "struct __attribute__((aligned(64))) Block { int values[16]; };", "%timeit f()",
    'std::cout << "a" << "" << ".hp" << "p" << " " ", or";',
    "bool f(bool a, bool b) {\n    return a &&\n        !b;\n}", "int f(int a, int cd) {\n    return a\n        %cd;\n}",
    "struct Table { Table() {} ~Table() {} }; // constructor, alias", "bool cleanup = !done;",
    "int constructor = 3;\n__attribute__((always_inline)) inline int f() { return constructor; }"])
def test_honest_text_is_not_refused(source):
    assert screen.refused(source) is None
