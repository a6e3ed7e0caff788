#include "cuda_cells.hpp"

#include "../front_end.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace lanes::notebook {

namespace {

// Words of C++, and names that a notebook needs.
bool is_taken(const std::string& word) {
    static const std::set<std::string> words{"alignas",
                                             "alignof",
                                             "and",
                                             "and_eq",
                                             "asm",
                                             "auto",
                                             "bitand",
                                             "bitor",
                                             "bool",
                                             "break",
                                             "case",
                                             "catch",
                                             "char",
                                             "char16_t",
                                             "char32_t",
                                             "class",
                                             "compl",
                                             "const",
                                             "const_cast",
                                             "constexpr",
                                             "continue",
                                             "decltype",
                                             "default",
                                             "delete",
                                             "do",
                                             "double",
                                             "dynamic_cast",
                                             "else",
                                             "enum",
                                             "explicit",
                                             "export",
                                             "extern",
                                             "false",
                                             "float",
                                             "for",
                                             "friend",
                                             "goto",
                                             "if",
                                             "inline",
                                             "int",
                                             "long",
                                             "mutable",
                                             "namespace",
                                             "new",
                                             "noexcept",
                                             "not",
                                             "not_eq",
                                             "nullptr",
                                             "operator",
                                             "or",
                                             "or_eq",
                                             "private",
                                             "protected",
                                             "public",
                                             "register",
                                             "return",
                                             "reinterpret_cast",
                                             "short",
                                             "signed",
                                             "sizeof",
                                             "static",
                                             "static_assert",
                                             "static_cast",
                                             "struct",
                                             "switch",
                                             "template",
                                             "this",
                                             "thread_local",
                                             "throw",
                                             "true",
                                             "try",
                                             "typedef",
                                             "typeid",
                                             "typename",
                                             "union",
                                             "unsigned",
                                             "using",
                                             "virtual",
                                             "void",
                                             "volatile",
                                             "wchar_t",
                                             "lanes",
                                             "std",
                                             "xt",
                                             "main",
                                             "while",
                                             "xor",
                                             "xor_eq"};
    return words.count(word) != 0;
}

void check_name(const std::string& name) {
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) || c == '_' || c > 127; };
    const bool is_word = !name.empty() && is_letter(static_cast<unsigned char>(name[0])) &&
                         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
                             return is_letter(c) || std::isdigit(c);
                         });
    if (!is_word || is_taken(name))
        throw Error("'", name, "' cannot be the name of a variable, which keeps the cell's text. ",
                    is_word ? "It has a meaning already. " : "",
                    "Use letters, digits and _: %%cuda my_kernel");
}

// A raw string literal; its delimiter does not occur in the text.
std::string raw_string(const std::string& text) {
    std::string delimiter = "cuda";
    for (int i = 1; text.find(")" + delimiter + "\"") != std::string::npos; ++i)
        delimiter = "cuda" + std::to_string(i);
    return "R\"" + delimiter + "(" + text + ")" + delimiter + "\"";
}

// Words divided by blanks; quotes keep blanks.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (const char c : line) {
        if (quote == 0 && (c == ' ' || c == '\t')) {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else
            words.back() += c;
    }
    if (quote != 0) throw Error("the quotation mark ", quote, " of the arguments is not closed.");
    return words;
}

// The include comes first: its line is the cell's first line, that of the text the second one.
std::string whole_program(const std::vector<std::string>& arguments, const std::string& text) {
    std::string list;
    for (const std::string& argument : arguments)
        list += (list.empty() ? "" : ", ") + raw_string(argument);
    return "#include \"lanes/gpu/whole_program.hpp\"\n"
           "if (const int status = lanes::run_cuda_program(std::string(__LINE__ - 1, '\\n') + " +
           raw_string(text) + ", __FILE__, {" + list +
           "}))\n    throw lanes::Error(\"the program ended with exit status \", status, \".\");\n";
}

const char* translate(const char* arguments, const char* text, int* failed, void*) {
    static std::string result;
    try {
        result = cuda_cell(arguments, text);
    } catch (const std::exception& error) {
        *failed = 1;
        result = error.what();
    }
    return result.c_str();
}

// The library is loaded by a session, by a test, by a program: only the first has magics.
const bool added = [] {
    using Translate = const char* (*)(const char*, const char*, int*, void*);
    using Add = int (*)(const char*, const char*, const char*, Translate, void*, const char*);
    const auto add = reinterpret_cast<Add>(jupyter_kernel_function("xcpp_add_magic"));
    return add &&
           add("%%cuda", "%%cuda [NAME] [-- arguments]",
               "keeps CUDA C++ in the variable NAME, or runs a whole CUDA program", translate,
               nullptr, (std::string(device_names()) + host_names()).c_str()) == 0;
}();

}  // namespace

std::string cuda_cell(const std::string& arguments, const std::string& text) {
    const std::vector<std::string> words = words_of(arguments);
    if (words.empty() || words[0] == "--")
        return whole_program({words.begin() + (words.empty() ? 0 : 1), words.end()}, text);
    check_name(arguments);
    // The text begins with a line such as #line 2 "In[7]": Program reads it. The cell's number is
    // not part of the C++ text, which stays the same if the cell is run again.
    return "namespace lanes { const std::string& keep_cuda_text(const std::string&, std::string); "
           "} "
           "const std::string& " +
           arguments + " = lanes::keep_cuda_text(\"" + arguments +
           "\", \"#line \" + std::to_string(__LINE__ + 1) + \" \\\"\" __FILE__ \"\\\"\" " +
           raw_string("\n" + text) + ");\n";
}

const char* host_names() {
    return
#include "host_names.inc"
        ;
}

const char* device_names() {
    return
#include "device_names.inc"
        ;
}

}  // namespace lanes::notebook
