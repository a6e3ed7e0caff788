// The picture of a puzzle's task: the arrays of its first launch with their values, and arrows from
// the elements that one element of the result depends on. What it depends on is found by changing
// each element of the input and calling the reference again.
#include "spec.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lanes::notebook {

namespace {

constexpr double box = 36, index_height = 12, label_width = 92, margin = 14, row_gap = 40,
                 column_gap = 70;

struct Array {
    std::string title;
    std::size_t argument = 0;
    std::vector<double> numbers;
    std::size_t columns = 0;
    bool is_matrix = false, is_result = false;
    std::vector<bool> marked;
    double x = 0, y = 0;

    std::size_t rows() const { return (numbers.size() + columns - 1) / columns; }
    double width() const { return box * static_cast<double>(columns); }
    double height() const { return (box + index_height) * static_cast<double>(rows()); }
    // The centre of a box.
    std::pair<double, double> place(std::size_t i) const {
        const std::size_t row = i / columns;
        return {x + box * (static_cast<double>(i % columns) + 0.5),
                y + (box + index_height) * static_cast<double>(row) + index_height + box / 2};
    }
};

Array array_of(const PuzzleArgument& argument, const std::string& title, std::size_t index) {
    Array array;
    array.title = title, array.argument = index;
    array.numbers = numbers_of(argument);
    array.columns = argument.columns, array.is_matrix = argument.columns > 0;
    if (!array.is_matrix) array.columns = std::max<std::size_t>(array.numbers.size(), 1);
    array.marked.resize(array.numbers.size());
    return array;
}

// A counter or a sum that starts at 0 is not drawn as an input.
bool all_equal(const std::vector<double>& numbers) {
    return std::equal(numbers.begin() + 1, numbers.end(), numbers.begin());
}

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, std::fabs(value) < 1 ? "%.2g" : "%.4g", value);
    return text;
}

// Adds `step` to an element; a byte stays among the values of the array.
void change(PuzzleArgument& argument, std::size_t i, int step) {
    std::visit(
        [&](auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::vector<unsigned char>>)
                value[i] = static_cast<unsigned char>(
                    (value[i] + step) % (*std::max_element(value.begin(), value.end()) + 1));
            else if constexpr (!std::is_arithmetic_v<Value>)
                value[i] += static_cast<typename Value::value_type>(100 * step);
        },
        argument.value);
}

class Task {
public:
    explicit Task(const PuzzleSpec& spec) : spec_(spec), puzzle_(2) {
        spec.launches()(puzzle_);
        const PuzzleLaunch& launch = puzzle_.launches().front();
        const auto after = spec.expected(launch);
        for (std::size_t i = 0; i < after.size(); ++i) {
            const PuzzleArgument& before = launch.arguments()[i];
            if (!is_array(before)) continue;
            const bool starts_equal = before.is_result && all_equal(numbers_of(before));
            const bool both = before.given && before.is_result && !starts_equal;
            const std::string& name = spec.parameters().at(i);
            if (before.given && !starts_equal)
                arrays_.push_back(array_of(before, both ? name + " before" : name, i));
            if (before.is_result) {
                result_ = array_of(after[i], both ? name + " after" : name, i);
                result_.is_result = true;
            }
        }
        element_ = std::min(spec.arrows_to(), result_.numbers.size() / 2);
        if (spec.arrows_to() < result_.numbers.size()) element_ = spec.arrows_to();
        result_.marked[element_] = true;
        for (Array& array : arrays_)
            for (std::size_t i = 0; i < array.numbers.size(); ++i)
                array.marked[i] = depends_on(launch, array.argument, i);
        arrays_.push_back(result_);
    }

    void show() {
        const bool side_by_side =
            std::any_of(arrays_.begin(), arrays_.end(), [](const Array& a) { return a.is_matrix; });
        double width = 0, height = 0;
        if (side_by_side) {
            double x = margin;
            for (Array& array : arrays_) {
                array.x = x, array.y = margin + 22;
                x += array.width() + column_gap;
                height = std::max(height, array.y + array.height());
            }
            width = x - column_gap + margin;
        } else {
            double y = margin;
            for (Array& array : arrays_) {
                array.x = margin + label_width, array.y = y;
                y += array.height() + row_gap;
                width = std::max(width, array.x + array.width() + margin);
            }
            height = y - row_gap;
            Array& result = arrays_.back();  // a short one stands below the middle
            result.x += std::floor((width - margin - result.x - result.width()) / 2 / box) * box;
        }
        const PuzzleLaunch& launch = puzzle_.launches().front();
        const std::string words = launch_words(spec_, launch);
        Drawing drawing(static_cast<int>(std::max(width, 420.0)), static_cast<int>(height + 62));
        for (const Array& array : arrays_) draw(drawing, array, side_by_side);
        draw_arrows(drawing, side_by_side);
        if (!side_by_side) draw_blocks(drawing, launch.config());
        Style left;
        left.align = "left", left.font_size = 13;
        drawing.text(margin, height + 44, words, left);
        drawing.show(description(words));
    }

private:
    bool depends_on(const PuzzleLaunch& launch, std::size_t argument, std::size_t i) const {
        for (const int step : {1, 2}) {
            auto arguments = launch.arguments();
            change(arguments[argument], i, step);
            spec_.apply(launch.config(), arguments);
            const double now = numbers_of(arguments[result_.argument])[element_];
            if (now == result_.numbers[element_]) return false;
        }
        return true;
    }

