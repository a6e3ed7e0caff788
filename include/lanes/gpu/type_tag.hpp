// The type of an element or a scalar as a value: launch compares it with the type in the CUDA text.
//
//   constexpr lanes::gpu::TypeTag tag = lanes::gpu::tag_of<float>();
//   static_assert(tag.bytes == 4 && tag.kind == lanes::gpu::TypeTag::Kind::floating);
#pragma once

#include <cstddef>
#include <type_traits>

namespace lanes::gpu {

// As far as both sides can name the type.
struct TypeTag {
    enum class Kind { boolean, integer, floating, other } kind = Kind::other;
    bool is_signed = false;
    std::size_t bytes = 0;
    const char* name = "";  // "float", "unsigned int"; "" for a struct
};

template <class T>
constexpr TypeTag tag_of() {
    using D = std::remove_cv_t<T>;
    const char* name = "";
    if constexpr (std::is_same_v<D, bool>)
        name = "bool";
    else if constexpr (std::is_same_v<D, char>)
        name = "char";
    else if constexpr (std::is_same_v<D, signed char>)
        name = "signed char";
    else if constexpr (std::is_same_v<D, unsigned char>)
        name = "unsigned char";
    else if constexpr (std::is_same_v<D, short>)
        name = "short";
    else if constexpr (std::is_same_v<D, unsigned short>)
        name = "unsigned short";
    else if constexpr (std::is_same_v<D, int>)
        name = "int";
    else if constexpr (std::is_same_v<D, unsigned>)
        name = "unsigned int";
    else if constexpr (std::is_same_v<D, long>)
        name = "long";
    else if constexpr (std::is_same_v<D, unsigned long>)
        name = "unsigned long";
    else if constexpr (std::is_same_v<D, long long>)
        name = "long long";
    else if constexpr (std::is_same_v<D, unsigned long long>)
        name = "unsigned long long";
    else if constexpr (std::is_same_v<D, float>)
        name = "float";
    else if constexpr (std::is_same_v<D, double>)
        name = "double";
    constexpr auto kind = std::is_same_v<D, bool>       ? TypeTag::Kind::boolean
                          : std::is_integral_v<D>       ? TypeTag::Kind::integer
                          : std::is_floating_point_v<D> ? TypeTag::Kind::floating
                                                        : TypeTag::Kind::other;
    return {kind, std::is_signed_v<D>, sizeof(D), name};
}

}  // namespace lanes::gpu
