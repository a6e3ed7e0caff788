// Draws the accesses of a launch: boxes for the elements, chips with the numbers of the threads in
// them. Above in a box stand those who read it, below those who write it.
#include "access_grid.hpp"
#include "access_layout.hpp"
#include "access_text.hpp"
#include "notebook/display/color.hpp"
#include "notebook/display/svg.hpp"
#include "notebook/front_end.hpp"

#include "base/text.hpp"
#include "gpu/backend.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace lanes {

namespace notebook {

namespace {

constexpr const char* alarm = "#d00000";
constexpr const char* faint = "#666666";  // text that matters less
constexpr double half = box_height / 2, label_width = 104, row_gap = 14, step_gap = 26, margin = 12;
constexpr std::size_t most_steps = 8, most_boxes = 4096, most_chips = 3;

// A colour with `part` of itself, the rest white.
std::string mixed(const std::string& color, double part) {
    char text[16];
    const unsigned long rgb = std::strtoul(color.c_str() + 1, nullptr, 16);
    const auto channel = [&](int shift) {
        const double value = static_cast<double>(rgb >> shift & 255);
        return static_cast<unsigned>(255 - part * (255 - value));
    };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", channel(16), channel(8), channel(0));
    return text;
}

std::string color_of(std::size_t thread) {
    static const std::vector<std::string> colors = series_colors();
    return colors[thread % colors.size()];
}

// Of a number on a chip of this colour.
const char* number_color(const std::string& color) {
    const unsigned long rgb = std::strtoul(color.c_str() + 1, nullptr, 16);
    const double light = 0.299 * static_cast<double>(rgb >> 16 & 255) +
                         0.587 * static_cast<double>(rgb >> 8 & 255) +
                         0.114 * static_cast<double>(rgb & 255);
    return light > 100 ? "#000000" : "#ffffff";
}

class Picture {
public:
    Picture(const LaunchReport& report, const ArrayShapes& shapes)
        : report_(report), grid_(access_grid(report, shapes)) {
        steps_ = std::min(grid_.steps, most_steps);
        const std::size_t fits = steps_ <= 1 ? 24 : steps_ == 2 ? 12 : 8;
        std::size_t boxes = 0;
        for (const ArrayRow& row : grid_.rows) {
            rows_.push_back(layout_of(row, fits));
            for (const BoxLine& line : rows_.back().lines) boxes += line.gap ? 0 : line.count;
            step_width_ = std::max(step_width_, rows_.back().width);
        }
        LANES_REQUIRE(boxes * std::max<std::size_t>(steps_, 1) <= most_boxes,
                      "show_accesses: the picture would have ", boxes * steps_, " boxes, at most ",
                      most_boxes, " are drawn. Launch it on fewer elements.");
    }

    std::string svg() {
        double y = margin + 22;
        if (!report_.findings.empty()) y += 20;
        const double heads = y;
        y += grid_.steps > 1 ? 24 : 4;
        for (RowLayout& row : rows_) {
            row.y = y;
            y += row.height + row_gap;
        }
        const double bottom = y;
        const double width =
            margin + label_width +
            static_cast<double>(std::max<std::size_t>(steps_, 1)) * (step_width_ + step_gap);
        Svg svg(static_cast<int>(std::max(width, 640.0)), static_cast<int>(bottom + 58));
        draw_title(svg);
        for (std::size_t step = 0; step < steps_; ++step) draw_step_head(svg, step, heads, bottom);
        for (std::size_t i = 0; i < rows_.size(); ++i) draw_row(svg, grid_.rows[i], rows_[i]);
        draw_legend(svg, bottom + 8);
        return svg.file();
    }

    const AccessGrid& grid() const { return grid_; }

private:
    double step_x(std::size_t step) const {
        return margin + label_width + static_cast<double>(step) * (step_width_ + step_gap);
    }

    void draw_title(Svg& svg) const {
        svg.text(margin, margin + 6,
                 gpu::launch_text(report_.cuda_kernel, report_.config).substr(7) +
                     ": who reads and writes what",
                 {14, ink, "left", true});
        if (report_.findings.empty()) return;
        const std::string& message = report_.findings.front().message;
        std::string first = message.substr(0, message.find('\n'));
        if (first.size() > 110) first = first.substr(0, 107) + "...";
        svg.text(margin, margin + 27, first, {12, alarm, "left", true});
    }

