#include "text_table.hpp"
#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanes::tensor {

std::string text_table(const Rows& rows, std::size_t left) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - row[i].size(), ' ');
            line += (i ? "  " : "") + (i < left ? row[i] + space : space + row[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string html_table(const Rows& rows, bool titles) {
    std::string html = "<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string tag = titles && i == 0 ? "th" : "td";
        html += "<tr>";
        for (const std::string& cell : rows[i]) {
            html.append("<").append(tag).append(">").append(escaped(cell));
            html.append("</").append(tag).append(">");
        }
        html += "</tr>\n";
    }
    return html + "</table>";
}

MimeBundle mime_bundle(const std::string& text, const std::string& html) {
    const nlohmann::json json{{"text/plain", text}, {"text/html", html}};
    return {json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

}  // namespace lanes::tensor
