// Arrays of any number of dimensions: as xtensor prints them, and as an HTML table.
#include "xcpp/detail/write.hpp"

#include <nlohmann/json.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xio.hpp>

#include <complex>
#include <ostream>
#include <sstream>
#include <vector>

namespace xcpp::detail {

namespace {

using Index = std::vector<std::size_t>;

template <class V>
V element_at(const Array& array, const Index& index) {
    Text text;
    Element element;
    element.text = &text;
    array.element(array.object, index.data(), index.size(), element);
    if constexpr (std::is_same_v<V, std::string>)
        return text.str();
    else if constexpr (std::is_same_v<V, std::complex<double>>)
        return {element.real, element.imaginary};
    else if constexpr (std::is_same_v<V, double>)
        return element.real;
    else if constexpr (std::is_same_v<V, unsigned long long>)
        return element.unsigned_integer;
    else
        return static_cast<V>(element.integer);
}

// Calls use(V()) with the type V as which elements of this kind are printed.
template <class Use>
void with_element_type(ElementKind kind, const Use& use) {
    switch (kind) {
        case ElementKind::boolean:
            return use(bool());
        case ElementKind::integer:
            return use(0LL);
        case ElementKind::unsigned_integer:
            return use(0ULL);
        case ElementKind::real:
            return use(0.0);
        case ElementKind::complex:
            return use(std::complex<double>());
        case ElementKind::other:
            return use(std::string());
    }
}

// Calls visit(i) for each index of one dimension that is shown, and gap() where some are left out.
// edge: so many are shown at each end; 0: all.
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

// The texts of the elements that are shown, as xtensor prints them, and what is made of them. Its
// operator<< does not end for edge_items of 1; the walk over the array is therefore written here.
class ShownArray {
public:
    ShownArray(const Array& array, std::ostream& stream) : array_(array) {
        const auto options = xt::get_print_options(stream);
        std::size_t size = 1;
        for (std::size_t i = 0; i < array.dimension; ++i) size *= array.shape[i];
        if (size > static_cast<std::size_t>(options.threshold))
            edge_ = static_cast<std::size_t>(options.edge_items);
        // NOLINTNEXTLINE(performance-unnecessary-value-param): only its type is used
        with_element_type(array.kind, [&](auto zero) {
            std::ostringstream text;
            text.precision(options.precision < 0 ? stream.precision() : options.precision);
            xt::detail::printer<xt::xarray<decltype(zero)>> printer(text.precision());
            Index index(array.dimension);
            const std::size_t count = update(printer, index, 0);
            printer.init();
            per_line_ = static_cast<std::size_t>(options.line_width) /
                        (static_cast<std::size_t>(printer.width()) + 2);
            for (std::size_t i = 0; i < count; ++i) {
                text.str("");
                printer.print_next(text);
                texts_.push_back(text.str());
            }
        });
    }

    std::string plain() {
        if (texts_.empty()) return "{}";
        return write([this] { add_plain(0); });
    }

    // Empty for a single number.
    std::string html() {
        if (texts_.empty() || array_.dimension == 0) return "";
        return write([this] { add_tables(0, ""); });
    }

private:
    template <class Printer>
    std::size_t update(Printer& printer, Index& index, std::size_t level) {
        if (level == array_.dimension) {
            printer.update(element_at<typename Printer::value_type>(array_, index));
            return 1;
        }
        std::size_t count = 0;
        for_each_shown(
            array_.shape[level], edge_,
            [&](std::size_t i) {
                index[level] = i;
                count += update(printer, index, level + 1);
            },
            [] {});
        return count;
    }

    template <class Add>
    std::string write(const Add& add) {
        next_ = 0;
        out_.clear();
        add();
        return out_;
    }

    void add_plain(std::size_t level) {
        if (level == array_.dimension) {
            out_ += texts_[next_++];
            return;
        }
        const bool innermost = level + 1 == array_.dimension;
        const std::string new_line = "\n" + std::string(level + 1, ' ');
        const std::string between = innermost ? ", " : "," + new_line;
        std::size_t on_line = 0;
        bool first = true;
        out_ += '{';
        for_each_shown(
            array_.shape[level], edge_,
            [&](std::size_t) {
                if (!first) out_ += between;
                if (innermost && per_line_ && on_line >= per_line_) {
                    out_ += new_line;
                    on_line = 0;
                }
                add_plain(level + 1);
                ++on_line;
                first = false;
            },
            [&] {
                out_ += between + "..., " + (innermost ? "" : new_line);
                first = true;
            });
        out_ += '}';
    }

    void add_row(std::size_t columns) {
        out_ += "<tr>";
        for_each_shown(
            columns, edge_,
            [&](std::size_t) {
                const std::string& text = texts_[next_++];
                const std::size_t end = text.find_last_not_of(' ') + 1;
                out_ += "<td>";
                for (std::size_t i = text.find_first_not_of(' '); i < end; ++i) {
                    const char c = text[i];
                    out_ += c == '&'   ? "&amp;"
                            : c == '<' ? "&lt;"
                            : c == '>' ? "&gt;"
                                       : std::string(1, c);
                }
                out_ += "</td>";
            },
            [&] { out_ += "<td>⋯</td>"; });
        out_ += "</tr>";
    }

    // Two dimensions are one table; what lies above them is a list of tables.
    void add_tables(std::size_t level, const std::string& place) {
        const std::size_t* const shape = array_.shape + level;
        const std::size_t dimensions = array_.dimension - level;
        if (dimensions > 2) {
            for_each_shown(
                *shape, edge_,
                [&](std::size_t i) { add_tables(level + 1, place + std::to_string(i) + ", "); },
                [&] { out_ += "<p>⋮</p>"; });
            return;
        }
        out_ += "<table style='font-family:monospace;text-align:right'>";
        if (!place.empty()) out_ += "<caption>[" + place + ":, :]</caption>";
        out_ += "<tbody>";
        if (dimensions == 1)
            add_row(*shape);
        else
            for_each_shown(
                *shape, edge_, [&](std::size_t) { add_row(shape[1]); },
                [&] { out_ += "<tr><td>⋮</td></tr>"; });
        out_ += "</tbody></table>";
    }

    const Array& array_;
    std::size_t edge_ = 0;      // so many are shown at each end of a dimension; 0: all
    std::size_t per_line_ = 0;  // elements
    std::vector<std::string> texts_;
    std::string out_;
    std::size_t next_ = 0;  // of texts_
};

}  // namespace

void print_array(std::ostream& out, const Array& array) { out << ShownArray(array, out).plain(); }

void show_array(const Where& where, const Array& array) {
    Text plain;
    ShownArray shown(array, plain.stream());
    plain.stream() << shown.plain();
    const nlohmann::json table = {{"text/html", shown.html()}};
    if (table["text/html"] == "")
        publish_text(where, plain);
    else
        publish_bundle(where, table.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                       plain);
}

}  // namespace xcpp::detail
