// One exception for broken promises of the caller, and one macro that checks them.
//
//   LANES_REQUIRE(images == labels, "create_batches: ", images, " images but ", labels, " labels.
//       Give one label for each image.");
//
// throws lanes::Error with the text
//
//   create_batches: 3 images but 4 labels. Give one label for each image. [images == labels is
//       false]
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace lanes {

// The text is the same on every machine (notebooks compare it), so file and line are kept apart
// from it.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message, const char* file = "", int line = 0)
        : std::runtime_error(message), file_(file), line_(line) {}

    const char* file() const noexcept { return file_; }  // "" where nobody noted it
    int line() const noexcept { return line_; }

private:
    const char* file_;
    int line_;
};

// Text of a value as it stands in messages: numbers with as many digits as tell them apart, bools
// as words.
std::string to_text(bool value);
std::string to_text(char value);
std::string to_text(long long value);
std::string to_text(unsigned long long value);
std::string to_text(float value);
std::string to_text(double value);
std::string to_text(std::string_view value);

namespace detail {

template <class T>
using Decayed = std::remove_cv_t<std::remove_reference_t<T>>;

// One piece of a message: text, a number, or a list of numbers such as a shape, written (3, 4).
class Part {
public:
    template <class T>
    Part(const T& value) : text_(describe(value)) {}

    const std::string& text() const { return text_; }

private:
    template <class T>
    static std::string describe(const T& value) {
        using D = Decayed<T>;
        if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            return to_text(std::string_view(value));
        } else if constexpr (std::is_enum_v<D>) {
            return describe(static_cast<std::underlying_type_t<D>>(value));
        } else if constexpr (std::is_same_v<D, bool> || std::is_same_v<D, char> ||
                             std::is_floating_point_v<D>) {
            return to_text(
                static_cast<std::conditional_t<std::is_same_v<D, long double>, double, D>>(value));
        } else if constexpr (std::is_integral_v<D>) {
            return to_text(
                static_cast<std::conditional_t<std::is_signed_v<D>, long long, unsigned long long>>(
                    value));
        } else {
            std::string text = "(";
            for (const auto& item : value) text += (text.size() > 1 ? ", " : "") + describe(item);
            return text + ")";
        }
    }

    std::string text_;
};

[[noreturn]] void fail(const char* condition, const char* file, int line,
                       std::initializer_list<Part> parts);

}  // namespace detail

}  // namespace lanes

// The parts are looked at only if the condition is false. The first one names the operation; the
// last one says what to try.
#define LANES_REQUIRE(condition, ...)                                                           \
    do {                                                                                        \
        if (!(condition)) ::lanes::detail::fail(#condition, __FILE__, __LINE__, {__VA_ARGS__}); \
    } while (false)
