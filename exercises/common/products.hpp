// Shared by the checks of matmul and of X times its transpose: operands, products with common
// mistakes, and the messages for them.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <cstddef>
#include <string>

namespace lanes::exercises::product_check {

struct Size {
    std::size_t rows, columns;
};

std::string words(const Size& size);

Matrix random(const Size& size, Rng rng);  // from -2 to 2

// With known numbers past its end: an answer that reads there finds the same ones each time, and
// gets the same message.
struct Operand {
    Operand(const Size& size, Rng rng)
        : guards(size.rows * size.columns * sizeof(float)), values(random(size, rng)) {}
    notebook::GuardBlocks guards;
    Matrix values;
};

notebook::Values transposed(const notebook::Values& a);

enum class Sum { right, never_reset, last_left_out, only_last };
notebook::Values product(const notebook::Values& a, const notebook::Values& b,
                         Sum how = Sum::right);

// What is known about a product, and about common mistakes.
notebook::About about_product(const notebook::Values& a, const notebook::Values& b);

// Adds the product of two operands that could be taken by mistake, if their shapes allow it.
void add_product(notebook::About& about, const notebook::Values& a, const notebook::Values& b,
                 const std::string& what);

}  // namespace lanes::exercises::product_check
