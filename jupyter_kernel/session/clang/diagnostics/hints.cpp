#include "hints.hpp"

#include "hints_configured.hpp"
#include "hints_names.hpp"
#include "missing_names.hpp"
#include "session/base/cell_names.hpp"
#include "session/base/similar_words.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace xcpp_session {
namespace {

// One message of clang, its quoted words at hand.
struct CompilerMessage {
    CompilerMessage(const Finding& finding, std::string_view source_line)
        : error(finding), message(finding.message), line(source_line) {
        llvm::SmallVector<llvm::StringRef> parts;
        message.split(parts, '\'');
        for (std::size_t i = 1; i + 1 < parts.size(); i += 2) quoted.push_back(parts[i].str());
    }

    const Finding& error;
    llvm::StringRef message;
    llvm::StringRef line;
    std::vector<std::string> quoted;

    bool has(llvm::StringRef parts) const { return has_one(message, parts); }
    std::string word(std::size_t index) const {
        return index < quoted.size() ? quoted[index] : std::string();
    }
    const Finding* note(llvm::StringRef part) const {
        const auto found = llvm::find_if(error.notes, [&](const Finding& note) {
            return llvm::StringRef(note.message).contains(part);
        });
        return found == error.notes.end() ? nullptr : &*found;
    }
};

bool is_text(llvm::StringRef type) { return has_one(type, "string|char *|char["); }
bool is_pointer(llvm::StringRef type) { return type.contains('*'); }
bool is_number(llvm::StringRef type) {
    for (const char* name : {"int", "long", "short", "float", "double", "unsigned"})
        if (type.starts_with(name)) return !is_pointer(type);
    return false;
}

// What is known under this name elsewhere, or is a macro, and how C++ says it.
struct KnownWord {
    const char* names;  // separated by |
    const char* hint;
};

constexpr KnownWord known_words[] = {
    {"print",
     "C++ prints with std::cout << value << '\\n', or printf; a value alone on the last line is "
     "shown by itself."},
    {"None|null|nil", "C++ writes nullptr."},
    {"True|False", "C++ writes true and false."},
    {"len", "C++ asks the object: v.size()."},
    {"range", "C++ counts with for (int i = 0; i < n; ++i)."},
    {"self", "C++ writes this-> or nothing at all."},
    {"import|from", "C++ writes #include <header>."},
    {"def|fn|func", "C++ starts a function with its return type: int f(int a) { return a; }"},
    {"let|var", "C++ writes auto x = value;"},
    {"elif|elseif", "C++ writes else if (…)."},
    {"INFINITY",
     "INFINITY comes with #include <cmath>; std::numeric_limits<float>::infinity() is the same."},
    {"NAN",
     "NAN comes with #include <cmath>; std::numeric_limits<float>::quiet_NaN() is the same."},
};

// "'foo'; did you mean 'lib::foo'?" -> "lib::foo"
std::string proposed(const CompilerMessage& said) {
    if (!said.error.meant.empty()) return said.error.meant;
    return said.has("did you mean '") ? said.quoted.back() : std::string();
}

std::string undeclared(const CompilerMessage& said) {
    if (said.has("in namespace '")) return {};  // clang has proposed another name
    const std::string name = said.word(0);
    if (std::string hint = missing_name_hint(name); !hint.empty()) return hint;
    for (const KnownWord& known : known_words)
        if (llvm::is_contained(llvm::split(known.names, '|'), name)) return known.hint;
    const std::string header = header_of_std_name(name);
    const bool qualified = said.line.contains("::" + name);
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
    // clang's list of names does not say since when C++ has them.
    if (const std::string header = header_of_std_name(name); !header.empty())
        return "std::" + name + " needs #include <" + header +
               ">, and -std=c++20 if it is newer than C++17.";
    if (said.has("did you mean")) return {};
    const std::string near = similar_std_name(name);
    return near.empty() ? "there is no std::" + name + " in the headers included so far."
                        : "there is no std::" + name + "; did you mean std::" + near + "?";
}

std::string missing_file(const CompilerMessage& said) {
    const std::string name = said.word(0);
    for (const char* newer : {"expected", "flat_map", "flat_set", "generator", "mdspan", "print"})
        if (name == newer)
            return "<" + name +
                   "> is a header of C++23 that the installed standard library does "
                   "not have.";
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
        viable += has_one(note.message, "not viable") ? 1 : 0;
    if (const Finding* note = said.note("no known conversion from "); note && viable == 1) {
        const CompilerMessage reason(*note, {});
        std::string hint = "the " + reason.message.rsplit("for ").second.str() + " is of type " +
                           reason.word(0) + ", and " + what + " wants " + reason.word(1) + ".";
        if (is_text(reason.word(0)) && is_number(reason.word(1)))
            hint += " std::stoi and std::stod make numbers of text.";
        if (is_number(reason.word(0)) && is_text(reason.word(1)))
            hint += " std::to_string makes text of a number.";
        return hint;
    }
    if (viable == 1) return "Shift-Tab on the name shows the arguments that it takes.";
    return viable == 0 ? ""
                       : "none of the " + std::to_string(viable) + " forms of " + what +
                             " takes these arguments; Shift-Tab on the name lists them.";
}

std::string conversion(const CompilerMessage& said) {
    if (said.quoted.size() < 2) return {};
    // "cannot initialize a variable of type 'int' with … of type 'const char[4]'", "no viable
    // conversion from 'A' to 'B'", "assigning to 'int' from incompatible type 'X'"
    const bool from_first = said.has("no viable conversion");
    const std::string from = from_first ? said.word(0) : said.quoted.back(),
                      to = from_first ? said.word(1) : said.word(0);
    if (has_one(from, "xt::") && is_number(said.quoted.back()))
        return "this is an expression of xtensor, not a number yet: write () after it, as in "
               "xt::mean(a)().";
    if (is_text(from) && is_number(to))
        return "a string is not a number: std::stoi and std::stod make numbers of text.";
    if (is_number(from) && is_text(to))
        return "a number is not a string: std::to_string makes text of it.";
    if (is_pointer(to) && !has_one(from, "*|nullptr"))
        return "a pointer is wanted; & in front of a variable gives its address.";
    if (is_pointer(from) && !is_pointer(to))
        return "this is a pointer; * in front of it gives what it points to.";
    return {};
}

std::string operands(const CompilerMessage& said) {
    if (has_one(said.word(0), "ostream"))
        return "<< cannot print a " + said.quoted.back() +
               ". Print its parts, or write it alone on the last line to show it.";
    if (said.line.contains('^') &&
        (has_one(said.word(0), "float|double") || has_one(said.word(1), "float|double")))
        return "in C++ ^ is the exclusive or of whole numbers, not a power: the square of x is x * "
               "x, "
               "and std::pow(x, y) is any power.";
    if (has_one(said.word(0), "istream")) return ">> cannot read a " + said.quoted.back() + ".";
    if (has_one(said.error.place.file, "predefined_ops.h|stl_function.h|stl_algo"))
        return "the algorithm or container compares its elements: give " + said.word(0) +
               " an operator< (or ==), or pass a function that compares two of them.";
    return {};
}

std::string undefined_type(const CompilerMessage& said) {
    const std::string type = said.word(0);
    const std::string name = llvm::StringRef(type).split('<').first.rsplit("::").second.str();
    const std::string header = header_of_std_name(name);
    if (said.has("std::") && !header.empty())
        return "std::" + name + " needs #include <" + header + ">.";
    return "it is declared, but its definition is not known here; run or include what defines it.";
}

std::string in_cell(int cell) { return cell > 0 ? " of " + cell_file_name(cell) : ""; }

// "no known conversion from 'P' to 'P'": a later cell has defined P again, and what was compiled
// before holds on to the older one.
std::string redefined(const CompilerMessage& said) {
    const Finding* about = said.error.redefined.name.empty() ? nullptr : &said.error;
    for (const Finding& note : said.error.notes)
        if (!note.redefined.name.empty() &&
            (!about || llvm::StringRef(note.message).starts_with("candidate function")))
            about = &note;
    if (!about) return {};
    const Redefined& type = about->redefined;
    std::string hint = type.name + " was defined again" +
                       (type.newer > 0 ? " by " + cell_file_name(type.newer) : "") +
                       ", and the older " + type.name + in_cell(type.older) + " is another type";
    const int cell = cell_of_file_name(about->place.file);
    const bool function_is_older =
        llvm::StringRef(about->message).starts_with("candidate function not viable") &&
        type.older_comes_last;
    if (function_is_older && cell > 0)
        return hint + ": " +
               (said.word(0).empty() || said.has("invalid operands") ? "the function"
                                                                     : said.word(0)) +
               " still takes the older one. Run its cell, " + cell_file_name(cell) + ", again.";
    return hint + ". Run the cells again that hold on to the older one.";
}

// `c[i][j]` or `c[i, j]` for an element of a two-dimensional array of xtensor.
std::string two_indices(const CompilerMessage& said) {
    const auto in_name = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    const std::size_t caret = std::max(said.error.place.column, 1U) - 1;
    const llvm::StringRef before = said.line.take_front(caret + 1);
    const std::size_t open = before.rfind('[');
    std::size_t first = before.find('[');
    if (open == llvm::StringRef::npos) return {};
    if (said.has("comma operator")) first = open;
    std::size_t start = first;
    while (start > 0 && in_name(said.line[start - 1])) --start;
    const std::string name = said.line.slice(start, first).str();
    if (name.empty()) return {};
    if (said.has("comma operator"))
        return name + "[i, j] is " + name +
               "[j] in C++. An element of a two-dimensional array is " + name + "(i, j).";
    if (!said.line.contains("][")) return {};
    return name + "[i] is a number already. An element of a two-dimensional array of xtensor is " +
           name + "(i, j).";
}

// `sum`, `v.size` or `std::vector` where a value is wanted.
std::string no_value(const CompilerMessage& said) {
    const auto in_name = [](char c) { return llvm::isAlnum(c) || c == '_' || c == ':'; };
    const std::size_t caret = std::max(said.error.place.column, 1U) - 1;
    const llvm::StringRef rest = said.line.substr(caret);
    if (said.has("overloaded function")) {
        std::string name = rest.take_while(in_name).str();
        if (name.empty()) name = "it";
        return name + " is the name of several functions, or of a template: call it, as in " +
               name + "(…); Shift-Tab on the name lists them.";
    }
    const llvm::StringRef before = said.line.take_front(caret).rtrim();
    std::size_t start = before.size();
    while (start > 0 && in_name(before[start - 1])) --start;
    const std::string name = before.substr(start).str();
    if (!rest.trim().empty() || name.empty() || llvm::isDigit(name[0])) return {};
    return name + " is a type or a template, not a value: write " + name +
           "{} for an object of it, and < > after a template's name.";
}

// The first rule that fits and has something to say. These are words of clang's messages and not
// its numbers of diagnostics: "expected ';'" alone has nine numbers.
struct Rule {
    const char* message;  // has one of these parts, separated by |
    const char* also;     // the message, the line or a note has one of these, too; "": no matter
    const char* hint;     // $0, $1: the message's quoted words; $$: its last; $n: the note's first
    std::string (*say)(const CompilerMessage&) = nullptr;  // instead of the hint
};

const Rule rules[] = {
    {"file not found", "", "", missing_file},
    {"in namespace '", "", "", not_in_namespace},
    {"use of undeclared identifier|unknown type name|no template named", "", "", undeclared},
    {"requires template arguments|deduction of template arguments", "",
     "$0 is a template: write its arguments in < >, for example $0<int>."},
    {"no matching ", "but method is not marked const",
     "$0 may change the object, and the object is const. Write const after its parameter list if "
     "it changes nothing, or use an object that is not const."},
    {"no matching |no viable constructor", "", "", wrong_call},
    {"arguments to function call|argument to function call|arguments provided to", "",
     "the function takes another number of arguments; Shift-Tab on its name shows them."},
    {"using the result of an assignment as a condition", "", "= assigns, == compares."},
    {"read-only variable is not assignable", "",
     "it is const and keeps its first value. Take the const away, or work on a copy."},
    {"is not assignable", "", "only a variable can stand on the left of =; == compares."},
    {"does not return a value", "",
     "not every path through the function returns a value; what it returns there is undefined."},
    {"should not return a value", "the cell",
     "a cell is not a function: for a value to be shown, write it alone on the last line, without "
     "a "
     ";"},
    {"should not return a value", "",
     "the function's return type is void: change the type, or write return alone."},
    {"narrowed", "",
     "{ } allows no conversion that may lose something: write static_cast<$$>(…), or use = or "
     "( )."},
    {"division by zero|remainder by zero", "", "with integers this ends the program."},
    {"<overloaded function type>", "",
     "the name stands for several functions, or for a template: say which, by a cast or a lambda."},
    {"overloaded function|expected expression", "", "", no_value},
    {"invalid operands to binary expression", "", "", operands},

    // const
    {"is not marked const", "",
     "$1 may change the object, and the object is const. Write const after its parameter list if "
     "it changes nothing, or use an object that is not const."},
    {"within const member function", "",
     "a member function marked const may not change the object: take its const away, or make the "
     "member mutable."},
    {"const-qualified", "",
     "$0 is const and keeps its first value. Take the const away, or work on a copy."},
    {"drops 'const' qualifier", "",
     "the value is const: take it by const reference (const T&) or by value."},
    {"non-const lvalue reference", "",
     "a reference that may change its target needs a variable: pass one, or make the parameter "
     "const T& or T."},
    {"default initialization of an object of const type", "",
     "a const must get its value where it is declared."},

    // pointers and calls
    {"did you mean to use '->'", "", "this is a pointer: write -> instead of a dot."},
    {"did you mean to use '.'", "", "this is not a pointer: write a dot instead of ->."},
    {"indirection requires pointer operand", "", "* in front needs a pointer, and this is a $0."},
    {"is not a function or function pointer", "",
     "only functions are called with ( ); an operator may be missing before the bracket."},
    {"subscripted value is not an array|left operand of comma operator", "[", "", two_indices},
    {"subscripted value is not an array", "", "[ ] needs an array, a vector or a pointer."},
    {"does not provide a subscript operator", "", "a $0 has no [ ]."},
    {"reference to non-static member function must be called", "",
     "write ( ) after the function's name to call it."},
    {"comparison between pointer and integer", "",
     "a pointer is compared with a number; * gives what it points to, nullptr is the empty "
     "pointer."},

    // templates and constexpr
    {"implicit instantiation of undefined template|has incomplete type", "", "", undefined_type},
    {"explicit specialization of", "after instantiation",
     "$0 was used already, without this specialisation. Run the template's cell again, then this "
     "one, then those that use it."},
    {"recursive template instantiation exceeded", "",
     "the templates call each other without end: a case that stops is missing (if constexpr, or a "
     "specialisation)."},
    {"constexpr evaluation hit|constant expression", "maximum step limit",
     "the constexpr computation does not end within the compiler's limit: a condition that stops "
     "it may be missing."},
    {"constant expression", "maximum depth",
     "the constexpr recursion has no end: a condition that stops it is missing."},

    // classes and names
    {"deleted constructor|implicitly-deleted copy|overload resolution selected deleted operator",
     "",
     "objects of this type cannot be copied: pass it by reference, or hand it over with "
     "std::move."},
    {"is a private member|is a protected member", "",
     "$0 may be used only inside $1. Make it public, or add a member function."},
    {"abstract class", "unimplemented pure virtual method",
     "$n() is not defined: derive a class that defines it, and create an object of that class."},
    {"abstract class", "",
     "some of its virtual functions have no body: derive a class that defines them."},
    {"no member named", "' in '", "Tab after the dot shows what a $1 has."},
    {"redefinition of", "", "the cell defines $0 twice."},
    {"cannot be implicitly captured", "",
     "a lambda sees local variables only if it names them: [&] takes all by reference, [=] by "
     "value."},
    {"requires an initializer", "", "a reference must be bound where it is declared."},
    {"is ambiguous", "",
     "several candidates fit equally well; say which: std:: or :: in front of a name, a cast for "
     "an argument."},

    // syntax
    {"expected ';' after class|expected ';' after struct|expected ';' after enum|expected ';' "
     "after union",
     "", "a class, struct or enum ends with };"},
    {"expected ';' in 'for'", "",
     "a for loop has two ; inside its ( ): for (int i = 0; i < n; ++i)."},
    {"expected ';'", "", "a ; is missing at the caret."},
    {"expected '(' after", "", "the condition stands in ( )."},
    {"expected ')'|expected ']'|expected '}'", "",
     "a bracket is not closed, or something is missing before it."},
    {"extraneous closing brace|extraneous ')'", "", "there is one closing bracket too many."},
    {"a type specifier is required for all declarations", "(",
     "a function starts with its return type: write void or auto in front of its name."},
    {"a type specifier is required for all declarations", "",
     "a variable starts with its type: write auto in front of its name."},
    {"function definition is not allowed here", "",
     "a function cannot be defined inside another; move it out, or use a lambda: auto f = [](int "
     "a) { return a; };"},
    {"expected expression", "else",
     "an else needs its if just before it; the if's block may have been closed too early."},
    {"expected expression", "",
     "something is missing at the caret: a value, or an operator too many before it."},
    {"expected unqualified-id", "std::INFINITY",
     "INFINITY is a macro and stands without std::; std::numeric_limits<float>::infinity() is the "
     "same."},
    {"expected unqualified-id", "",
     "a name is expected at the caret; often a ; or a bracket before it is one too many."},
    {"missing terminating", "", "a quote is not closed on its line."},

    {"no viable conversion|cannot initialize|incompatible type", "", "", conversion},
};

std::string apply(const Rule& rule, const CompilerMessage& said) {
    if (!has_one(said.message, rule.message)) return {};
    const Finding* note = said.note(rule.also);
    if (!note && !has_one(said.message, rule.also) && !has_one(said.line, rule.also)) return {};
    if (rule.say) return rule.say(said);
    std::string hint = rule.hint;
    const auto fill = [&hint](std::string_view place, const std::string& word) {
        for (std::size_t at; (at = hint.find(place)) != std::string::npos;)
            hint.replace(at, place.size(), word.empty() ? "it" : word);
    };
    fill("$0", said.word(0));
    fill("$1", said.word(1));
    fill("$$", said.quoted.empty() ? "T" : said.quoted.back());
    if (note) fill("$n", CompilerMessage{*note, {}}.word(0));
    return hint;
}

}  // namespace

std::string hint_for(const Finding& error, std::string_view source_line) {
    const CompilerMessage said(error, source_line);
    if (std::string hint = configured_hint(said.quoted, source_line); !hint.empty()) return hint;
    if (std::string hint = redefined(said); !hint.empty()) return hint;
    for (const Rule& rule : rules)
        if (std::string hint = apply(rule, said); !hint.empty()) return hint;
    return {};
}

}  // namespace xcpp_session
