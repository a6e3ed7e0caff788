#include "lanes/notebook/table.hpp"

#include "notebook/display/recording.hpp"
#include "notebook/front_end.hpp"
#include "notebook/text.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lanes {

namespace {

// Columns of numbers are at least this wide in the text: then its lines do not shift when a
// measured value has a digit more.
constexpr std::size_t number_width = 10;

// A number, or what a table says in place of one.
bool is_number(const std::string& text) {
    for (const char* missing : {"-", "no GPU here", "not measured", "not filled in"})
        if (text == missing) return true;
    const std::size_t digit = text.find_first_of("0123456789");
    return text.empty() || digit == 0 ||
           (digit == 1 && std::string("-+.<>~").find(text[0]) != std::string::npos);
}

std::string digits(double value, int count) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    const double size = std::fabs(value);
    char buffer[64];
    if (value == std::floor(value) && size < 1e9) {
        std::snprintf(buffer, sizeof buffer, "%.0f", value);
        return buffer[0] == '-' && value == 0 ? "0" : buffer;
    }
    if (size >= std::pow(10.0, count) && size < 1e9) {  // all digits before the point count
        std::snprintf(buffer, sizeof buffer, "%.0f", value);
    } else {
        std::snprintf(buffer, sizeof buffer, "%.*g", count, value);
    }
    return buffer;
}

}  // namespace

std::string compact(double value) { return digits(value, 4); }
std::string with_unit(double value, const std::string& unit) {
    return digits(value, 3) + " " + unit;
}

Table::Table(std::vector<std::string> columns, std::string title)
    : title_(std::move(title)), columns_(std::move(columns)) {
    LANES_REQUIRE(!columns_.empty(), "Table: it has no columns. Give their titles.");
}

Table& Table::add(const std::vector<Cell>& cells) {
    LANES_REQUIRE(cells.size() == columns_.size(), "Table::row: ", cells.size(),
                  " cells, but the table has ", columns_.size(), " columns. Give one for each.");
    std::vector<std::string> texts;
    texts.reserve(cells.size());
    for (const Cell& cell : cells) texts.push_back(cell.text());
    rows_.push_back(std::move(texts));
    return *this;
}

Table& Table::note(const std::string& text) {
    notes_.push_back(text);
    return *this;
}

Table& Table::recorded(const std::string& name) {
    notebook::require_recording_name("Table::recorded", name);
    recorded_ = name;
    return *this;
}

void Table::show() const {
    notebook::Bundle bundle;
    bundle.text = text();
    if (notebook::is_rich()) bundle.html = html();
    notebook::publish(bundle);
    if (recorded_.empty()) return;
    if (const char* folder = std::getenv("LANES_RECORD"))
        notebook::record(folder, recorded_, columns_, rows_);
    else if (has_recording(recorded_))
        recorded_table(recorded_).show();
    else
        notebook::publish({"There is no recorded run of " + recorded_ + " yet.", ""});
}

const std::string& Table::cell(std::size_t row, std::size_t column) const {
    LANES_REQUIRE(row < rows_.size() && column < columns_.size(), "Table::cell(", row, ", ", column,
                  "): the table has ", rows_.size(), " rows and ", columns_.size(),
                  " columns, both counted from 0.");
    return rows_[row][column];
}

double Table::number(std::size_t row, std::size_t column) const {
    const std::string& text = cell(row, column);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    LANES_REQUIRE(end != text.c_str(), "Table::number(", row, ", ", column, "): the cell is '",
                  text, "', which does not start with a number.");
    return value;
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    std::vector<bool> numbers;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const bool all = std::all_of(rows_.begin(), rows_.end(),
                                     [&](const auto& row) { return is_number(row[column]); }) &&
                         !rows_.empty();
        std::size_t width = notebook::length(columns_[column]);
        if (all && column > 0) width = std::max(width, number_width);
        for (const auto& row : rows_) width = std::max(width, notebook::length(row[column]));
        widths.push_back(width), numbers.push_back(all);
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string out;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const std::string pad(widths[column] - notebook::length(cells[column]), ' ');
            out += (column ? "  " : "") +
                   (numbers[column] ? pad + cells[column] : cells[column] + pad);
        }
        return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
    };
    std::string out = title_.empty() ? "" : title_ + "\n";
    out += line(columns_);
    std::size_t width = 2 * (columns_.size() - 1);
    for (const std::size_t one : widths) width += one;
    out += std::string(width, '-') + "\n";
    for (const auto& row : rows_) out += line(row);
    for (const std::string& note : notes_) out += note + "\n";
    out.pop_back();
    return out;
}

std::string Table::html() const {
    const auto cell = [&](const char* tag, std::size_t column, const std::string& text) {
        const bool right =
            !rows_.empty() && std::all_of(rows_.begin(), rows_.end(),
                                          [&](const auto& row) { return is_number(row[column]); });
        return std::string("<") + tag + " style=\"text-align: " + (right ? "right" : "left") +
               "\">" + escaped(text) + "</" + tag + ">";
    };
    const auto line = [&](const char* tag, const std::vector<std::string>& cells) {
        std::string out = "<tr>";
        for (std::size_t column = 0; column < cells.size(); ++column)
            out += cell(tag, column, cells[column]);
        return out + "</tr>\n";
    };
    std::string out = title_.empty() ? "" : "<p><strong>" + escaped(title_) + "</strong></p>\n";
    out += "<table>\n<thead>" + line("th", columns_) + "</thead>\n<tbody>\n";
    for (const auto& row : rows_) out += line("td", row);
    out += "</tbody>\n</table>";
    for (const std::string& note : notes_) out += "\n<p><small>" + escaped(note) + "</small></p>";
    return out;
}

}  // namespace lanes
