// The tokens of a preprocessed program, each with its place in the text and in the files that the
// text was made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::gpu::whole_program {

struct PlacedToken {
    enum class Kind { word, literal, punctuation } kind = Kind::punctuation;
    std::string_view text;            // of a literal: empty
    std::size_t first = 0, last = 0;  // bytes of the preprocessed text; last is one past the end

    bool is(std::string_view what) const { return text == what; }
    bool is_word() const { return kind == Kind::word; }
};

// A line of the preprocessed text that is part of a program's own file.
struct PlacedLine {
    std::size_t first = 0, last = 0;  // without the line feed
    int file = 0;                     // index into ScannedText::files
    int line = 0;                     // of the file, from 1
};

struct ScannedText {
    std::vector<PlacedToken> tokens;  // of the program's own files; none of system headers
    std::vector<PlacedLine> lines;    // likewise
    std::vector<std::string> files;   // every file of the text, system headers too
};

// text: what `clang -E` prints, with lines such as `# 12 "file.cu" 2`. It must outlive the result.
ScannedText scan(const std::string& text);

}  // namespace lanes::gpu::whole_program
