// Which file and line a line of the text given to the compiler comes from: the cell itself, or a
// header whose text stands in the cell in place of its #include.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace xcpp_session {

class LineOrigins {
public:
    // All of it is the cell's, from its line `first_line` on.
    LineOrigins(std::string cell_file, unsigned first_line) : cell_file_(cell_file) {
        add(1, std::move(cell_file), first_line);
    }

    // From line `at` of the text on: `line` of `file`. In rising order.
    void add(unsigned at, std::string file, unsigned line) {
        parts_.push_back({at, line, std::move(file)});
    }

    struct Origin {
        const std::string& file;
        unsigned line;
    };
    Origin of(unsigned at) const {
        const Part* found = parts_.data();
        for (const Part& part : parts_)
            if (part.at <= at) found = &part;
        return {found->file, found->line + at - found->at};
    }
    bool in_cell(unsigned at) const { return of(at).file == cell_file_; }

    // Where line `line` of the cell stands in the text; 0 if it is not there.
    unsigned of_cell_line(unsigned line) const {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            if (part.file != cell_file_ || line < part.line) continue;
            const unsigned at = part.at + line - part.line;
            if (i + 1 == parts_.size() || at < parts_[i + 1].at) return at;
        }
        return 0;
    }

private:
    struct Part {
        unsigned at, line;
        std::string file;
    };
    std::string cell_file_;
    std::vector<Part> parts_;
};

}  // namespace xcpp_session
