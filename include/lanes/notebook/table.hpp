// A table of results below a cell, as HTML with text beside it.
//
//   lanes::Table table({"method", "time", "speed-up"});
//   table.row("plain", lanes::with_unit(1.2, "ms"), 1);
//   table.row("fast", lanes::with_unit(0.1, "ms"), 12);
//   table.note("measured on 2 cores");
//   table.show();
//
// A table can have a counterpart that was recorded on a machine with a GPU:
//
//   table.recorded("02_elementwise_max/versions").show();  // below it, what an NVIDIA H200 gave
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

// A number with up to four significant digits ("1.235", "0.00123", "12.5"); whole numbers in full
// up to 9 digits, larger ones as "1.235e+12".
std::string compact(double value);
// "1.2 ms": three significant digits. Write measured values like this: when outputs are compared,
// numbers with a unit are ignored.
std::string with_unit(double value, const std::string& unit);

class Table {
public:
    class Cell {
    public:
        Cell(const char* text) : text_(text) {}
        Cell(std::string text) : text_(std::move(text)) {}
        template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
        Cell(T value) : text_(describe(value)) {}
        const std::string& text() const { return text_; }

    private:
        template <class T>
        static std::string describe(T value) {
            if constexpr (std::is_same_v<T, bool>) return value ? "yes" : "no";
            if constexpr (std::is_same_v<T, char>) return std::string(1, value);
            if constexpr (std::is_integral_v<T>) return std::to_string(value);
            return compact(static_cast<double>(value));
        }

        std::string text_;
    };

    explicit Table(std::vector<std::string> columns, std::string title = "");

    // As many cells as there are columns.
    Table& row(std::initializer_list<Cell> cells) {
        return add(std::vector<Cell>(cells.begin(), cells.end()));
    }
    Table& row(const std::vector<std::string>& cells) {
        return add(std::vector<Cell>(cells.begin(), cells.end()));
    }
    template <class... Cells>
    Table& row(const Cells&... cells) {
        return add(std::vector<Cell>{Cell(cells)...});
    }

    Table& note(const std::string& text);  // a line below the table
    // NAME of a lesson / NAME of the table: show() also shows the table of that name in
    // data/recorded/, with machine, driver and date. If LANES_RECORD names a folder, show() writes
    // this table into its file LESSON.json instead (tools/record).
    Table& recorded(const std::string& name);
    void show() const;

    std::size_t rows() const { return rows_.size(); }
    const std::vector<std::string>& columns() const { return columns_; }
    const std::string& cell(std::size_t row, std::size_t column) const;
    double number(std::size_t row, std::size_t column) const;  // the one that the cell starts with

    std::string text() const;  // as plain text: what a terminal gets
    std::string html() const;

private:
    Table& add(const std::vector<Cell>& cells);

    std::string title_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::string> notes_;
    std::string recorded_;
};

// A table that was recorded; notes name machine, driver and date. Throws Error if there is none.
Table recorded_table(const std::string& name);
bool has_recording(const std::string& name);

}  // namespace lanes
