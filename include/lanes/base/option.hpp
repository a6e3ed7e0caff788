// Options with names, in place of numbers in braces whose meaning nobody can read:
//
//   class PrintOptions {
//       LANES_OPTION(PrintOptions, int, digits, 6)
//       LANES_OPTION(PrintOptions, bool, sign, false)
//   };
//   const PrintOptions options = PrintOptions().digits(3).sign(true);
//   const int digits = options.digits();  // 3
#pragma once

// A setter, which can be followed by the next one, and a getter of the same name.
#define LANES_OPTION(Class, Type, name, initial) \
public:                                          \
    Class& name(Type value) {                    \
        name##_ = value;                         \
        return *this;                            \
    }                                            \
    Type name() const { return name##_; }        \
                                                 \
private:                                         \
    Type name##_ = initial;
