// An array of any type and number of axes, as a check looks at it: shape and numbers in row-major
// order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes::notebook {

struct Values {
    std::vector<std::size_t> shape;
    std::vector<double> numbers;

    std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }
    std::size_t columns() const { return shape.size() < 2 ? 1 : shape[1]; }
    double at(std::size_t row, std::size_t column) const {
        return numbers[row * columns() + column];
    }
};

template <class Array>
Values values_of(const Array& array) {
    return {{array.shape().begin(), array.shape().end()}, {array.begin(), array.end()}};
}

// The same shape, each number put through a function.
Values each(const Values& x, const std::function<double(double)>& f);

// Equal but for rounding, and of one shape.
bool are_close(const Values& a, const Values& b, double absolute = 1e-5, double relative = 1e-4);

// A common mistake: the result that it gives, and the sentence for it.
struct KnownMistake {
    Values gives;
    std::string words;
};

// A sentence about the difference if it has a known pattern: swapped indices, a missing row,
// truncated fractions, ...; otherwise empty.
std::string recognise(const Values& got, const Values& expected);

// Which elements differ, as a few lines of . and x; empty if that shows nothing.
std::string picture(const Values& got, const Values& expected, const std::vector<bool>& differs);

}  // namespace lanes::notebook
