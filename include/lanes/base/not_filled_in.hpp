// What an answer throws that nobody has written yet: the line that stands in a student's notebook
// in place of a solution (tools/assignments puts it there).
#pragma once

#include "lanes/base/error.hpp"

#include <string>

namespace lanes {

class NotFilledIn : public Error {
public:
    explicit NotFilledIn(const std::string& what) : Error(what) {}
};

}  // namespace lanes
