#include "lanes/lesson/ring_picture.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/drawing.hpp"

#include <string>
#include <vector>

namespace lanes {

namespace {

constexpr double cell_width = 44;
constexpr double cell_height = 30;
constexpr double gap = 36;
constexpr double left_margin = 60;
constexpr double top_margin = 44;

// Which ranks' values are in each part: parts[rank][part] is "012" when three have been added.
using Parts = std::vector<std::vector<std::string>>;

std::string added(const std::string& a, const std::string& b) {
    std::string both;
    for (const char rank : std::string("0123456789"))
        if ((a + b).find(rank) != std::string::npos) both += rank;
    return both;
}

// The part that a rank receives in a step, from the rank at its left.
std::size_t received_part(std::size_t rank, std::size_t step, std::size_t ranks) {
    return (rank + 2 * ranks - step - 1) % ranks;
}

Parts after(const Parts& parts, std::size_t step) {
    const std::size_t ranks = parts.size();
    Parts next = parts;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t part = received_part(rank, step, ranks);
        const std::string& arrives = parts[(rank + ranks - 1) % ranks][part];
        next[rank][part] = step < ranks - 1 ? added(parts[rank][part], arrives) : arrives;
    }
    return next;
}

Style fill_of(const std::string& cell, std::size_t ranks) {
    if (cell.size() == ranks) return {"#bfe3c6"};
    return {cell.size() == 1 ? "#ffffff" : "#cfe5f3"};
}

void draw_grid(Drawing& drawing, double x, double y, const Parts& parts, const std::string& title) {
    const std::size_t ranks = parts.size();
    drawing.text(x + cell_width * static_cast<double>(ranks) / 2, y - 18, title);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (std::size_t part = 0; part < ranks; ++part) {
            const std::string& cell = parts[rank][part];
            const double cell_x = x + cell_width * static_cast<double>(part);
            const double cell_y = y + cell_height * static_cast<double>(rank);
            drawing.rectangle(cell_x, cell_y, cell_width, cell_height, fill_of(cell, ranks));
            drawing.text(cell_x + cell_width / 2, cell_y + cell_height / 2, cell);
        }
}

void frame_received(Drawing& drawing, double x, double y, std::size_t ranks, std::size_t step) {
    Style frame;
    frame.stroke = "orange";
    frame.width = 4;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        drawing.rectangle(
            x + cell_width * static_cast<double>(received_part(rank, step, ranks)) + 2,
            y + cell_height * static_cast<double>(rank) + 2, cell_width - 4, cell_height - 4,
            frame);
}

}  // namespace

void draw_ring_all_reduce(int ranks) {
    LANES_REQUIRE(ranks >= 2 && ranks <= 5, "draw_ring_all_reduce: ", ranks,
                  " ranks. The picture has room for 2 to 5.");
    const auto p = static_cast<std::size_t>(ranks);
    Parts parts(p);
    for (std::size_t rank = 0; rank < p; ++rank) parts[rank].assign(p, std::to_string(rank));

    const double grid_width = cell_width * ranks + gap;
    const double grid_height = cell_height * ranks + top_margin;
    Drawing drawing(static_cast<int>(left_margin + grid_width * ranks),
                    static_cast<int>(2 * grid_height + 10));
    Style label;
    label.align = "right";
    for (int line = 0; line < 2; ++line)
        for (int rank = 0; rank < ranks; ++rank)
            drawing.text(left_margin - 8,
                         line * grid_height + top_margin + cell_height * (rank + 0.5),
                         "rank " + std::to_string(rank), label);
    // The upper line: the start and the steps that add. The lower line: the steps that copy.
    draw_grid(drawing, left_margin, top_margin, parts, "start");
    for (std::size_t step = 0; step < 2 * (p - 1); ++step) {
        const bool adds = step < p - 1;
        const double column = static_cast<double>(adds ? step + 1 : step - (p - 1));
        const double x = left_margin + grid_width * column;
        const double y = top_margin + (adds ? 0 : grid_height);
        parts = after(parts, step);
        draw_grid(drawing, x, y, parts,
                  "step " + std::to_string(step) + (adds ? ": add" : ": copy"));
        frame_received(drawing, x, y, p, step);
    }
    drawing.show("ring all-reduce of " + std::to_string(ranks) +
                 " ranks: " + std::to_string(p - 1) + " steps that add, " + std::to_string(p - 1) +
                 " that copy; at the end each part of each rank holds the values of " +
                 parts.back().back());
}

}  // namespace lanes
