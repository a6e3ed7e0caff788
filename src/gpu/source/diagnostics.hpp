// What a compiler said about a program, shown with the student's own lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu {

struct CompileMessage {
    std::string file;
    int line = 0, column = 0;  // from 1; 0 where it is not known
    std::string text;
};

//   cell.cu:4: error: identifier "x" is undefined
//       2 | …
//       3 |     int i = threadIdx.x;
//       4 |     y[i] = x + 1;
//         |            ^
// `text` is that of the program called `name`; messages about other files come without lines. At
// most five, by line; the rest is counted.
std::string show_errors(const std::string& name, const std::string& text,
                        const std::vector<CompileMessage>& errors);

// Where a text ends inside of braces: compilers tell its end, which is no line of the student's.
std::optional<CompileMessage> unclosed_brace(const std::string& name, const std::string& text);

}  // namespace lanes::gpu
