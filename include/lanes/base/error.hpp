// The exception for mistakes of a caller, and a macro that checks for them.
//
//   const int images = 3, labels = 3;
//   LANES_REQUIRE(images == labels, "create_batches: ", images, " images but ", labels,
//                 " labels. Give one label per image.");
//
// If the condition is false, it throws lanes::Error. With 4 labels the message is
//     create_batches: 3 images but 4 labels. Give one label per image.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace lanes {

// A value as text for messages: numbers with just enough digits to be unique, bools as words.
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

std::string join(std::initializer_list<Part> parts);
[[noreturn]] void fail(std::initializer_list<Part> parts);

}  // namespace detail

// The message is made of its parts, in order: Error("fit: ", epochs, " epochs. Ask for one."). The
// first part names the operation, the last one says what to try. The text is the same on every
// machine, because notebooks compare it.
class Error : public std::runtime_error {
public:
    template <class... Parts>
    explicit Error(std::string_view first, const Parts&... rest)
        : std::runtime_error(detail::join({detail::Part(first), detail::Part(rest)...})) {}
};

}  // namespace lanes

// Throws Error with these parts if the condition is false; else the parts are not evaluated.
#define LANES_REQUIRE(condition, ...)                           \
    do {                                                        \
        if (!(condition)) ::lanes::detail::fail({__VA_ARGS__}); \
    } while (false)
