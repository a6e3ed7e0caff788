// Rows of text as a table: for a terminal, and as the two forms of a cell's output.
#pragma once

#include "lanes/tensor/tensor.hpp"

#include <string>
#include <vector>

namespace lanes::tensor {

using Rows = std::vector<std::vector<std::string>>;

// Columns are aligned to the right, except the first `left` ones.
std::string text_table(const Rows& rows, std::size_t left = 0);

// titles: whether the first row holds the titles of the columns.
std::string html_table(const Rows& rows, bool titles);

MimeBundle mime_bundle(const std::string& text, const std::string& html);

}  // namespace lanes::tensor
