// The exception of an answer that nobody has written yet. In a student's notebook, `make
// assignments` puts such a line where the solution was:
//
//   const auto sigmoid = [](float) -> float {
//       throw lanes::NotFilledIn("Fill in sigmoid: one line.");
//   };
#pragma once

#include "lanes/base/error.hpp"

#include <string>

namespace lanes {

class NotFilledIn : public Error {
public:
    explicit NotFilledIn(const std::string& what) : Error(what) {}
};

}  // namespace lanes
