// A column of numbers in the form in which xtensor prints the elements of an array.
#pragma once

#include "xcpp/detail/write.hpp"

#include <string>
#include <vector>

namespace xcpp::detail {

struct ShownElement {
    Element value;
    std::string text;  // of kind other
};

// One text for each element. width: what xtensor counts as an element's width when it breaks lines.
std::vector<std::string> column_of(const std::vector<ShownElement>& elements, ElementKind kind,
                                   int precision, std::size_t& width);

}  // namespace xcpp::detail