    void draw_step_head(Svg& svg, std::size_t step, double y, double bottom) const {
        const double x = step_x(step);
        std::string head = "step " + std::to_string(step + 1);
        if (grid_.steps > most_steps && step + 1 == most_steps)
            head += " of " + std::to_string(grid_.steps) + ", the others are not drawn";
        if (grid_.steps > 1) svg.text(x, y + 6, head, {12, ink, "left", true});
        if (step == 0) return;
        const int line = grid_.barrier_lines[step - 1];
        const double at = x - step_gap / 2;
        svg.polyline({{at, y - 2}, {at, bottom - row_gap}}, false, {"none", axis_gray, 1.2, true});
        svg.text(at, bottom - row_gap + 9,
                 line > 0 ? "barrier, line " + std::to_string(line) : "barrier",
                 {9, faint, "center"});
    }

    void draw_row(Svg& svg, const ArrayRow& row, const RowLayout& layout) const {
        const double middle = layout.y + index_height + half;
        svg.text(margin, middle - 7, row.array.name, {13, ink, "left", true});
        svg.text(margin, middle + 8,
                 row.array.shared ? "shared, block " + std::to_string(row.block) : "global",
                 {10, faint, "left"});
        for (std::size_t step = 0; step < steps_; ++step) {
            const double x = step_x(step) + layout.left;
            double y = layout.y;
            // Only a small array is drawn where no thread accesses it.
            if (row.steps[step].empty() && layout.lines.size() > 2) continue;
            for (const BoxLine& line : layout.lines) {
                if (line.gap) {
                    svg.text(x + box_width, y + gap_height / 2, "...", {12, faint, "center"});
                    y += gap_height;
                    continue;
                }
                for (std::size_t i = 0; i < line.count; ++i)
                    draw_box(svg, row, step, line.first + static_cast<std::ptrdiff_t>(i),
                             x + static_cast<double>(i) * box_width, y);
                y += box_height + index_height;
            }
            draw_outside(svg, row, layout, step, x);
        }
    }

    void draw_outside(Svg& svg, const ArrayRow& row, const RowLayout& layout, std::size_t step,
                      double x) const {
        const auto& boxes = row.steps[step];
        for (std::size_t i = 0; i < layout.before.size(); ++i)
            if (boxes.count(layout.before[i]))
                draw_box(svg, row, step, layout.before[i],
                         x - layout.left + static_cast<double>(i) * box_width, layout.y);
        const double last = layout.y + layout.height - box_height - index_height;
        for (std::size_t i = 0; i < layout.after.size(); ++i)
            if (boxes.count(layout.after[i]))
                draw_box(
                    svg, row, step, layout.after[i],
                    x + (static_cast<double>(layout.lines.back().count + i) + 0.35) * box_width,
                    last);
    }

    void draw_box(Svg& svg, const ArrayRow& row, std::size_t step, std::ptrdiff_t element, double x,
                  double y) const {
        const auto found = row.steps[step].find(element);
        const bool outside = row.is_outside(element), used = found != row.steps[step].end();
        std::string index = std::to_string(element);
        if (row.columns && !outside)
            index = std::to_string(element / static_cast<std::ptrdiff_t>(row.columns)) + "," +
                    std::to_string(element % static_cast<std::ptrdiff_t>(row.columns));
        const bool wrong = outside || (used && found->second.races);
        svg.text(x + box_width / 2, y + index_height - 5, wrong ? index + " !" : index,
                 {8.5,
                  wrong  ? alarm
                  : used ? "#555555"
                         : "#767676",
                  "center", wrong});
        y += index_height;
        svg.rectangle(x + 0.5, y + 0.5, box_width - 1, box_height - 1,
                      {outside ? "#fff0f0"
                       : used  ? "#ffffff"
                               : "#f5f5f5",
                       used ? "#999999" : "#dddddd", 1, outside});
        if (!used) return;
        for (const bool reads : {true, false}) {
            std::vector<BoxAccess> half_box;
            for (const BoxAccess& access : found->second.accesses)
                if ((access.kind == AccessKind::read) == reads) half_box.push_back(access);
            draw_chips(svg, row, index, half_box, x + 2.5, y + (reads ? 2.5 : half + 0.5));
        }
        if (wrong)
            svg.rectangle(x + 1, y + 1, box_width - 2, box_height - 2,
                          {"none", alarm, 2.4, outside});
    }

