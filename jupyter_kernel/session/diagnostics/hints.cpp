#include "hints.hpp"

#include "hints_configured.hpp"
#include "hints_names.hpp"
#include "session/base/cell_names.hpp"
#include "session/base/similar_words.hpp"
#include "session/text/tokens.hpp"

#include <algorithm>
#include <cctype>

namespace xcpp_session {
namespace {

// One message of clang, its quoted words at hand.
struct CompilerMessage {
    const Finding& error;
    std::string_view message;
    std::string_view line;
    std::vector<std::string> quoted;

    bool has(std::string_view part) const { return message.find(part) != std::string_view::npos; }
    std::string word(std::size_t index) const {
        return index < quoted.size() ? quoted[index] : std::string();
    }
    const Finding* note(std::string_view part) const {
        for (const Finding& note : error.notes)
            if (note.message.find(part) != std::string::npos) return &note;
        return nullptr;
    }
};

std::vector<std::string> quoted_words(std::string_view message) {
    std::vector<std::string> words;
    for (std::size_t at = message.find('\''); at != std::string_view::npos;) {
        const std::size_t end = message.find('\'', at + 1);
        if (end == std::string_view::npos) break;
        words.emplace_back(message.substr(at + 1, end - at - 1));
        at = message.find('\'', end + 1);
    }
    return words;
}

bool is_text(std::string_view type) {
    return type.find("string") != std::string_view::npos ||
           type.find("char *") != std::string_view::npos ||
           type.find("char[") != std::string_view::npos;
}
bool is_number(std::string_view type) {
    for (const std::string_view name : {"int", "long", "short", "float", "double", "unsigned"})
        if (type.substr(0, name.size()) == name) return type.find('*') == std::string_view::npos;
    return false;
}

std::string from_other_languages(const std::string& name) {
    if (name == "print")
        return "C++ prints with std::cout << value << '\\n', or printf; a value alone on the last "
               "line is shown by itself.";
    if (name == "None" || name == "null" || name == "nil") return "C++ writes nullptr.";
    if (name == "True" || name == "False") return "C++ writes true and false.";
    if (name == "len") return "C++ asks the object: v.size().";
    if (name == "range") return "C++ counts with for (int i = 0; i < n; ++i).";
    if (name == "self") return "C++ writes this-> or nothing at all.";
    if (name == "import" || name == "from") return "C++ writes #include <header>.";
    if (name == "def" || name == "fn" || name == "func")
        return "C++ starts a function with its return type: int f(int a) { return a; }";
    if (name == "let" || name == "var") return "C++ writes auto x = value;";
    if (name == "elif" || name == "elseif") return "C++ writes else if (…).";
    return {};
}

// "'foo'; did you mean 'lib::foo'?" -> "lib::foo"
std::string proposed(const CompilerMessage& said) {
    if (!said.error.meant.empty()) return said.error.meant;
    return said.has("did you mean '") ? said.quoted.back() : std::string();
}

std::string undeclared(const CompilerMessage& said) {
    const std::string name = said.word(0);
    if (const std::string hint = from_other_languages(name); !hint.empty()) return hint;
    if (name == "INFINITY" || name == "NAN")
        return name + " comes with #include <cmath>; std::numeric_limits<float>::" +
               (name == "NAN" ? "quiet_NaN()" : "infinity()") + " is the same.";
    const std::string header = header_of_std_name(name);
    const bool qualified = said.line.find("::" + name) != std::string_view::npos;
    const std::string other = proposed(said);
    const std::size_t colons = other.rfind("::");
    const bool same_name = colons != std::string::npos && other.substr(colons + 2) == name;
    if (other.compare(0, 5, "std::") == 0)
        return same_name
                   ? name + " is in namespace " + other.substr(0, colons) + ": write " + other + "."
                   : "did you mean " + other + "?";
    // A name of std is better than a proposal that is only similar: for max, clang proposes fmax.
    if (!header.empty() && !qualified && !same_name)
        return "write std::" + name + " (it comes with #include <" + header + ">).";
    if (!other.empty())
        return "no cell that was run defines " + name +
               ". Run the cell that does; or did you mean " + other + "?";
    return "no cell that was run defines " + name +
           ". Run the cell that does, or check the spelling.";
}

std::string not_in_namespace(const CompilerMessage& said) {
    const std::string name = said.word(0);
    const std::string space = said.word(1);
    if (space != "std")
        return "check the spelling; if a header declares it, #include that header first.";
    if (const std::string header = header_of_std_name(name); !header.empty())
        return "std::" + name + " needs #include <" + header + ">.";
    if (said.has("did you mean")) return {};
    const std::string near = similar_std_name(name);
    return near.empty() ? "there is no std::" + name + " in the headers included so far."
                        : "there is no std::" + name + "; did you mean std::" + near + "?";
}

std::string missing_file(const CompilerMessage& said) {
    const std::string name = said.word(0);
    std::string hint = "no file " + name + " in the folder of the notebook or on the include path.";
    if (const std::vector<std::string> near = similar_words(name, known_headers()); !near.empty()) {
        hint += " Did you mean <" + near[0] + ">";
        for (std::size_t i = 1; i < near.size(); ++i) hint += " or <" + near[i] + ">";
        return hint + "?";
    }
    return hint + " A folder is added by #pragma cling add_include_path(\"folder\").";
}

// From a note "candidate function not viable: requires 2 arguments, but 1 was provided", and the
// like.
std::string wrong_call(const CompilerMessage& said) {
    std::string what = said.word(0).empty() ? "it" : said.word(0);
    std::size_t viable = 0;
    for (const Finding& note : said.error.notes)
        viable += note.message.find("not viable") != std::string::npos ? 1 : 0;
    if (said.note("but method is not marked const"))
        return what + " may change the object, and the object is const. Write const behind " +
               what +
               "'s parameter list if it changes nothing, or use an object that is not const.";
    const bool all_count =
        std::all_of(said.error.notes.begin(), said.error.notes.end(), [](const Finding& note) {
            return note.message.find("not viable: requires ") != std::string::npos;
        });
    if (viable > 0 && all_count) {
        std::string count = said.error.notes[0].message;
        count.erase(0, count.find("requires "));
        if (const std::size_t name = count.find(" '"); name != std::string::npos)
            count.erase(name, count.find('\'', name + 2) + 1 - name);
        return what + " " + count + ".";
    }
    if (const Finding* note = said.note("no known conversion from "); note && viable == 1) {
        const std::vector<std::string> types = quoted_words(note->message);
        const std::size_t at = note->message.rfind("for ");
        if (types.size() >= 2 && at != std::string::npos) {
            std::string hint = "the " + note->message.substr(at + 4) + " is of type " + types[0] +
                               ", and " + what + " wants " + types[1] + ".";
            if (is_text(types[0]) && is_number(types[1]))
                hint += " std::stoi and std::stod make numbers of text.";
            if (is_number(types[0]) && is_text(types[1]))
                hint += " std::to_string makes text of a number.";
            return hint;
        }
    }
    if (viable > 1)
        return "none of the " + std::to_string(viable) + " forms of " + what +
               " takes these arguments; Shift-Tab on the name lists them.";
    return {};
}

std::string wrong_count(const CompilerMessage& said) {
    const std::size_t expected = said.message.find("expected "),
                      have = said.message.find(", have ");
    if (expected == std::string_view::npos || have == std::string_view::npos) return {};
    const std::string wanted(said.message.substr(expected + 9, have - expected - 9));
    std::string given(said.message.substr(have + 7));
    given.erase(std::find_if(given.begin(), given.end(),
                             [](char c) { return !std::isdigit(static_cast<unsigned char>(c)); }),
                given.end());
    return "the function takes " + wanted +
           (wanted == "1" || wanted == "single argument" ? " argument, " : " arguments, ") + given +
           (given == "1" ? " was given." : " were given.");
}

std::string conversion(const CompilerMessage& said) {
    if (said.quoted.size() < 2) return {};
    // "cannot initialize a variable of type 'int' with … of type 'const char[4]'", "no viable
    // conversion from 'A' to 'B'", "assigning to 'int' from incompatible type 'X'"
    const bool from_first = said.has("from '") && said.has("no viable conversion");
    const std::string from = from_first ? said.word(0) : said.quoted.back(),
                      to = from_first ? said.word(1) : said.word(0);
    if (is_text(from) && is_number(to))
        return "text is no number: std::stoi and std::stod make numbers of text.";
    if (is_number(from) && is_text(to))
        return "a number is no text: std::to_string makes text of it.";
    if (to.find('*') != std::string::npos && from.find('*') == std::string::npos &&
        from.find("nullptr") == std::string::npos)
        return "a pointer is wanted; & in front of a variable gives its address.";
    if (from.find('*') != std::string::npos && to.find('*') == std::string::npos)
        return "this is a pointer; * in front of it gives what it points to.";
    return {};
}

std::string operands(const CompilerMessage& said) {
    if (said.word(0).find("ostream") != std::string::npos)
        return "<< cannot print a " + said.quoted.back() +
               ". Print its parts, or write it alone on the last line to show it.";
    if (said.word(0).find("istream") != std::string::npos)
        return ">> cannot read a " + said.quoted.back() + ".";
    const std::string& file = said.error.place.file;
    if (file.find("predefined_ops.h") != std::string::npos ||
        file.find("stl_function.h") != std::string::npos ||
        file.find("stl_algo") != std::string::npos)
        return "the algorithm or container compares its elements: give " + said.word(0) +
               " an operator< (or ==), or pass a function that compares two of them.";
    return {};
}

std::string syntax(const CompilerMessage& said) {
    if (said.has("expected ';' after class") || said.has("expected ';' after struct") ||
        said.has("expected ';' after enum") || said.has("expected ';' after union"))
        return "a class, struct or enum ends with };";
    if (said.has("expected ';' in 'for'"))
        return "a for loop has two ; inside its ( ): for (int i = 0; i < n; ++i).";
    if (said.has("expected ';'")) return "a ; is missing at the caret.";
    if (said.has("expected '(' after")) return "the condition stands in ( ).";
    if (said.has("expected ')'") || said.has("expected ']'") || said.has("expected '}'"))
        return "a bracket is not closed, or something is missing before it.";
    if (said.has("extraneous closing brace") || said.has("extraneous ')'"))
        return "there is one closing bracket too many.";
    if (said.has("a type specifier is required for all declarations"))
        return said.line.find('(') != std::string_view::npos
                   ? "a function starts with its return type: write void or auto in front of its "
                     "name."
                   : "a variable starts with its type: write auto in front of its name.";
    if (said.has("function definition is not allowed here"))
        return "a function cannot be defined inside another; move it out, or use a lambda: auto f "
               "= [](int a) { return a; };";
    if (said.has("expected expression") && said.line.find("else") != std::string_view::npos)
        return "an else needs its if just before it; the if's block may have been closed too "
               "early.";
    if (said.has("expected expression"))
        return "something is missing at the caret: a value, or an operator too many before it.";
    if (said.has("expected unqualified-id") &&
        said.line.find("std::INFINITY") != std::string_view::npos)
        return "INFINITY is a macro and stands without std::; "
               "std::numeric_limits<float>::infinity() is the same.";
    if (said.has("expected unqualified-id"))
        return "a name is expected at the caret; often a ; or a bracket before it is one too many.";
    if (said.has("missing terminating")) return "a quote is not closed on its line.";
    return {};
}

std::string constness(const CompilerMessage& said) {
    if (said.has("is not marked const"))
        return said.word(said.word(0) == "this" ? 1 : 0) +
               " may change the object, and the object is const. Write const behind its parameter "
               "list if it changes nothing, or use an object that is not "
               "const.";
    if (said.has("within const member function"))
        return "a member function marked const may not change the object: take its const away, or "
               "make the member mutable.";
    if (said.has("with const-qualified type") || said.has("const-qualified"))
        return (said.word(0).empty() ? "it" : said.word(0)) +
               " is const and keeps its first value. Take the const away, or work on a copy.";
    if (said.has("read-only variable is not assignable"))
        return "it is const and keeps its first value. Take the const away, or work on a copy.";
    if (said.has("drops 'const' qualifier"))
        return "the value is const: take it by const reference (const T&) or by value.";
    if (said.has("non-const lvalue reference"))
        return "a reference that may change its target needs a variable: pass one, or make the "
               "parameter const T& or T.";
    if (said.has("default initialization of an object of const type"))
        return "a const must get its value where it is declared.";
    return {};
}

std::string pointers(const CompilerMessage& said) {
    if (said.has("did you mean to use '->'"))
        return "this is a pointer: write -> instead of a dot.";
    if (said.has("did you mean to use '.'"))
        return "this is no pointer: write a dot instead of ->.";
    if (said.has("indirection requires pointer operand"))
        return "* in front needs a pointer, and this is a " + said.word(0) + ".";
    if (said.has("is not a function or function pointer"))
        return "only functions are called with ( ); an operator may be missing before the bracket.";
    if (said.has("subscripted value is not an array"))
        return "[ ] needs an array, a vector or a pointer.";
    if (said.has("does not provide a subscript operator"))
        return "a " + said.word(0) + " has no [ ].";
    if (said.has("reference to non-static member function must be called"))
        return "write ( ) behind the function's name to call it.";
    if (said.has("comparison between pointer and integer"))
        return "a pointer is compared with a number; * gives what it points to, nullptr is the "
               "empty pointer.";
    return {};
}

std::string templates(const CompilerMessage& said) {
    if (said.has("requires template arguments") || said.has("deduction of template arguments"))
        return said.word(0) + " is a template: write its arguments in < >, for example " +
               said.word(0) + "<int>.";
    if (said.has("implicit instantiation of undefined template") ||
        said.has("has incomplete type")) {
        std::string name = said.word(0);
        name = name.substr(0, name.find('<'));
        if (const std::size_t colons = name.rfind("::"); colons != std::string::npos)
            name = name.substr(colons + 2);
        if (const std::string header = header_of_std_name(name);
            !header.empty() && said.has("std::"))
            return "std::" + name + " needs #include <" + header + ">.";
        return "it is declared, but its definition is not known here; run or include what defines "
               "it.";
    }
    if (said.has("explicit specialization of") && said.has("after instantiation"))
        return said.word(0) +
               " was used already, without this specialisation. Run the template's cell again, "
               "then this one, then those that use it.";
    if (said.has("recursive template instantiation exceeded"))
        return "the templates call each other without end: a case that stops is missing (if "
               "constexpr, or a specialisation).";
    if (said.has("constexpr evaluation hit maximum step limit") ||
        (said.has("constant expression") && said.note("maximum step limit")))
        return "the constexpr computation does not end within the compiler's limit: a condition "
               "that stops it may be missing.";
    if (said.has("constant expression") && said.note("maximum depth"))
        return "the constexpr recursion has no end: a condition that stops it is missing.";
    return {};
}

std::string classes(const CompilerMessage& said) {
    if (said.has("deleted constructor") || said.has("implicitly-deleted copy") ||
        said.has("overload resolution selected deleted operator"))
        return "objects of this type cannot be copied: pass it by reference, or hand it over with "
               "std::move.";
    if (said.has("is a private member") || said.has("is a protected member"))
        return said.word(0) + " may be used only inside " + said.word(1) +
               ". Make it public, or add a member function.";
    if (said.has("abstract class")) {
        const Finding* note = said.note("unimplemented pure virtual method");
        return note
                   ? (quoted_words(note->message).empty() ? std::string("a virtual function")
                                                          : quoted_words(note->message)[0] + "()") +
                         " is not defined: derive a class that defines it, and create an object "
                         "of that class."
                   : "some of its virtual functions have no body: derive a class that defines "
                     "them.";
    }
    if (said.has("no member named") && said.has("' in '"))
        return "Tab behind the dot shows what a " + said.word(1) + " has.";
    if (said.has("redefinition of")) return "the cell defines " + said.word(0) + " twice.";
    if (said.has("cannot be implicitly captured"))
        return "a lambda sees local variables only if it names them: [&] takes all by reference, "
               "[=] by value.";
    if (said.has("requires an initializer"))
        return "a reference must be bound where it is declared.";
    if (said.has("is ambiguous"))
        return "several candidates fit equally well; say which: std:: or :: in front of a name, a "
               "cast for an argument.";
    return {};
}

std::string in_cell(int cell) { return cell > 0 ? " of " + cell_file_name(cell) : ""; }

// "no known conversion from 'P' to 'P'": a later cell has defined P again, and what was compiled
// before holds on to the older one.
std::string redefined(const CompilerMessage& said) {
    const Finding* about = said.error.redefined.name.empty() ? nullptr : &said.error;
    for (const Finding& note : said.error.notes)
        if (!note.redefined.name.empty() &&
            (!about || note.message.find("candidate function") == 0))
            about = &note;
    if (!about) return {};
    const Redefined& type = about->redefined;
    std::string hint = type.name + " was defined again" +
                       (type.newer > 0 ? " by " + cell_file_name(type.newer) : "") +
                       ", and the older " + type.name + in_cell(type.older) + " is another type";
    const int cell = cell_of_file_name(about->place.file);
    const bool function_is_older =
        about->message.find("candidate function not viable") == 0 && type.older_comes_last;
    if (function_is_older && cell > 0)
        return hint + ": " +
               (said.word(0).empty() || said.has("invalid operands") ? "the function"
                                                                     : said.word(0)) +
               " still takes the older one. Run its cell, " + cell_file_name(cell) + ", again.";
    return hint + ". Run the cells again that hold on to the older one.";
}

// `sum`, `v.size` or `std::vector` where a value is wanted.
std::string no_value(const CompilerMessage& said) {
    const unsigned column = said.error.place.column;
    const std::vector<Token> tokens = tokenize(said.line);
    std::string name;
    for (const Token& token : tokens) {
        const bool named = token.kind == TokenKind::word || token.is("::");
        if (said.has("expected expression")) {  // the caret stands behind it
            if (token.column >= column) break;
            if (!named) name.clear();
            if (named) name += token.text;
        } else if (token.column >= column) {
            if (!named) break;
            name += token.text;
        }
    }
    if (said.has("<overloaded function type>"))
        return "the name stands for several functions, or for a template: say which, by a cast or "
               "a lambda.";
    if (name.empty()) name = "it";
    if (said.has("overloaded function"))
        return name + " is the name of several functions, or of a template: call it, as in " +
               name + "(…); Shift-Tab on the name lists them.";
    const bool alone =
        !tokens.empty() && tokens.back().end() < column && (tokens.back().kind == TokenKind::word);
    if (said.has("expected expression") && alone && name != "it" &&
        std::isdigit(static_cast<unsigned char>(name[0])) == 0)
        return name + " is a type or a template, no value: write " + name +
               "{} for an object of it, and < > behind a template's name.";
    return {};
}

}  // namespace

std::string hint_for(const Finding& error, std::string_view source_line) {
    const CompilerMessage said{error, error.message, source_line, quoted_words(error.message)};
    if (const std::string hint = configured_hint(said.quoted, source_line); !hint.empty())
        return hint;
    if (const std::string hint = redefined(said); !hint.empty()) return hint;
    if (said.has("file not found")) return missing_file(said);
    if (said.has("in namespace '")) return not_in_namespace(said);
    if (said.has("use of undeclared identifier") || said.has("unknown type name") ||
        said.has("no template named"))
        return undeclared(said);
    if (said.has("deduction of template arguments")) return templates(said);
    if (said.has("no matching ") || said.has("no viable constructor")) {
        if (const std::string hint = wrong_call(said); !hint.empty()) return hint;
    }
    if (said.has("arguments to function call") || said.has("arguments provided to") ||
        said.has("argument to function call"))
        return wrong_count(said);
    if (said.has("using the result of an assignment as a condition"))
        return "= assigns, == compares.";
    if (said.has("is not assignable") && !said.has("read-only"))
        return "only a variable can stand on the left of =; == compares.";
    if (said.has("does not return a value"))
        return "a return is missing on some way through the function; what it returns there is "
               "undefined.";
    if (said.has("should not return a value") && said.has("the cell"))
        return "a cell is no function: for a value to be shown, write it alone on the last line, "
               "without a ;";
    if (said.has("should not return a value"))
        return "the function's return type is void: change the type, or write return alone.";
    if (said.has("narrowed"))
        return "{ } allows no conversion that may lose something: write static_cast<" +
               (said.quoted.empty() ? std::string("T") : said.quoted.back()) +
               ">(…), or use = or ( ).";
    if (said.has("division by zero") || said.has("remainder by zero"))
        return "with integers this ends the program.";
    if (said.has("overloaded function") || said.has("expected expression"))
        if (const std::string hint = no_value(said); !hint.empty()) return hint;
    if (said.has("invalid operands to binary expression")) return operands(said);
    for (const auto rule : {constness, pointers, templates, classes, syntax})
        if (const std::string hint = rule(said); !hint.empty()) return hint;
    if (said.has("no viable conversion") || said.has("cannot initialize") ||
        said.has("incompatible type"))
        return conversion(said);
    return {};
}

}  // namespace xcpp_session
