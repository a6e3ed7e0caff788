// Code addresses of a shared object and the lines of the CUDA text that they come from. A tool of
// the compiler's suite reads the debug information (addr2line, which comes with every g++, or
// llvm-symbolizer), and only when something is to be told.
#pragma once

#include "line_program.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct SourceLine {
    int line = 0;  // from 1; 0 where it is not known
    int column =
        0;  // likewise; of a read where the expression begins, of a write the assignment's operator
};

class LineTable {
public:
    // object: the bytes of the shared object, which stay where they are. base: where it is loaded.
    // program: what its debug information calls the student's text.
    LineTable(const std::string& object, std::uintptr_t base, std::string program)
        : object_(object), base_(base), program_(std::move(program)) {}

    // One call of the tool for all of them. Lines of functions that were inlined from elsewhere
    // count where the student's text calls them.
    void prepare(const std::vector<const void*>& codes);
    // code: a return address; the call before it is what is looked for.
    SourceLine operator()(const void* code);

private:
    const std::string& object_;
    std::uintptr_t base_;
    std::string program_;
    std::map<const void*, SourceLine> known_;
    LineProgram columns_;
    bool columns_read_ = false;

    void find_columns(const std::vector<const void*>& codes);
};

// What the tool printed: for each address a line with the address, then one "file:line" for each
// function inlined there, innermost first. Gives the first one in the program's text, by address.
std::map<std::uintptr_t, SourceLine> read_frames(const std::string& printed,
                                                 const std::string& program);

}  // namespace lanes::gpu::simulator
