// What is asked at a cursor, from the text alone: which piece of a name is there, and a text in
// which the compiler can find the answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xcpp_session {

enum class AskedFor { nothing, code, magic, include };

// The name of the text that the compiler is asked about.
constexpr const char* asked_file_name = "/xcpp-completion/cell.cpp";

struct CompletionContext {
    AskedFor asked = AskedFor::nothing;
    std::string prefix;     // what is typed of the name already
    std::size_t start = 0;  // bytes of the cell that a match replaces: [start, end)
    std::size_t end = 0;

    // code: a text of its own, complete and balanced, that ends at the place asked for; line and
    // column (from 1) of that place.
    std::string text;
    unsigned line = 0;
    unsigned column = 0;

    // code of a library's magic, which sees nothing of other cells
    bool isolated = false;

    bool angled = false;  // include: <…> and not "…"
};

CompletionContext completion_context(std::string_view code, std::size_t cursor);

// For inspection: the same for the name at the cursor, all of it, or, after its "(", the name of
// the function that is called.
CompletionContext inspection_context(std::string_view code, std::size_t cursor);

}  // namespace xcpp_session
