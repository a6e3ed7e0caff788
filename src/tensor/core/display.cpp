// How a tensor is shown: a line with shape, type and device, then the elements. Large tensors are
// cut: the first and last rows and columns, and of more than two axes the first few matrices.
#include "base/text.hpp"
#include "tensor_impl.hpp"
#include "text_table.hpp"

#include <cstdio>
#include <ostream>
#include <utility>

namespace lanes {

namespace {

using tensor::Rows;

constexpr std::size_t most_shown = 8;  // rows or columns; of more, half from each end
constexpr std::size_t most_matrices = 3;
constexpr std::size_t gap = static_cast<std::size_t>(-1);  // stands for the ones left out

std::vector<std::size_t> shown(std::size_t count) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < count; ++i) {
        if (count <= most_shown || i < most_shown / 2 || i >= count - most_shown / 2)
            indices.push_back(i);
        else if (i == most_shown / 2)
            indices.push_back(gap);
    }
    return indices;
}

std::string number(const Tensor& x, std::size_t index) {
    if (x.dtype() == DType::int32) return std::to_string(tensor::ints(x)[index]);
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", static_cast<double>(tensor::floats(x)[index]));
    return text;
}

// The matrix of `columns` columns that begins at element `first`.
Rows matrix(const Tensor& x, std::size_t first, std::size_t rows, std::size_t columns) {
    Rows table;
    for (const std::size_t row : shown(rows)) {
        std::vector<std::string> line;
        for (const std::size_t column : shown(columns))
            line.push_back(row == gap || column == gap ? "…"
                                                       : number(x, first + row * columns + column));
        table.push_back(std::move(line));
    }
    return table;
}

std::string title(const Tensor& x) {
    return "Tensor " + x.shape().text() + " " + to_text(x.dtype()) + " on " + x.device().id() +
           (x.requires_grad() ? ", requires gradients" : "");
}

struct Part {
    std::string name;  // "[0, 1]", of more than two axes
    Rows rows;
};

std::vector<Part> parts_of(const Tensor& x) {
    const Tensor here = x.detach().cpu();
    const std::size_t rank = x.rank();
    const std::size_t columns = rank >= 1 ? x.shape()[rank - 1] : 1;
    const std::size_t rows = rank >= 2 ? x.shape()[rank - 2] : 1;
    const std::size_t matrices = rows * columns == 0 ? 0 : x.size() / (rows * columns);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < matrices && i < most_matrices; ++i) {
        std::string name;
        std::size_t rest = i;
        for (std::size_t axis = rank; axis-- > 2;) {
            std::string index = std::to_string(rest % x.shape()[axis - 2]);
            if (!name.empty()) index.append(", ").append(name);
            name = std::move(index);
            rest /= x.shape()[axis - 2];
        }
        parts.push_back({name.empty() ? "" : "[" + name + "]",
                         matrix(here, i * rows * columns, rows, columns)});
    }
    if (matrices > most_matrices) parts.push_back({"…", {}});
    return parts;
}

}  // namespace

std::string Tensor::text() const {
    if (!defined()) return "Tensor, undefined\n";
    std::string text = title(*this) + "\n";
    for (const Part& part : parts_of(*this))
        text += (part.name.empty() ? "" : part.name + "\n") + tensor::text_table(part.rows);
    return text;
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << x.text(); }

tensor::MimeBundle mime_bundle_repr(const Tensor& x) {
    if (!x.defined()) return tensor::mime_bundle(x.text(), x.text());
    std::string html = "<p>" + escaped(title(x)) + "</p>";
    for (const Part& part : parts_of(x))
        html += (part.name.empty() ? "" : "<p>" + part.name + "</p>") +
                (part.rows.empty() ? "" : tensor::html_table(part.rows, false));
    return tensor::mime_bundle(x.text(), html);
}

}  // namespace lanes
