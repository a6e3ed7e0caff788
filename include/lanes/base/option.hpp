// Options with names, in place of numbers in braces whose meaning nobody can read. A class outside
// of functions
//
//     class PrintOptions {
//         LANES_OPTION(PrintOptions, std::size_t, digits, 6)
//         LANES_OPTION(PrintOptions, bool, sign, false)
//     };
//
// has a setter and a getter for each option: PrintOptions().digits(3).sign(true), options.digits().
// PrintOptions().digits(-3) throws Error: a plain std::size_t would take it as a very large number.
// What the setters call:
//
//   const auto digits = lanes::detail::option_value<std::size_t>("PrintOptions::digits", 3);
#pragma once

#include "lanes/base/error.hpp"

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace lanes::detail {

template <class T>
struct WithoutOptional {
    using Type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
    using Type = T;
};

// The value as an option's type. An integer that this type cannot hold throws Error.
template <class Type, class Value>
Type option_value(const char* option, Value&& value) {
    using Number = typename WithoutOptional<Type>::Type;
    using Given = Decayed<Value>;
    if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool> &&
                  std::is_arithmetic_v<Given>) {
        static_assert(std::is_integral_v<Given>, "this option is a whole number");
        if constexpr (std::is_signed_v<Given> && std::is_unsigned_v<Number>)
            LANES_REQUIRE(value >= 0, option, ": ", value, ". Give 0 or more.");
        const auto converted = static_cast<Number>(value);
        LANES_REQUIRE(static_cast<Given>(converted) == value && (converted < 0) == (value < 0),
                      option, ": ", value, ". Give ", std::numeric_limits<Number>::min(), " to ",
                      std::numeric_limits<Number>::max(), ".");
        return converted;
    } else {
        return Type(std::forward<Value>(value));
    }
}

}  // namespace lanes::detail

// A setter, which can be followed by the next one, and a getter of the same name.
// NOLINTBEGIN(bugprone-macro-parentheses): a type in parentheses is no type
#define LANES_OPTION(Class, Type, name, initial)                                            \
public:                                                                                     \
    template <class Value = Type>                                                           \
    Class& name(Value value) {                                                              \
        name##_ = ::lanes::detail::option_value<Type>(#Class "::" #name, std::move(value)); \
        return *this;                                                                       \
    }                                                                                       \
    Type name() const { return name##_; }                                                   \
                                                                                            \
private:                                                                                    \
    Type name##_ = initial;
// NOLINTEND(bugprone-macro-parentheses)
