// The meaning of a type's spelling in CUDA C++: "unsigned", "std::size_t", "int32_t".
#pragma once

#include "lanes/gpu/type_tag.hpp"

#include <string>

namespace lanes::gpu {

// Kind::other if it is not an arithmetic type. CUDA's vector types have their size (float4: 16
// bytes), all other types 0.
TypeTag tag_of_spelling(const std::string& spelling);

// "float" for "float4"; Kind::other if it is not a vector type.
TypeTag tag_of_component(const std::string& spelling);

// Whether the bytes of one type may be read as the other. char may be signed or unsigned.
bool same_type(const TypeTag& wanted, const TypeTag& given);

}  // namespace lanes::gpu
