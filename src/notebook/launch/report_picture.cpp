// LaunchReport::show: the counters as a table, the lines that cost most as bars, and the warps that
// fit on a multiprocessor.
#include "notebook/display/color.hpp"
#include "notebook/display/svg.hpp"
#include "notebook/front_end.hpp"

#include "base/text.hpp"

#include "lanes/gpu/occupancy.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>

namespace lanes {

namespace {

using notebook::ink;

constexpr std::size_t most_lines = 6;

std::string times_ideal(const LineTraffic& line) {
    return compact(static_cast<double>(line.sectors) / static_cast<double>(line.ideal_sectors));
}

std::vector<LineTraffic> lines_with_sectors(const LaunchReport& report) {
    std::vector<LineTraffic> lines = report.counted ? report.lines() : std::vector<LineTraffic>();
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [](const LineTraffic& line) { return line.sectors == 0; }),
                lines.end());
    return lines;
}

std::string costliest_text(const std::vector<LineTraffic>& lines) {
    if (lines.empty()) return "";
    const LineTraffic& line = lines.front();
    return "most sectors: line " + std::to_string(line.line) + ", " + line.text + "\n  " +
           std::to_string(line.sectors) + (line.sectors == 1 ? " sector, " : " sectors, ") +
           times_ideal(line) + " times as many as if its elements lay side by side";
}

std::string occupancy_text(const LaunchReport& report, const Occupancy& fits) {
    const std::size_t grid = report.config.grid.count();
    const std::string blocks = "the grid has " + std::to_string(grid) +
                               (grid == 1 ? " block for " : " blocks for ") +
                               std::to_string(fits.gpu.multiprocessors) + " multiprocessors";
    if (fits.blocks == 0)
        return "occupancy on " + fits.gpu.name + ": a block does not fit, for its " + fits.limit;
    return "occupancy on " + fits.gpu.name + ": " + compact(fits.percent()) + " %, " +
           std::to_string(fits.blocks) + (fits.blocks == 1 ? " block of " : " blocks of ") +
           std::to_string(report.config.block.count()) +
           " threads per multiprocessor, limited by " + fits.limit +
           (report.registers_per_thread ? "" : "; registers are not known") + "; " + blocks;
}

Table counters_table(const LaunchReport& report) {
    const Counters& c = report.counters;
    Table table({"counter", "count", "sectors"});
    const auto row = [&](const char* name, std::uint64_t count, const std::string& sectors = "") {
        if (count > 0) table.row(name, count, sectors);
    };
    row("global loads of threads", c.global_loads);
    row("global load requests", c.global_load_requests, std::to_string(c.global_load_sectors));
    row("global stores of threads", c.global_stores);
    row("global store requests", c.global_store_requests, std::to_string(c.global_store_sectors));
    row("shared load requests", c.shared_load_requests);
    row("shared store requests", c.shared_store_requests);
    row("shared bank conflicts", c.shared_bank_conflicts);
    row("atomic requests", c.atomic_requests);
    row("divergent branches", c.divergent_branches);
    row("barriers", c.barriers);
    return table;
}

void draw_lines(notebook::Svg& svg, const std::vector<LineTraffic>& lines) {
    svg.text(12, 16, "sectors of global memory, by line", {12, ink, "left", true});
    if (lines.empty()) svg.text(12, 40, "none", {11, ink, "left"});
    const double most = lines.empty() ? 1 : static_cast<double>(lines.front().sectors);
    for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
        const LineTraffic& line = lines[i];
        const double y = 34 + 36 * static_cast<double>(i), full = 300;
        std::string text = "line " + std::to_string(line.line) + ": " + line.text;
        if (text.size() > 62) text = text.substr(0, 59) + "...";
        svg.text(12, y, text, {10.5, ink, "left"});
        const double width = full * static_cast<double>(line.sectors) / most,
                     ideal = full * static_cast<double>(line.ideal_sectors) / most;
        svg.rectangle(12, y + 8, std::max(width, 1.0), 12, {"#e69f00"});
        svg.rectangle(12, y + 8, std::max(ideal, 1.0), 12, {"#0072b2"});
        svg.text(18 + width, y + 14,
                 std::to_string(line.sectors) + ", " + times_ideal(line) + " x ideal",
                 {10, ink, "left"});
    }
}

// One square per warp that a multiprocessor has room for; the warps of a block share a colour.
void draw_warps(notebook::Svg& svg, const Occupancy& fits, double left) {
    svg.text(left, 16, "warps on one multiprocessor of an " + fits.gpu.name,
             {12, ink, "left", true});
    const std::vector<std::string> colors = notebook::series_colors();
    const unsigned slots = fits.gpu.threads / 32, per_block = fits.threads_per_block / 32;
    for (unsigned slot = 0; slot < slots; ++slot) {
        const bool used = slot < fits.blocks * per_block;
        const unsigned row = slot / 16;
        svg.rectangle(left + 15.0 * (slot % 16), 32 + 15.0 * row, 13, 13,
                      {used ? colors[slot / per_block % colors.size()] : "#f5f5f5", "#bbbbbb", 1});
    }
    const unsigned rows = (slots + 15) / 16;
    svg.text(left, 32 + 15.0 * rows + 12,
             compact(fits.percent()) + " %, limited by " +
                 (fits.blocks == 0 ? fits.limit + ": no block fits" : fits.limit),
             {11, ink, "left"});
}

}  // namespace

void LaunchReport::show(const std::string& gpu) const {
    const Occupancy fits = occupancy(*this, gpu);
    const std::vector<LineTraffic> lines = lines_with_sectors(*this);
    notebook::Bundle bundle;
    bundle.text = text();
    const std::string costliest = costliest_text(lines), occupied = occupancy_text(*this, fits);
    if (!costliest.empty()) bundle.text += "\n" + costliest;
    bundle.text += "\n" + occupied;
    const std::size_t bars = std::clamp<std::size_t>(lines.size(), 3, most_lines);
    notebook::Svg svg(760, 44 + 36 * static_cast<int>(bars));
    draw_lines(svg, lines);
    draw_warps(svg, fits, 480);
    bundle.svg = svg.file();
    const std::string drawn = bundle.svg.substr(bundle.svg.find("<svg"));
    const auto paragraph = [](const std::string& sentence) {
        return sentence.empty() ? "" : "<p>" + escaped(sentence) + "</p>\n";
    };
    std::string head = text();
    head = head.substr(0, head.find('\n'));
    bundle.html = "<p><strong>" + escaped(head) + "</strong></p>\n" +
                  (counted ? counters_table(*this).html() + "\n" : "") + paragraph(costliest) +
                  paragraph(occupied);
    for (const std::string& hint : hints) bundle.html += paragraph("hint: " + hint);
    bundle.html += drawn;
    notebook::publish(bundle);
}

}  // namespace lanes
