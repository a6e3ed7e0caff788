#pragma once

#include <string>

namespace lanes::notebook {

// Without newlines, padded by '='.
std::string base64(const std::string& bytes);

}  // namespace lanes::notebook