    // The chips of all threads together, and hidden, for the button of each thread, its own.
    void draw_chips(Svg& svg, const ArrayRow& row, const std::string& index,
                    const std::vector<BoxAccess>& accesses, double x, double y) const {
        if (accesses.empty()) return;
        const double width = box_width - 5;
        const std::size_t count = accesses.size();
        svg.begin_group("all", false);
        if (count > most_chips) {
            std::string who;
            for (const BoxAccess& access : accesses)
                who += (who.empty() ? "" : ", ") + std::to_string(access.thread);
            const bool reads = accesses[0].kind == AccessKind::read;
            svg.begin_group("many", false, "threads " + who);
            svg.rectangle(x, y, width, half - 3,
                          {reads ? "#e8e8e8" : "#666666", reads ? "#888888" : "#666666", 1.2});
            svg.text(x + width / 2, y + (half - 3) / 2, "\u00d7" + std::to_string(count),
                     {10.5, reads ? ink : "#ffffff", "center", true});
            svg.end_group();
        } else {
            for (std::size_t i = 0; i < count; ++i)
                draw_chip(svg, row, index, accesses[i],
                          x + width * static_cast<double>(i) / static_cast<double>(count), y,
                          width / static_cast<double>(count));
        }
        svg.end_group();
        for (const BoxAccess& access : accesses) {
            svg.begin_group("t" + std::to_string(access.thread), true);
            draw_chip(svg, row, index, access, x, y, width);
            svg.end_group();
        }
    }

    void draw_chip(Svg& svg, const ArrayRow& row, const std::string& index, const BoxAccess& access,
                   double x, double y, double width) const {
        const std::string color = color_of(access.thread), number = std::to_string(access.thread);
        const bool reads = access.kind == AccessKind::read;
        svg.begin_group("chip", false,
                        "thread " + number + " " + verb(access.kind) + " " + row.title() + "[" +
                            index + "]" +
                            (access.line > 0 ? ", line " + std::to_string(access.line) : ""));
        const double inset = width > 12 ? 0.8 : 0.3;
        svg.rectangle(x + inset, y, width - 2 * inset, half - 3,
                      {reads ? mixed(color, 0.22) : color, color, 1.2});
        const std::string text = access.kind == AccessKind::atomic ? number + "+" : number;
        const double font = std::min(11.0, (width - 1) / (0.62 * static_cast<double>(text.size())));
        svg.text(x + width / 2, y + (half - 3) / 2, text,
                 {font, reads ? ink : number_color(color), "center", true});
        svg.end_group();
    }

    void draw_legend(Svg& svg, double y) const {
        const std::string color = color_of(0);
        double x = margin;
        const auto entry = [&](const Paint& paint, const std::string& inside, const char* tint,
                               const std::string& text) {
            svg.rectangle(x, y + 8, 24, 16, paint);
            svg.text(x + 12, y + 16, inside, {10, tint, "center", true});
            svg.text(x + 30, y + 16, text, {11, ink, "left"});
            x += 38 + estimated_width(text, 10.5);
        };
        entry({mixed(color, 0.22), color, 1.2}, "0", ink, "read by thread 0");
        entry({color, color, 1.2}, "0", "#ffffff", "written by it");
        bool atomics = false, many = false, races = false, outside = false;
        for (const ArrayRow& row : grid_.rows)
            for (const auto& step : row.steps)
                for (const auto& [element, box] : step) {
                    races = races || box.races;
                    outside = outside || row.is_outside(element);
                    std::size_t reads = 0;
                    for (const BoxAccess& access : box.accesses) {
                        atomics = atomics || access.kind == AccessKind::atomic;
                        reads += access.kind == AccessKind::read;
                    }
                    many = many || reads > most_chips || box.accesses.size() - reads > most_chips;
                }
        if (atomics) entry({color, color, 1.2}, "0+", "#ffffff", "atomic operation");
        if (many) entry({"#e8e8e8", "#888888", 1.2}, "\u00d78", ink, "by 8 threads");
        if (races) entry({"none", alarm, 2.4}, "!", alarm, "race");
        if (outside)
            entry({"#fff0f0", alarm, 2.4, true}, "", alarm, "outside: the launch stops there");
        if (report_.config.grid.count() > 1)
            svg.text(
                margin, y + 38,
                "Threads of all blocks are numbered one after another: thread 0 of block 1 is " +
                    std::to_string(report_.config.block.count()) + ".",
                {10, faint, "left"});
    }

