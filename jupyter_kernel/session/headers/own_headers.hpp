// The user's own headers. clang reads a file with an include guard once, and refuses to read
// definitions without a guard a second time. This class remembers which headers clang has read.
// If a cell includes one that was edited since, or that has no guard, then the header's text
// replaces the #include line. It is read as the text of a cell that is run again: the newest
// definitions count.
#pragma once

#include "session/base/line_origins.hpp"
#include "session/text/tokens.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// An edited header ends inside a bracket, a string or an #if.
struct HeaderBroken : std::runtime_error {
    HeaderBroken(std::string in_file, std::string in_text, const std::string& message,
                 unsigned at_line, unsigned at_column)
        : std::runtime_error(message),
          file(std::move(in_file)),
          text(std::move(in_text)),
          line(at_line),
          column(at_column) {}
    std::string file, text;
    unsigned line, column;
};

// A cell with the text of the headers in it that are read again.
struct ExpandedCell {
    SourceText source;
    LineOrigins lines;
    struct Header {
        std::string file, text, old_text;  // old_text: as it was read before, empty if it never was
        bool once = false;                 // it guards itself against being read twice
    };
    std::vector<Header> headers = {};
    std::vector<std::string> includes = {};  // of the cell, with absolute paths: those that were
                                             // replaced though they had never been read
};

class OwnHeaders {
public:
    // folders: where includes are searched besides the includer's folder and the working directory.
    // It is made in the folder of the notebook, which cells may leave later.
    explicit OwnHeaders(std::function<std::vector<std::string>()> folders);

    // `file` was read, with this text.
    void note_read(const std::string& file, std::string_view text);
    bool has_read(const std::string& file) const;

    // Questions about the text of a header, whose answers need the compiler.
    struct Ask {
        // The header was never read: does it declare again what a cell or another header did? Then
        // it is put into the cell, too.
        std::function<bool(const std::string& text)> replaces;
        // The header has no guard and was read: does it define anything? Prototypes may be read
        // twice.
        std::function<bool(const std::string& text)> defines;
        // Is there a file of this name where the compiler searches?
        std::function<bool(const std::string& name)> is_elsewhere;
    };
    // The other files of #include "…" and __has_include("…") get absolute names: clang remembers by
    // name what it has found and what it has not, and so would miss a file that a cell has written
    // since. Where there is no such file, __has_include("…") becomes 0.
    // unit: makes the names of our macros unique. Throws HeaderBroken.
    ExpandedCell expand(SourceText cell, const std::string& cell_file, unsigned first_line,
                        int unit, const Ask& ask) const;

private:
    std::function<std::vector<std::string>()> folders_;
    std::string first_folder_;
    std::map<std::string, std::string> read_;  // canonical path, text
};

}  // namespace xcpp_session
