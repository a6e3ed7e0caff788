#include "lanes/base/error.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

template <class T>
std::string shortest(T value) {
    if (std::isnan(value)) return "nan";  // never -nan: the sign of a NaN differs between machines
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), end.ptr);
}

}  // namespace

std::string to_text(bool value) { return value ? "true" : "false"; }
std::string to_text(char value) { return std::string(1, value); }
std::string to_text(long long value) { return std::to_string(value); }
std::string to_text(unsigned long long value) { return std::to_string(value); }
std::string to_text(float value) { return shortest(value); }
std::string to_text(double value) { return shortest(value); }
std::string to_text(std::string_view value) { return std::string(value); }

namespace detail {

std::string join(std::initializer_list<Part> parts) {
    std::string message;
    for (const Part& part : parts) message += part.text();
    return message;
}

void fail(std::initializer_list<Part> parts) { throw Error(join(parts)); }

}  // namespace detail

}  // namespace lanes
