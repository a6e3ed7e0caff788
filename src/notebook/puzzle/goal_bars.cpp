// The counters of a puzzle as bars, with a mark at the goal.
#include "spec.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/drawing.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

std::string number(double value) {
    return to_text(static_cast<float>(std::round(value * 100) / 100));
}

}  // namespace

void show_goals(const PuzzleSpec& spec, const PuzzleRun& run) {
    constexpr double left = 12, length = 300, height = 46;
    const double count = static_cast<double>(spec.goals().size());
    Drawing drawing(620, static_cast<int>(12 + height * count));
    Style words;
    words.align = "left", words.font_size = 13;
    std::string text;
    double y = 6;
    for (const PuzzleGoal& goal : spec.goals()) {
        const double value = goal.of(run);
        const bool reached = value <= goal.goal + 1e-9;
        const double most = std::max({value, goal.goal, goal.without, 1e-9});
        const std::string line = goal.what + ": " + number(value) + ", goal " + number(goal.goal) +
                                 (reached ? " (reached)" : " (missed)") + ". " + goal.otherwise +
                                 ": " + number(goal.without) + ".";
        drawing.text(left, y + 10, line, words);
        const Style fill{reached ? "#cfe5f3" : "#fde3c0", reached ? "blue" : "orange"};
        drawing.rectangle(left, y + 22, std::max(2.0, length * value / most), 14, fill);
        Style mark;
        mark.width = 2.5;
        const double at = left + length * goal.goal / most;
        drawing.line(at, y + 18, at, y + 40, mark);
        Style label = words;
        label.font_size = 11;
        drawing.text(at + 5, y + 29, "goal", label);
        text += (text.empty() ? "" : "\n") + line;
        y += height;
    }
    drawing.show(text);
}

}  // namespace lanes::notebook
