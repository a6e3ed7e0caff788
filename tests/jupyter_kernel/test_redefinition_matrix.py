"""Any kind of name may replace any other: each row declares many names as one kind, declares each of them again as another kind, and uses what they are then."""

import pytest

# kind: (declaration of N, an expression with N of type int, its value)
KINDS = {
    "int": ("int N = 1;", "N", 1),
    "double": ("double N = 2.5;", "int(N)", 2),
    "const": ("const int N = 3;", "N", 3),
    "constexpr": ("constexpr int N = 4;", "N", 4),
    "static": ("static int N = 5;", "N", 5),
    "inline variable": ("inline int N = 6;", "N", 6),
    "thread_local": ("thread_local int N = 7;", "N", 7),
    "volatile": ("volatile int N = 8;", "N", 8),
    "reference": ("int N_target = 9; int& N = N_target;", "N", 9),
    "pointer": ("int N_value = 10; int* N = &N_value;", "*N", 10),
    "array": ("int N[3] = {1, 2, 11};", "N[2]", 11),
    "string": ('std::string N = "twelve chars";', "int(N.size())", 12),
    "vector": ("std::vector<int> N(13);", "int(N.size())", 13),
    "unique_ptr": ("auto N = std::make_unique<int>(14);", "*N", 14),
    "std::array": ("std::array<int, 2> N{1, 15};", "N[1]", 15),
    "lambda": ("auto N = [](int a) { return a + 1; };", "N(15)", 16),
    "capturing lambda": ("int N_kept = 17; auto N = [&] { return N_kept; };", "N()", 17),
    "std::function": ("std::function<int(int)> N = [](int a) { return a; };", "N(18)", 18),
    "function pointer": ("int N_to(int a) { return a; } int (*N)(int) = N_to;", "N(19)", 19),
    "variable of an unnamed struct": ("struct { int v = 20; } N;", "N.v", 20),
    "structured binding": ("auto [N, N_second] = std::make_pair(21, 0);", "N", 21),
    "in parentheses": ("int (N) = 22;", "N", 22),
    "in an unnamed namespace": ("namespace { int N = 23; }", "N", 23),
    "decltype": ("decltype(24) N = 24;", "N", 24),
    "struct": ("struct N { int v = 25; };", "N{}.v", 25),
    "class": ("class N { public: int get() const { return 26; } };", "N().get()", 26),
    "union": ("union N { int v; float w; };", "N{27}.v", 27),
    "struct with a static member": ("struct N { static int v; }; int N::v = 28;", "N::v", 28),
    "struct with a member defined outside": ("struct N { int f(); }; int N::f() { return 29; }", "N().f()", 29),
    "declared, then defined": ("struct N; struct N { int v = 30; };", "N{}.v", 30),
    "derived": ("struct N_base { int v = 31; }; struct N : N_base {};", "N{}.v", 31),
    "abstract": ("struct N { virtual int f() = 0; virtual ~N() = default; };", "32 + std::is_abstract_v<N> - 1", 32),
    "enum": ("enum N { N_first = 33 };", "int(N_first) + int(sizeof(N) > 0) - 1", 33),
    "enum class": ("enum class N { first = 34 };", "int(N::first)", 34),
    "enum with a type": ("enum class N : unsigned char { first = 35 };", "int(N::first)", 35),
    "typedef": ("typedef int N;", "N(36)", 36),
    "alias": ("using N = std::vector<int>;", "int(N(37).size())", 37),
    "alias template": ("template <class T> using N = std::vector<T>;", "int(N<int>(38).size())", 38),
    "class template": ("template <class T> struct N { T v; };", "N<int>{39}.v", 39),
    "specialised template": ("template <class T> struct N { int v = 0; }; template <> struct N<int> { int v = 40; };", "N<int>{}.v", 40),
    "variable template": ("template <class T> T N = T(41);", "N<int>", 41),
    "function template": ("template <class T> T N(T a) { return a; }", "N<int>(42)", 42),
    "variadic template": ("template <class... T> int N(T... a) { return (a + ...); }", "N(40, 3)", 43),
    "function": ("int N(int a) { return a; }", "N(44)", 44),
    "constexpr function": ("constexpr int N(int a) { return a; }", "N(45)", 45),
    "inline function": ("inline int N(int a) { return a; }", "N(46)", 46),
    "static function": ("static int N(int a) { return a; }", "N(47)", 47),
    "C function": ('extern "C" int N(int a) { return a; }', "N(48)", 48),
    "block of C functions": ('extern "C" { int N(int a) { return a; } }', "N(49)", 49),
    "namespace": ("namespace N { int v = 50; }", "N::v", 50),
    "namespace alias": ("namespace N_long { int v = 51; } namespace N = N_long;", "N::v", 51),
}
# A template does not replace a function or another template: both are overloads.
TEMPLATES = {"function template", "variadic template"}
FUNCTIONS = {
    "function", "constexpr function", "inline function", "static function", "C function",
    "block of C functions"
} | TEMPLATES


def declaration(kind, name):
    return KINDS[kind][0].replace("N", name)


def use(kind, name):
    return KINDS[kind][1].replace("N", name)


def overload(older, newer):
    return older != newer and {older, newer} <= FUNCTIONS and bool({older, newer} & TEMPLATES)


def test_there_are_51_kinds():
    assert len(KINDS) == 51 and sorted(value for _, _, value in KINDS.values()) == list(range(1, 52))


@pytest.mark.parametrize("older", KINDS)
def test_each_kind_replaces(kernel, older):
    names = {
        kind: f"m{list(KINDS).index(older)}_{number}_"
        for number, kind in enumerate(KINDS)
        if not overload(older, kind)
    }
    kernel.run("\n".join(declaration(older, name) for name in names.values())).ok()
    kernel.run("\n".join(declaration(kind, name) for kind, name in names.items())).ok()
    values = kernel.value("std::vector<int>{" +
                          ", ".join(use(kind, name) for kind, name in names.items()) + "}")
    assert values == "{ " + ", ".join(str(KINDS[kind][2]) for kind in names) + " }"
