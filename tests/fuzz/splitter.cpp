#include "cells.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    xcpp_session::fuzz::check_splitter({reinterpret_cast<const char*>(data), size});
    return 0;
}
