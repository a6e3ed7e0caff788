// A given cell that needs an answer goes on with the library's version while nobody has written the
// answer, and says so.
//
//   const auto twice = [](float) -> float { throw lanes::NotFilledIn("Fill in twice: one line.");
//   }; const float four = lanes::answer_or(twice, [](float x) { return x + x; })(2);
#pragma once

#include "lanes/base/not_filled_in.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lanes {

namespace lesson {
// The answer that is missing if this error says so: NotFilledIn, or a CUDA text that does not
// compile because of its line #error "Fill in …".
std::optional<std::string> missing_answer(const Error& error);
// "twice is not filled in yet: this uses the library's version." on std::cout.
void say_not_filled_in(const std::string& answer);
}  // namespace lesson

// A function that calls `answer`, or `library` if an error of `answer` says that it, or another
// answer that it needs, is missing; copies of it say so once together. Both take the same
// arguments. What `answer` did before it threw is not undone.
template <class Answer, class Library>
auto answer_or(Answer answer, Library library) {
    return [answer = std::move(answer), library = std::move(library),
            said = std::make_shared<bool>(false)](auto&&... arguments) {
        try {
            return answer(arguments...);
        } catch (const Error& error) {
            const std::optional<std::string> missing = lesson::missing_answer(error);
            if (!missing) throw;
            if (!std::exchange(*said, true)) lesson::say_not_filled_in(*missing);
            return library(arguments...);
        }
    };
}

}  // namespace lanes
