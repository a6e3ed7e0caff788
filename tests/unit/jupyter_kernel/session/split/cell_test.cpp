// What of a cell declares, what is run, what is shown. One line a case: the cell, and its pieces as
// letters.
#include "session/split/cell.hpp"
#include "session/split/generate_unit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>

namespace {

using namespace xcpp_session;

// A session that holds a few names.
class SomeNames : public Names {
public:
    NameKind kind_of(const std::vector<std::string_view>& path) const override {
        std::string joined;
        for (const auto& part : path) joined += (joined.empty() ? "" : "::") + std::string(part);
        const auto found = kinds.find(joined);
        return found == kinds.end() ? NameKind::unknown : found->second;
    }
    std::optional<Macro> macro(std::string_view name) const override {
        if (name == "DECL") return Macro{"int", ""};
        if (name == "GETTER") return Macro{"int", "}"};
        if (name == "OF_TYPE") return Macro{"", "", 0};
        if (name == "CHECK") return Macro{};
        return {};
    }
    bool macro_gives_way(std::string_view name, bool called) const override {
        return name == "CHECK" && !called;
    }
    std::string cell_space(std::string_view name) const override {
        return name == "Older" ? "__c3" : "";
    }
    std::string cell_namespace(std::string_view name) const override {
        return name == "mine" ? "::__c4::mine" : "";
    }

