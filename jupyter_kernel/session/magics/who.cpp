#include "who.hpp"

#include "session/base/cell_names.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

// At most `most` characters (not bytes), on one line.
std::string shortened(std::string text, std::size_t most) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
        if (++characters > most) return text.substr(0, i) + "…";
    }
    return text;
}

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

}  // namespace

std::string who_table(const std::vector<WhoRow>& rows) {
    std::vector<std::vector<std::string>> lines = {{"name", "type", "cell", "value"}};
    for (const WhoRow& row : rows)
        lines.push_back({row.name, shortened(row.type, 40), cell_file_name(row.cell),
                         shortened(row.value, 60)});
    std::vector<std::size_t> widths(4, 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], width_of(line[i]));
    std::string table;
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i)
            text += line[i] + std::string(widths[i] - width_of(line[i]) + 2, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        table += text + "\n";
    }
    return table;
}

nlohmann::json who_data(const std::vector<WhoRow>& rows) {
    nlohmann::json data = nlohmann::json::array();
    for (const WhoRow& row : rows) {
        nlohmann::json one = {{"name", row.name}, {"type", row.type}, {"cell", row.cell}};
        if (row.size > 0) {
            one["value"] = row.value;
            one["size"] = row.size;
        }
        if (row.elements >= 0) one["elements"] = row.elements;
        data.push_back(std::move(one));
    }
    return data;
}

}  // namespace xcpp_session
