// What a type's spelling in CUDA C++ means: "unsigned", "std::size_t", "int32_t".
#pragma once

#include "lanes/gpu/type_tag.hpp"

#include <string>

namespace lanes::gpu {

// Kind::other for whatever is no arithmetic type. Vector types of CUDA have their size (float4: 16
// bytes), all others 0.
TypeTag tag_of_spelling(const std::string& spelling);

// "float" of "float4"; Kind::other of what is no vector type.
TypeTag tag_of_component(const std::string& spelling);

// Whether bytes of the one may be read as the other; char has no sign of its own.
bool same_type(const TypeTag& wanted, const TypeTag& given);

}  // namespace lanes::gpu
