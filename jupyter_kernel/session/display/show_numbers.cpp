#include "show_numbers.hpp"

#include <cmath>
#include <cstdio>

namespace xcpp::detail {

namespace {

// Picks one precision and one width for a whole column of real numbers, as few digits as show them
// all.
class RealColumn {
public:
    explicit RealColumn(int precision) : precision_(precision) {}

    void look_at(double value) {
        if (value == 0 || !std::isfinite(value)) return;
        const int exponent = 1 + static_cast<int>(std::log10(std::abs(value)));
        if (exponent <= -5 || exponent > 7) {
            scientific_ = true;
            required_ = precision_;
            if (exponent <= -100 || exponent >= 100) large_exponent_ = true;
        }
        max_ = std::max(max_, std::abs(value));
        if (required_ < precision_)
            while (required_ < precision_ &&
                   std::floor(value * std::pow(10, required_)) != value * std::pow(10, required_))
                ++required_;
    }

    void finish() {
        precision_ = std::min(required_, precision_);
        if (scientific_)
            width_ = precision_ + 7 + (large_exponent_ ? 1 : 0);  // sign, digit, point and e+00
        else
            width_ = 3 +
                     (std::floor(max_) != 0 ? static_cast<int>(std::log10(std::floor(max_))) : 0) +
                     precision_;  // sign, leading digit, point
        if (required_ == 0) --width_;
    }

    int width() const { return width_; }

    std::string text_of(double value) const {
        char text[512];
        if (scientific_) {
            std::snprintf(text, sizeof text, "%*.*e", width_, precision_, value);
            std::string out = text;
            if (large_exponent_ && out.size() > 4 && out[out.size() - 4] == 'e') {
                out.erase(0, 1);
                out.insert(out.size() - 2, "0");
            }
            return out;
        }
        std::snprintf(text, sizeof text, "%*.*f", width_, precision_, value);
        std::string out = text;
        if (required_ == 0 && std::isfinite(value)) out += '.';
        for (auto it = out.rbegin(); it != out.rend() && *it == '0'; ++it) *it = ' ';
        return out;
    }

private:
    bool scientific_ = false, large_exponent_ = false;
    int precision_, required_ = 0, width_ = 9;
    double max_ = 0;
};

void pad(std::string& text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
}

std::vector<std::string> real_column(const std::vector<ShownElement>& elements, int precision,
                                     std::size_t& width) {
    RealColumn column(precision);
    for (const auto& element : elements) column.look_at(element.value.real);
    column.finish();
    width = static_cast<std::size_t>(column.width());
    std::vector<std::string> out;
    out.reserve(elements.size());
    for (const auto& element : elements) out.push_back(column.text_of(element.value.real));
    return out;
}

std::vector<std::string> complex_column(const std::vector<ShownElement>& elements, int precision,
                                        std::size_t& width) {
    RealColumn real(precision), imaginary(precision);
    for (const auto& element : elements) {
        real.look_at(element.value.real);
        imaginary.look_at(std::abs(element.value.imaginary));
    }
    real.finish();
    imaginary.finish();
    width =
        static_cast<std::size_t>(real.width()) + static_cast<std::size_t>(imaginary.width()) + 2;
    std::vector<std::string> out;
    out.reserve(elements.size());
    for (const auto& element : elements) {
        std::string part = imaginary.text_of(std::abs(element.value.imaginary));
        if (part[0] == ' ') part.erase(0, 1);
        part.insert(part.find_last_not_of(' ') + 1, "i");
        out.push_back(real.text_of(element.value.real) +
                      (std::signbit(element.value.imaginary) ? "-" : "+") + part);
    }
    return out;
}

// Whole numbers and texts: padded on the left to the longest.
std::vector<std::string> padded_column(std::vector<std::string> texts, std::size_t& width) {
    width = 0;
    for (const auto& text : texts) width = std::max(width, text.size());
    for (auto& text : texts) pad(text, width);
    return texts;
}

}  // namespace

std::vector<std::string> column_of(const std::vector<ShownElement>& elements, ElementKind kind,
                                   int precision, std::size_t& width) {
    if (kind == ElementKind::real) return real_column(elements, precision, width);
    if (kind == ElementKind::complex) return complex_column(elements, precision, width);
    std::vector<std::string> texts;
    bool negative = false;
    unsigned long long largest = 0;
    for (const auto& element : elements) {
        switch (kind) {
            case ElementKind::boolean:
                texts.push_back(element.value.integer ? "true" : "false");
                break;
            case ElementKind::integer: {
                texts.push_back(std::to_string(element.value.integer));
                negative = negative || element.value.integer < 0;
                largest = std::max(
                    largest, element.value.integer < 0
                                 ? 0ULL - static_cast<unsigned long long>(element.value.integer)
                                 : static_cast<unsigned long long>(element.value.integer));
                break;
            }
            case ElementKind::unsigned_integer:
                texts.push_back(std::to_string(element.value.unsigned_integer));
                break;
            default:
                texts.push_back(element.text);
                break;
        }
    }
    auto out = padded_column(std::move(texts), width);
    // xtensor reserves a column for the sign as soon as one number has it, and five letters for a
    // truth value.
    const std::size_t least = kind == ElementKind::boolean ? 5
                              : negative                   ? std::to_string(largest).size() + 1
                                                           : width;
    width = std::max(width, least);
    if (kind == ElementKind::other && width > 20) width = 0;
    for (auto& text : out) pad(text, width);
    return out;
}

}  // namespace xcpp::detail
