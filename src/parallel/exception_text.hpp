// What the exception that is being handled says, with its type: "std::out_of_range: no such row".
#pragma once

#include <string>

namespace lanes::parallel {

std::string exception_text();

}  // namespace lanes::parallel
