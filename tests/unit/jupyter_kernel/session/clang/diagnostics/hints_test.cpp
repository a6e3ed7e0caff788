#include "session/clang/diagnostics/hints.hpp"
#include "session/clang/diagnostics/hints_configured.hpp"
#include "session/clang/diagnostics/hints_names.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace {

using namespace xcpp_session;

std::string hint(const char* message, const char* line = "", std::vector<std::string> notes = {}) {
    Finding finding;
    finding.message = message;
    for (std::string& text : notes) {
        Finding note;
        note.level = Level::note;
        note.message = std::move(text);
        finding.notes.push_back(note);
    }
    return hint_for(finding, line);
}

struct Case {
    const char* message;
    const char* line;
    const char* part;  // of the hint
};

TEST(Hints, CommonMistakes) {
    const Case cases[] = {
        {"expected ';' after expression", "f()", "; is missing"},
        {"expected ';' after struct", "struct A {}", "};"},
        {"use of undeclared identifier 'foo'", "foo", "no cell that was run defines foo"},
        {"use of undeclared identifier 'cout'; did you mean 'std::cout'?", "cout", "std::cout"},
        {"no template named 'Vector'; did you mean 'std::vector'?", "Vector<int> v;",
         "did you mean std::vector?"},
        {"use of undeclared identifier 'system_clock'; did you mean 'std::chrono::system_clock'?",
         "system_clock::now()",
         "system_clock is in namespace std::chrono: write std::chrono::system_clock."},
        {"use of undeclared identifier 'max'; did you mean 'fmax'?", "max(a, b)", "write std::max"},
        {"use of undeclared identifier 'rotate'; did you mean 'lib::rotate'?", "rotate(a)",
         "Run the cell that does; or did you mean lib::rotate?"},
        {"use of undeclared identifier 'sigmoid'; did you mean 'lib::sigmoid'?", "sigmoid(1)",
         "Run the cell that does; or did you mean lib::sigmoid?"},
        {"reference to overloaded function could not be resolved; did you mean to call it?", "sum",
         "call it, as in sum(…)"},
        {"variable 'x' with type 'auto' has incompatible initializer of type '<overloaded function "
         "type>'",
         "auto x = sum;", "a cast or a lambda"},
        {"explicit specialization of 'twice<int>' after instantiation",
         "template <> int twice(int x)", "Run the template's cell again"},
        {"use of undeclared identifier 'vector'", "vector<int> v;", "#include <vector>"},
        {"no template named 'map' in namespace 'std'", "std::map<int, int> m;",
         "std::map needs #include <map>"},
        {"no member named 'endln' in namespace 'std'", "std::endln", "std::endl"},
        {"implicit instantiation of undefined template 'std::array<int, 3>'", "",
         "#include <array>"},
        {"'vectr' file not found", "#include <vectr>", "<vector>"},
        {"'mine.hpp' file not found", "#include \"mine.hpp\"", "add_include_path"},
        {"using the result of an assignment as a condition without parentheses", "if (a = b)",
         "== compares"},
        {"non-void function does not return a value", "}", "not every path"},
        {"void function 'f' should not return a value", "return 5;", "return type is void"},
        {"void function the cell should not return a value", "return 5;",
         "a cell is not a function"},
        {"too few arguments to function call, expected 2, have 1", "f(1)",
         "another number of arguments"},
        {"cannot assign to variable 'k' with const-qualified type 'const int'", "k = 3",
         "k is const"},
        {"'this' argument to member function 'get' has type 'const A', but function is not marked "
         "const",
         "", "get may change the object"},
        {"member reference type 'A *' is a pointer; did you mean to use '->'?", "p.x", "->"},
        {"member reference type 'A' is not a pointer; did you mean to use '.'?", "a->x", "a dot"},
        {"type 'double' cannot be narrowed to 'int' in initializer list", "int i{d};",
         "static_cast<int>"},
        {"a type specifier is required for all declarations", "f(int a) { }", "return type"},
        {"a type specifier is required for all declarations", "x = 3;", "auto"},
        {"function definition is not allowed here", "int f() { }", "lambda"},
        {"no viable constructor or deduction guide for deduction of template arguments of 'vector'",
         "", "vector<int>"},
        {"expression is not assignable", "5 = x", "left of ="},
        {"cannot initialize a variable of type 'int' with an lvalue of type 'const char[4]'", "",
         "std::stoi"},
        {"no viable conversion from 'int' to 'std::string'", "", "std::to_string"},
        {"invalid operands to binary expression ('std::ostream' and 'std::vector<int>')", "",
         "cannot print a std::vector<int>"},
        {"expected unqualified-id", "float x = std::INFINITY;",
         "std::numeric_limits<float>::infinity()"},
        {"use of undeclared identifier 'INFINITY'", "float x = INFINITY;", "#include <cmath>"},
        {"use of undeclared identifier 'print'", "print(3)", "std::cout"},
        {"call to deleted constructor of 'std::unique_ptr<int>'", "", "std::move"},
        {"recursive template instantiation exceeded maximum depth of 1024", "", "without end"},
    };
    for (const Case& test : cases)
        EXPECT_NE(hint(test.message, test.line).find(test.part), std::string::npos)
            << test.message << "\n-> " << hint(test.message, test.line);
    EXPECT_EQ(hint("some words nobody has seen"), "");
}

