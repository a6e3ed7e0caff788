// An Error made of its parts, for conditions whose own text would say nothing to whoever reads the
// message.
#pragma once

#include "lanes/base/error.hpp"

#include <string>

namespace lanes::gpu {

// The first part names the operation; the last one says what to try.
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    throw Error((detail::Part(parts).text() + ...));
}

}  // namespace lanes::gpu
