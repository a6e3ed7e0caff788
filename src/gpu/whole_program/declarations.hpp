// The declarations of a program at namespace and class scope, as far as it takes to tell what is
// for the host and what is for the device.
#pragma once

#include "scan.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::gpu::whole_program {

struct Declaration {
    enum class Kind {
        function,
        type,  // struct, class, union, enum
        variable,
        alias,  // using, typedef, namespace a = b
        scope,  // namespace or extern "C", with members
        other   // static_assert, an access label, what is no C++
    } kind = Kind::other;
    std::size_t first = 0, last = 0;  // tokens; last is one past the end
    // The braces of a function's body, a type's members or a scope; 0 if there are none.
    std::size_t open = 0, close = 0;
    bool is_global = false;    // __global__
    bool is_device = false;    // __device__, __constant__ or __managed__
    bool is_host = false;      // __host__
    bool is_constant = false;  // const or constexpr: its value may be used on both sides
    bool is_constexpr = false;
    bool is_defaulted = false;            // = default, = delete, = 0
    std::vector<std::string_view> names;  // that it declares
    std::vector<Declaration> members;     // of a scope, a struct, a class or a union

    bool for_device() const { return is_global || is_device; }
};

std::vector<Declaration> read_declarations(const std::vector<PlacedToken>& tokens);

}  // namespace lanes::gpu::whole_program
