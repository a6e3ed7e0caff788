// Arrays of any number of dimensions, as text in the form of xtensor's operator<< and as an HTML
// table.
#include "show_numbers.hpp"
#include "xcpp/detail/write.hpp"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <ostream>
#include <vector>

namespace xcpp::detail {

namespace {

// xtensor keeps them in a static variable of a function; a library of instantiations holds the one
// that cells set.
PrintOptions print_options() {
    const void* theirs = dlsym(RTLD_DEFAULT, "_ZZN2xt13print_options13print_optionsEvE2po");
    return theirs ? *static_cast<const PrintOptions*>(theirs) : PrintOptions();
}

std::size_t size_of(const Array& array) {
    std::size_t size = 1;
    for (std::size_t i = 0; i < array.dimension; ++i) size *= array.shape[i];
    return size;
}

// The texts of the elements that are shown, in row-major order, all of one width.
struct Cells {
    std::size_t edge;  // 0: everything is shown, else so many at each end of a dimension
    std::size_t width;
    std::vector<std::string> texts;
};

// Calls visit(i) for each index of one dimension that is shown, and gap() where some are left out.
template <class Visit, class Gap>
void for_each_shown(std::size_t extent, std::size_t edge, const Visit& visit, const Gap& gap) {
    for (std::size_t i = 0; i < extent; ++i) {
        if (edge && extent > 2 * edge && i == edge) {
            gap();
            i = extent - edge;
        }
        visit(i);
    }
}

void collect(const Array& array, std::size_t level, std::size_t edge,
             std::vector<std::size_t>& index, std::vector<ShownElement>& out) {
    if (level == array.dimension) {
        ShownElement shown;
        Text text;
        shown.value.text = &text;
        array.element(array.object, index.data(), index.size(), shown.value);
        shown.text = text.str();
        out.push_back(std::move(shown));
        return;
    }
    for_each_shown(
        array.shape[level], edge,
        [&](std::size_t i) {
            index[level] = i;
            collect(array, level + 1, edge, index, out);
        },
        [] {});
}

Cells cells_of(const Array& array, const PrintOptions& options) {
    Cells cells{size_of(array) > static_cast<std::size_t>(options.threshold)
                    ? static_cast<std::size_t>(options.edge_items)
                    : 0,
                0,
                {}};
    std::vector<std::size_t> index(array.dimension);
    std::vector<ShownElement> elements;
    collect(array, 0, cells.edge, index, elements);
    cells.texts =
        column_of(elements, array.kind, options.precision < 0 ? 6 : options.precision, cells.width);
    return cells;
}

void append_text(std::string& out, const Array& array, const Cells& cells, std::size_t line_width,
                 std::size_t level, std::size_t& next) {
    if (level == array.dimension) {
        out += cells.texts[next++];
        return;
    }
    const bool innermost = level + 1 == array.dimension;
    const std::string indent(level + 1, ' ');
    const std::size_t per_line = line_width / (cells.width + 2);
    std::size_t on_line = 0;
    bool first = true;
    out += '{';
    for_each_shown(
        array.shape[level], cells.edge,
        [&](std::size_t) {
            if (!first) out += innermost ? ", " : ",\n" + indent;
            if (innermost && per_line && on_line >= per_line) {
                out += "\n" + indent;
                on_line = 0;
            }
            append_text(out, array, cells, line_width, level + 1, next);
            ++on_line;
            first = false;
        },
        [&] {
            // xtensor writes "a, ..., b" and, between rows, "},\n ..., \n {"
            out += innermost ? ", ...," : ",\n" + indent + "..., \n" + indent;
            if (innermost) out += ' ';
            first = true;
            if (!innermost) on_line = 0;
        });
    out += '}';
}

void append_html_text(std::string& out, const std::string& text) {
    for (char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
}

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? ""
                                      : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

void append_row(std::string& out, std::size_t columns, const Cells& cells, std::size_t& next) {
    out += "<tr>";
    for_each_shown(
        columns, cells.edge,
        [&](std::size_t) {
            out += "<td>";
            append_html_text(out, trimmed(cells.texts[next++]));
            out += "</td>";
        },
        [&] { out += "<td>⋯</td>"; });
    out += "</tr>";
}

// Two dimensions are one table; what lies above them is a list of tables.
void append_table(std::string& out, const Array& array, const Cells& cells, std::size_t level,
                  const std::string& place, std::size_t& next) {
    if (array.dimension - level > 2) {
        for_each_shown(
            array.shape[level], cells.edge,
            [&](std::size_t i) {
                append_table(out, array, cells, level + 1, place + std::to_string(i) + ", ", next);
            },
            [&] { out += "<p>⋮</p>"; });
        return;
    }
    out += "<table style='font-family:monospace;text-align:right'>";
    if (!place.empty()) out += "<caption>[" + place + ":, :]</caption>";
    out += "<tbody>";
    if (array.dimension - level == 1)
        append_row(out, array.shape[level], cells, next);
    else
        for_each_shown(
            array.shape[level], cells.edge,
            [&](std::size_t) { append_row(out, array.shape[level + 1], cells, next); },
            [&] { out += "<tr><td>⋮</td></tr>"; });
    out += "</tbody></table>";
}

struct ArrayTexts {
    std::string plain, html;  // html: empty for a single number
};

ArrayTexts array_texts(const Array& array, const PrintOptions& options) {
    if (size_of(array) == 0) return {"{}", ""};
    const Cells cells = cells_of(array, options);
    ArrayTexts texts;
    std::size_t next = 0;
    append_text(texts.plain, array, cells, static_cast<std::size_t>(options.line_width), 0, next);
    next = 0;
    if (array.dimension > 0) append_table(texts.html, array, cells, 0, "", next);
    return texts;
}

}  // namespace

void write_array(Text& out, const Array& array) {
    const std::string plain = array_texts(array, print_options()).plain;
    out.add(plain.data(), plain.size());
}

void print_array(std::ostream& out, const Array& array, const PrintOptions& options) {
    const std::string plain = array_texts(array, options).plain;
    out.write(plain.data(), static_cast<std::streamsize>(plain.size()));
}

void show_array(const Where& where, const Array& array) {
    const ArrayTexts texts = array_texts(array, print_options());
    Text plain;
    plain.add(texts.plain.data(), texts.plain.size());
    if (texts.html.empty())
        publish_text(where, plain);
    else
        publish_bundle(where,
                       nlohmann::json{{"text/html", texts.html}}.dump(
                           -1, ' ', false, nlohmann::json::error_handler_t::replace),
                       plain);
}

}  // namespace xcpp::detail