    static void draw(Drawing& drawing, const Array& array, bool side_by_side) {
        Style title;
        title.align = "left", title.bold = true, title.font_size = 13;
        if (side_by_side)
            drawing.text(array.x, array.y - 8, array.title, title);
        else
            drawing.text(margin, array.y + index_height + box / 2, array.title, title);
        Style small{"none", "gray"};
        small.font_size = 9;
        for (std::size_t i = 0; i < array.numbers.size(); ++i) {
            const auto [x, y] = array.place(i);
            const bool marked = array.marked[i];
            const Style paint{marked ? (array.is_result ? "#fde3c0" : "#cfe5f3") : "#ffffff",
                              marked ? "black" : "gray", marked ? 2.2 : 1};
            drawing.rectangle(x - box / 2 + 1, y - box / 2, box - 2, box - 2, paint);
            const std::string text = number_text(array.numbers[i]);
            Style number;
            number.font_size = text.size() > 4 ? 10 : 13;
            number.bold = marked;
            drawing.text(x, y - 1, text, number);
            const std::string index = array.is_matrix ? std::to_string(i / array.columns) + "," +
                                                            std::to_string(i % array.columns)
                                                      : std::to_string(i);
            drawing.text(x, y - box / 2 - 5, index, small);
        }
    }

    void draw_arrows(Drawing& drawing, bool side_by_side) const {
        const auto [x, y] = arrays_.back().place(element_);
        for (const Array& array : arrays_) {
            if (array.is_result) continue;
            for (std::size_t i = 0; i < array.numbers.size(); ++i) {
                if (!array.marked[i]) continue;
                const auto [from_x, from_y] = array.place(i);
                const Style style{"none", "blue", 1.4};
                if (side_by_side)
                    drawing.arrow(from_x + box / 2 - 6, from_y + 9, x - box / 2, y + 6, style);
                else
                    drawing.arrow(from_x, from_y + box / 2 - 1, x, y - box / 2 - 10, style);
            }
        }
    }

    // Dashed lines where the threads of another block begin, if each thread has an element.
    void draw_blocks(Drawing& drawing, const LaunchConfig& config) const {
        const Array& result = arrays_.back();
        const std::size_t block = config.block.x, count = result.numbers.size();
        if (config.grid.x < 2 || count <= block || count > block * config.grid.x) return;
        Style border{"none", "gray", 1.4};
        border.dashed = true;
        Style small{"none", "gray"};
        small.font_size = 10;
        for (std::size_t first = 0; first < count; first += block) {
            const double x = result.x + box * static_cast<double>(first);
            const auto end = static_cast<double>(std::min(count, first + block));
            if (first > 0)
                drawing.line(x, result.y - 4, x, result.y + result.height() + 14, border);
            drawing.text((x + result.x + box * end) / 2, result.y + result.height() + 9,
                         "block " + std::to_string(first / block), small);
        }
    }

    std::string description(const std::string& words) const {
        std::string text =
            words + ". " + result_.title + "[" + std::to_string(element_) + "] depends on";
        bool any = false;
        for (const Array& array : arrays_) {
            if (array.is_result) continue;
            std::string which;
            for (std::size_t i = 0; i < array.numbers.size(); ++i)
                if (array.marked[i]) which += (which.empty() ? "" : ", ") + std::to_string(i);
            if (!which.empty())
                text += std::string(any ? " and" : "") + " " + array.title + "[" + which + "]",
                    any = true;
        }
        return text + (any ? "" : " nothing");
    }

    const PuzzleSpec& spec_;
    PuzzleLaunches puzzle_;
    std::vector<Array> arrays_;  // the result is the last one
    Array result_;
    std::size_t element_ = 0;
};

}  // namespace

void show_task(const PuzzleSpec& spec) { Task(spec).show(); }

}  // namespace lanes::notebook
