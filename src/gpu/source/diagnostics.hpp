// Shows a compiler's messages with the student's own lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu {

struct CompileMessage {
    std::string file;
    int line = 0, column = 0;  // from 1; 0 if unknown
    std::string text;
};

//   cell.cu:4: error: identifier "x" is undefined
//       2 | …
//       3 |     int i = threadIdx.x;
//       4 |     y[i] = x + 1;
//         |            ^
// text: of the program called `name`. Messages about other files are shown without lines. At most
// five, by line; the rest is counted.
std::string show_errors(const std::string& name, const std::string& text,
                        const std::vector<CompileMessage>& errors);

// Messages about `file` become messages about `name`.
void rename_file(std::vector<CompileMessage>& errors, const std::string& file,
                 const std::string& name);

// The error for a text that lacks its last brace. Compilers report the end of the text, which is
// not a line that the student wrote; this one names the line of the opening brace.
std::optional<CompileMessage> unclosed_brace(const std::string& name, const std::string& text);

}  // namespace lanes::gpu