    const LaunchReport& report_;
    AccessGrid grid_;
    std::vector<RowLayout> rows_;
    double step_width_ = box_width;
    std::size_t steps_ = 0;
};

// The same SVG below a row of buttons: radio buttons and a style sheet, no script, because front
// ends and converters remove scripts. The dark line around a button has a white one around it,
// which a dark theme shows. A picture that is too wide scrolls.
std::string with_buttons(const std::string& svg, const AccessGrid& grid) {
    static unsigned count = 0;
    const std::string id = "lanes-accesses-" + std::to_string(++count) + "-" +
                           std::to_string(std::hash<std::string>()(svg) % 1000000);
    std::string style =
        "#" + id + "{overflow-x:auto;padding:6px}#" + id +
        " input{position:absolute;opacity:0;pointer-events:none}#" + id +
        " label{display:inline-block;min-width:1.6em;padding:1px 4px;margin:1px;"
        "text-align:center;border:2px solid transparent;border-radius:4px;"
        "font:bold 12px sans-serif;cursor:pointer}#" +
        id + " input:checked+label{border-color:#222;box-shadow:0 0 0 1px #fff}#" + id +
        " input:focus-visible+label{outline:3px solid #222;box-shadow:0 0 0 5px #fff}#" + id +
        " svg{max-width:none}\n";
    std::string buttons;
    const auto button = [&](const std::string& value, const std::string& text,
                            const std::string& color, bool checked) {
        const std::string name = id + "-" + value;
        buttons += "<input type=\"radio\" name=\"" + id + "\" id=\"" + name + "\"" +
                   (checked ? " checked" : "") + "><label for=\"" + name + "\" style=\"" + color +
                   "\">" + text + "</label>\n";
    };
    button("all", "all", "background:#eee;color:#222", true);
    for (const std::size_t thread : grid.threads) {
        const std::string number = std::to_string(thread);
        const std::string name = std::string("#").append(id).append("-").append(number);
        button(number, number,
               "background:" + color_of(thread) + ";color:" + number_color(color_of(thread)),
               false);
        style.append(name).append(":checked~svg .all{opacity:.1}");
        style.append(name).append(":checked~svg .t").append(number).append("{display:inline}\n");
    }
    return "<style>" + style + "</style>\n<div id=\"" + id +
           "\">\n<span style=\"font:12px sans-serif\">thread </span>\n" + buttons + "<br>\n" +
           svg.substr(svg.find("<svg")) + "</div>";
}

}  // namespace

}  // namespace notebook

AccessPicture draw_accesses(const LaunchReport& report, const ArrayShapes& shapes) {
    notebook::Picture picture(report, shapes);
    AccessPicture drawn;
    drawn.text = notebook::access_text(report, picture.grid());
    drawn.svg = picture.svg();
    drawn.html = notebook::with_buttons(drawn.svg, picture.grid());
    return drawn;
}

void show_accesses(const LaunchReport& report, const ArrayShapes& shapes) {
    const AccessPicture drawn = draw_accesses(report, shapes);
    notebook::Bundle bundle;
    bundle.text = drawn.text;
    bundle.svg = drawn.svg;
    // Stored outputs keep the picture alone: with its buttons it is three times as large.
    if (!is_unattended()) bundle.html = drawn.html;
    notebook::publish(bundle);
}

}  // namespace lanes