    std::map<std::string, NameKind> kinds = {
        {"std", NameKind::name_space},       {"std::vector", NameKind::type_template},
        {"std::string", NameKind::type},     {"std::cout", NameKind::variable},
        {"std::sort", NameKind::function},   {"Foo", NameKind::type},
        {"x", NameKind::variable},           {"y", NameKind::variable},
        {"f", NameKind::function},           {"Older", NameKind::type_template},
        {"mine", NameKind::name_space},      {"std::hash", NameKind::type_template},
        {"mine::deep", NameKind::name_space}};
};

// d declaration, o outside, s statement, v value, # directive
std::string pieces_of(const std::string& code) {
    const SomeNames names;
    const Cell cell(code, names);
    std::string letters;
    for (const Piece& piece : cell.pieces) letters += "#odsv"[static_cast<int>(piece.kind)];
    return letters;
}

struct Case {
    const char* code;
    const char* pieces;
};

class Pieces : public testing::TestWithParam<Case> {};

TEST_P(Pieces, AreSorted) {
    EXPECT_EQ(pieces_of(GetParam().code), GetParam().pieces) << GetParam().code;
}

INSTANTIATE_TEST_SUITE_P(
    Cell, Pieces,
    testing::Values(
        Case{"6 * 7", "v"}, Case{"int j = 5;j", "dv"}, Case{"int j = 5", "d"}, Case{"x = 3;", "s"},
        Case{"x = 3", "v"}, Case{"x * y;", "s"}, Case{"Foo * p;", "d"},
        Case{"Foo * p = nullptr; p", "dv"}, Case{"Foo(3);", "s"}, Case{"Foo{3}", "v"},
        Case{"std::vector<int> v{1, 2};", "d"}, Case{"std::vector<std::vector<int>> v;", "d"},
        Case{"f(x);", "s"}, Case{"Foo bar(3);", "d"}, Case{"int f(int a) { return a; } f(3)", "dv"},
        Case{"for (int i = 0; i < 3; ++i) { f(i); }", "s"},
        Case{"if (x) f(1); else f(2);\nint z = 4;", "sd"},
        Case{"do { ++x; } while (x < 3); x", "sv"},
        Case{"try { f(1); } catch (int) { } catch (...) { }", "s"},
        Case{"struct P { int a; };\nP p; p.a", "ddv"}, Case{"struct P { int a; } p;", "d"},
        Case{"enum class E { a, b };", "d"}, Case{"namespace n { int a; }", "d"},
        Case{"namespace std { template <> struct hash<Foo> { }; }", "o"},
        Case{"namespace mine { int b; }", "d"}, Case{"using namespace std;", "o"},
        Case{"using V = std::vector<int>; V v;", "dd"}, Case{"#include <vector>\nint a;", "od"},
        Case{"#define A 1\nA", "#v"}, Case{"#pragma omp parallel for\nfor (;;) { }", "s"},
        Case{"void Foo::go() { }", "o"}, Case{"Foo::Foo() : a{1}, b(2) { }", "o"},
        Case{"Foo::~Foo() { }", "o"}, Case{"int Foo::count = 0;", "o"},
        Case{"template <class T> T twice(T t) { return t + t; }", "d"},
        Case{"template <> struct Older<int> { };", "o"},
        Case{"template <class T> struct Own { }; template <> struct Own<int> { };", "dd"},
        Case{"auto g = [&](int k) { return k; };", "d"}, Case{"[] { return 3; }()", "v"},
        Case{"int (*p)(int) = nullptr;", "d"}, Case{"int (Foo::*p)() = nullptr;", "d"},
        Case{"Foo (&r)[2] = x;\nFoo* q = r;", "dd"}, Case{"int (*p)(int){f};\np = f;", "ds"},
        Case{"Foo (*p)(const Foo&) = nullptr;\nFoo* q = nullptr;", "dd"},
        Case{"std::vector<int> (*p)(int) = nullptr;", "d"}, Case{"int(x)", "v"},
        Case{"auto [a, b] = f();", "d"}, Case{"DECL a = 3;", "d"}, Case{"CHECK(x);", "s"},
        Case{"GETTER(a, 7)\nx", "dv"}, Case{"OF_TYPE(Foo, a);", "d"},
        Case{"std::cout << 3 << std::endl;", "s"}, Case{"std::string s = \"a;b}\"; s", "dv"},
        Case{"extern \"C\" int c(int a) { return a; }", "d"}, Case{"static int n = 0; n", "dv"},
        Case{"unsigned long long n = 1;", "d"}, Case{"[[maybe_unused]] int n = 1;", "d"},
        Case{"switch (x) { case 1: break; default: f(1); }", "s"}, Case{"6 * 7 // answer", "v"},
        Case{"R\"(a ; b)\"", "v"}, Case{"int a[3] = {1, 2, 3}; a[1]", "dv"}, Case{"throw 3;", "s"},
        Case{";;", ""}, Case{"", ""}));

TEST(Cell, StripsStaticSoThatLaterCellsShareTheVariable) {
    const SomeNames names;
    const Cell cell("static int n = 0;", names);
    EXPECT_EQ(cell.text_of(cell.pieces[0].first, cell.pieces[0].last), "       int n = 0;");
}

TEST(Cell, EmptiesDefaultCapturesOfTopLevelLambdas) {
    const SomeNames names;
    const Cell cell("auto g = [&](int k) { return [&] { return k; }(); };", names);
    EXPECT_EQ(cell.text_of(0, cell.tokens.size() - 1),
              "auto g = [ ](int k) { return [&] { return k; }(); };");
}

TEST(Cell, CapturesSessionVariablesByInitialiser) {
    const SomeNames names;
    const Cell cell("for (int i = 0; i < 3; ++i) { auto g = [x, &y, i] { return x + y + i; }; }",
                    names);
    EXPECT_EQ(cell.text_of(0, cell.tokens.size() - 1),
              "for (int i = 0; i < 3; ++i) { auto g = [x = x, &y = y, i] { return x + y + i; }; }");
    EXPECT_EQ(cell.user_column(1, 1), 1U);
    EXPECT_EQ(cell.user_column(1, 42), 42U);  // the x itself
    EXPECT_EQ(cell.user_column(1, 55), 47U);  // the i behind both
}

TEST(Cell, TurnsStructuredBindingsIntoReferences) {
    const SomeNames names;
    const Cell cell("auto [a, b] = std::pair<std::string, int>(\"five\", 5);", names);
    EXPECT_EQ(cell.text_of(0, cell.tokens.size() - 1),
              "auto [a__xcpp, b__xcpp] = std::pair<std::string, int>(\"five\", 5); auto&& a = "
              "a__xcpp; auto&& b = b__xcpp;");
}

std::string declared_by(const std::string& code) {
    const SomeNames names;
    const Cell cell(code, names);
    std::string text;
    for (const Piece& piece : cell.pieces)
        for (const std::string_view name : piece.declares)
            text += (text.empty() ? "" : " ") + std::string(name);
    return text;
}

TEST(Cell, KnowsWhatIsDeclaredInsideParentheses) {
    for (const char* code :
         {"int (*p)(int) = nullptr;", "std::string (*p)(Foo) = nullptr;",
          "std::vector<int> (*p)();", "int (Foo::*p)() const = nullptr;", "int (&p)[2] = x;",
          "int* (*p)(int){nullptr};", "const Foo (*const p[2])(int) = {};",
          "int (*p(int a))(double) { return nullptr; }"})
        EXPECT_EQ(declared_by(code), "p") << code;
    EXPECT_EQ(declared_by("int a = 1, (*p)(int) = nullptr;"), "a p");
    EXPECT_EQ(declared_by("Foo p(*x);"), "p");
}

TEST(Cell, DeclaringANameTakesAValuesMacroAway) {
    const SomeNames names;  // CHECK is one that gives way
    EXPECT_EQ(Cell("const int CHECK = 3;\nCHECK", names).undefines,
              std::vector<std::string_view>{"CHECK"});
    EXPECT_TRUE(Cell("#define CHECK 4\nconst int CHECK = 3;", names).undefines.empty())
        << "the cell's own macro is meant";
    EXPECT_TRUE(Cell("int DECL = 3;\nCHECK(x);", names).undefines.empty());
}

TEST(Cell, MacrosMayNameEachOther) {
    EXPECT_EQ(pieces_of("#define A B\n#define B A\nA;"), "##s");
    EXPECT_EQ(pieces_of("#define A B\n#define B int\nA x;"), "##d");
}

TEST(Cell, TellsComparisonsFromTemplateArguments) {
    const SomeNames names;
    EXPECT_EQ(pieces_of("bool less = x < y, more = x > y; less"), "dv");
}

TEST(Cell, ReopensTheNamespaceOfWhatItSpecialises) {
    const SomeNames names;
    const Cell cell("template <> struct Older<int> { };", names);
    EXPECT_EQ(cell.pieces[0].space, "__c3");
}

TEST(Cell, SeesAnOldNamespaceThroughTheNewOne) {
    const SomeNames names;
    const Cell cell("namespace mine { int b; }", names);
    EXPECT_EQ(
        cell.text_of(0, cell.tokens.size() - 1),
        "namespace mine { using namespace ::__c4::mine;; _Pragma(\"xcpp reopened\") int b; }");
}

// The text of a cell as clang reads it, without the pragmas.
std::string edited(const std::string& code) {
    const SomeNames names;
    const Cell cell(code, names);
    const std::string text = cell.text_of(0, cell.tokens.size() - 1);
    return std::regex_replace(text, std::regex(" _Pragma\\(\"xcpp reopened[a-z ]*\"\\)"), "");
}

TEST(Cell, SeesOldNamespacesInsideOfAnOldNamespace) {
    const std::string using_mine = "using namespace ::__c4::mine;;",
                      using_deep = "using namespace ::__c4::mine::deep;;";
    EXPECT_EQ(edited("namespace mine::deep { int b; }"),
              "namespace mine { " + using_mine + " namespace deep { " + using_deep + " int b; }}");
    EXPECT_EQ(edited("namespace mine { namespace deep { int b; } }"),
              "namespace mine { " + using_mine + " namespace deep { " + using_deep + " int b; } }");
    EXPECT_EQ(edited("namespace mine { inline namespace deep {} void f() {} }"),
              "namespace mine { " + using_mine + " inline namespace deep { " + using_deep +
                  "} void f() {} }");
    EXPECT_EQ(edited("namespace mine::deep::fresh {}"), "namespace mine { " + using_mine +
                                                            " namespace deep { " + using_deep +
                                                            " namespace fresh {}}}");
    EXPECT_EQ(
        edited("namespace mine { namespace fresh { int b; } namespace s = std; }"),
        "namespace mine { " + using_mine + " namespace fresh { int b; } namespace s = std; }");
    EXPECT_EQ(edited("namespace fresh::mine { int b; }"), "namespace fresh::mine { int b; }");
}

TEST(Cell, MainReturnsZeroByItself) {
    EXPECT_EQ(edited("int main() { f(1); }"), "int main() { f(1); return 0; }");
    EXPECT_EQ(edited("int main(int argc, char** argv) {}"),
              "int main(int argc, char** argv) {return 0; }");
    EXPECT_EQ(edited("auto main() -> int {}"), "auto main() -> int {return 0; }");
    EXPECT_EQ(edited("int main() try {} catch (int) {} catch (...) {}"),
              "int main() try {return 0; } catch (int) {return 0; } catch (...) {return 0; }");
    for (const char* same : {"void main() {}", "int f() {}", "int main();", "auto main() {}",
                             "struct S { int main() {} };", "int Foo::main() {}"})
        EXPECT_EQ(edited(same), same);
}

TEST(Assemble, RunsStatementsBetweenInitialisers) {
    const SomeNames names;
    const Cell cell("int a = f(1);\nf(a);\nint b = f(2);\nb", names);
    const std::string generated =
        generate_unit(cell, 7, LineOrigins("In[3]", 1), [](std::string_view) { return false; });
    const std::size_t first = generated.find("int a = f(1);"), statement = generated.find("f(a);"),
                      second = generated.find("int b = f(2);");
    EXPECT_LT(first, statement);
    EXPECT_LT(statement, second);
    EXPECT_NE(generated.find("inline namespace __c7 {"), std::string::npos);
    EXPECT_NE(generated.find("#line 3 \"In[3]\"\nint b = f(2);"), std::string::npos);
    EXPECT_NE(generated.find("Show<7>(),\n#line 4 \"In[3]\"\n(\n#line 4 \"In[3]\"\nb"),
              std::string::npos);  // the bracket belongs to the value
}

TEST(Assemble, KeepsTheCommentBeforeADeclaration) {
    const SomeNames names;
    const Cell cell("int a; // of a\n\n  /** Of b. */\n  int b;", names);
    const std::string generated =
        generate_unit(cell, 7, LineOrigins("In[3]", 1), [](std::string_view) { return false; });
    EXPECT_NE(generated.find("#line 1 \"In[3]\"\n       // of a\n\n  /** Of b. */\n  int b;"),
              std::string::npos)
        << generated;
}

TEST(Assemble, AnnouncesAFunctionWithoutItsDefaults) {
    const SomeNames names;
    const Cell cell(
        "int g(int a, std::vector<int> b = std::vector<int>(3), int c = 4) { return a; }", names);
    const std::string generated =
        generate_unit(cell, 7, LineOrigins("In[3]", 1), [](std::string_view) { return true; });
    EXPECT_NE(generated.find("int g ( int a , std :: vector < int > b , int c ) ;"),
              std::string::npos)
        << generated;
}

}  // namespace