TEST(Hints, WrongCallsAreExplainedFromTheNotes) {
    EXPECT_EQ(hint("no matching function for call to 'add'", "",
                   {"candidate function not viable: requires 2 arguments, but 1 was provided"}),
              "Shift-Tab on the name shows the arguments that it takes.");
    const std::string type = hint("no matching function for call to 'add'", "",
                                  {"candidate function not viable: no known conversion from 'const "
                                   "char[2]' to 'int' for 1st argument"});
    EXPECT_NE(type.find("the 1st argument is of type const char[2], and add wants int"),
              std::string::npos)
        << type;
}

TEST(Hints, HeadersOfStandardNames) {
    EXPECT_EQ(header_of_std_name("accumulate"), "numeric");
    EXPECT_EQ(header_of_std_name("no_such_name"), "");
}

class ConfiguredHints : public testing::Test {
protected:
    void SetUp() override {
        const std::string file =
            testing::TempDir() + "hints-" + std::to_string(::getpid()) + ".json";
        std::ofstream(file)
            << R"([{"words": ["__global__", "threadIdx"], "say": "as text"}, {"words": ["<<<"], "say": "call launch"}, {"say": 3}, 4])";
        read_configured_hints(file);
        std::remove(file.c_str());
    }
    void TearDown() override { read_configured_hints(""); }
};

TEST_F(ConfiguredHints, ComeFirst) {
    EXPECT_EQ(hint("unknown type name '__global__'", "__global__ void f() {"), "as text");
    EXPECT_EQ(hint("use of undeclared identifier 'threadIdx'", "int i = threadIdx.x;"), "as text");
    EXPECT_EQ(hint("expected expression", "f<<<1, 32>>>(x);"), "call launch");
}

TEST_F(ConfiguredHints, OnlyWhereTheWordStands) {
    EXPECT_EQ(hint("expected ';' after expression", "f(\"__global__\")"),
              "a ; is missing at the caret.");
    EXPECT_EQ(hint("expected ';' after expression", "my__global__ = 1"),
              "a ; is missing at the caret.");
    EXPECT_EQ(hint("expected ';' after expression", "x << y << z  // <<<"),
              "a ; is missing at the caret.");
}

TEST_F(ConfiguredHints, AFileThatHoldsNoneIsPassedOver) {
    read_configured_hints("/no/such/file");
    EXPECT_NE(hint("unknown type name '__global__'", "__global__ void f() {"), "as text");
}

}  // namespace
