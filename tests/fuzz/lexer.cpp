#include "cells.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    xcpp_session::fuzz::add_magics();
    xcpp_session::fuzz::check_lexer({reinterpret_cast<const char*>(data), size});
    return 0;
}
