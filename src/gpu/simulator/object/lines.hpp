// Maps code addresses of a shared object to lines of the CUDA text. One of the compiler's tools
// reads the debug information (llvm-symbolizer, or addr2line, which comes with every g++ and knows
// no columns), and only if there is something to report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

struct SourceLine {
    int line = 0;  // from 1; 0 if unknown
    // From 1; 0 if unknown. For a read: the start of the expression. For a write: the assignment
    // operator.
    int column = 0;
};

class LineTable {
public:
    // object: the bytes of the shared object, which must outlive this one. base: its load address.
    // program: the name of the student's text in the debug information.
    LineTable(const std::string& object, std::uintptr_t base, std::string program)
        : object_(object), base_(base), program_(std::move(program)) {}

    // Runs the tool once for all of these. A line of an inlined function counts as the line of the
    // student's text that calls it.
    void prepare(const std::vector<const void*>& codes);
    // code: a return address; the result is the line of the call before it.
    SourceLine operator()(const void* code);

private:
    const std::string& object_;
    std::uintptr_t base_;
    std::string program_;
    std::map<const void*, SourceLine> known_;
};

// Reads the tool's output: for each address a line with the address, then one "file:line" or
// "file:line:column" per function inlined there, innermost first. Returns the first one in the
// program's text, by address.
std::map<std::uintptr_t, SourceLine> read_frames(const std::string& printed,
                                                 const std::string& program);

}  // namespace lanes::gpu::simulator
