// SHA-256 (FIPS 180-4), here so that the library needs no other one for the names and the seals of
// its cache.
#pragma once

#include <string>
#include <string_view>

namespace lanes::gpu {

std::string sha256_hex(std::string_view bytes);  // 64 lower-case digits

}  // namespace lanes::gpu
