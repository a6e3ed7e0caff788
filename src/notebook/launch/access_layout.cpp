#include "access_layout.hpp"

#include <algorithm>
#include <set>

namespace lanes::notebook {

RowLayout layout_of(const ArrayRow& row, std::size_t per_line) {
    RowLayout layout;
    std::set<std::ptrdiff_t> touched;
    for (const auto& step : row.steps)
        for (const auto& [element, box] : step) touched.insert(element);
    for (const std::ptrdiff_t element : touched)
        if (row.is_outside(element))
            (element < 0 ? layout.before : layout.after).push_back(element);
    const std::size_t columns = row.columns ? row.columns : per_line;
    std::size_t widest = 0;
    for (std::size_t first = 0; first < row.array.elements; first += columns) {
        const std::size_t count = std::min(columns, row.array.elements - first);
        const auto begin = static_cast<std::ptrdiff_t>(first),
                   end = static_cast<std::ptrdiff_t>(first + count);
        const auto next = touched.lower_bound(begin);
        const bool used = next != touched.end() && *next < end;
        const bool last = first + count == row.array.elements && !layout.after.empty();
        // Of shared memory, which is often larger than a small launch needs, what is used.
        const bool whole = !row.array.shared && row.array.elements <= 4 * columns;
        if (used || last || whole)
            layout.lines.push_back({begin, count, false});
        else if (layout.lines.empty() || !layout.lines.back().gap)
            layout.lines.push_back({begin, count, true});
        widest = std::max(widest, count);
    }
    if (layout.lines.empty()) layout.lines.push_back({0, 0, false});
    layout.left =
        layout.before.empty() ? 0 : (static_cast<double>(layout.before.size()) + 0.35) * box_width;
    double right = static_cast<double>(widest) * box_width;
    if (!layout.after.empty())
        right = std::max(right, (static_cast<double>(layout.lines.back().count) + 0.35 +
                                 static_cast<double>(layout.after.size())) *
                                    box_width);
    layout.width = layout.left + right;
    for (const BoxLine& line : layout.lines)
        layout.height += line.gap ? gap_height : box_height + index_height;
    return layout;
}

}  // namespace lanes::notebook
