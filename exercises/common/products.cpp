#include "products.hpp"

#include <array>

namespace lanes::exercises::product_check {

using notebook::About;
using notebook::Values;

std::string words(const Size& size) {
    return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}

Matrix random(const Size& size, Rng rng) {
    Matrix values(std::array<std::size_t, 2>{size.rows, size.columns});
    rng.fill_uniform(values.data(), values.size(), -2, 2);
    return values;
}

Values transposed(const Values& a) {
    Values result{{a.columns(), a.rows()}, {}};
    for (std::size_t j = 0; j < a.columns(); ++j)
        for (std::size_t i = 0; i < a.rows(); ++i) result.numbers.push_back(a.at(i, j));
    return result;
}

Values product(const Values& a, const Values& b, Sum how) {
    Values result{{a.rows(), b.columns()}, {}};
    const std::size_t depth = a.columns() - (how == Sum::last_left_out && a.columns() > 0 ? 1 : 0);
    double sum = 0;
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < b.columns(); ++j) {
            if (how != Sum::never_reset) sum = 0;
            for (std::size_t k = 0; k < depth; ++k)
                sum = a.at(i, k) * b.at(k, j) + (how == Sum::only_last ? 0 : sum);
            result.numbers.push_back(sum);
        }
    return result;
}

void add_product(About& about, const Values& a, const Values& b, const std::string& what) {
    if (a.columns() == b.rows()) about.known.push_back({product(a, b), what});
}

About about_product(const Values& a, const Values& b) {
    About about;
    about.tolerance = {1e-4, 1e-4};
    about.known = {{product(a, b, Sum::only_last),
                    "Of each sum only the last product is left: is = written where += is meant?"},
                   {product(a, b, Sum::never_reset),
                    "The sum is never set back to 0: start it again for each element."},
                   {product(a, b, Sum::last_left_out),
                    "The last product of each sum is missing: k runs up to the number of columns "
                    "of the left matrix."}};
    return about;
}

}  // namespace lanes::exercises::product_check
